"""A text pipeline of scikit-learn, and the same without one.

Which library does a docstring come from: NumPy, SciPy or scikit-learn? The texts ship with the
packages that Braided needs. Three labels, and a vocabulary that nobody declares.
"""

import inspect
import random

import numpy
import scipy.stats
import sklearn.datasets
import sklearn.metrics
from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer
from sklearn.pipeline import make_pipeline

from braided import OLSF, Braid, Calibrated, OneVsRest


def first_lines(library):
    """The first sentences of the docstrings of a library's functions."""
    for name in sorted(dir(library)):
        text = inspect.getdoc(getattr(library, name)) or ""
        if len(text) > 200 and not name.startswith("_"):
            yield " ".join(text.split()[:60])


libraries = {"numpy": numpy, "scipy": scipy.stats, "sklearn": sklearn.metrics}
pairs = [(text, name) for name, library in libraries.items() for text in first_lines(library)]
random.Random(0).shuffle(pairs)
texts, labels = zip(*pairs, strict=True)
half = len(texts) // 2
print(len(texts), "texts:", {name: labels.count(name) for name in libraries})

# scikit-learn makes numbers of words, Braided learns them.
pipeline = make_pipeline(
    HashingVectorizer(alternate_sign=False, norm=None, n_features=2**16),
    TfidfTransformer(),
    Calibrated(OneVsRest(OLSF())),
)
pipeline.fit(texts[:half], labels[:half])
print(f"pipeline: {1 - pipeline.score(texts[half:], labels[half:]):.1%} wrong on the second half")

# Braid takes texts as they are: a field of several words becomes a count of each word.
model = Braid()
for text, label in pairs[:half]:
    model.learn_one({"text": text}, label)
wrong = sum(model.predict_one({"text": text}) != label for text, label in pairs[half:])
print(f"Braid on texts: {wrong / (len(pairs) - half):.1%} wrong on the second half")
