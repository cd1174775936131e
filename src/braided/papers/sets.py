"""The papers' data sets: which of them is here, what stands in, and where the others are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided import datasets
from braided.datasets import folder, shipped
from braided.records import as_rows
from braided.rows import Rows
from braided.streams.offline_scaling import scaled

__all__ = ["SETS", "Found", "PaperSet", "authors_order", "find", "load"]

LIBSVM = "the LIBSVM data page"
UCI = "the UCI repository"


@dataclass(frozen=True)
class PaperSet:
    """A set as a paper used it.

    Parameters
    ----------
    rounds : int
        The number of rows in the paper.
    file : str, default ""
        Its name in the folder BRAIDED_DATA; none if it was never published.
    differs : str, default ""
        How the set of that name differs from the paper's, if it only stands in for it.
    shipped : str, default ""
        The name of a set that ships with Braided, and can be used instead.
    shipped_differs : str, default ""
        How that one differs.
    origin : str
        Where to get it.
    sparse : bool, default False
        Whether its rows stay sparse: text is scaled to length 1, and never standardised.
    most : int, optional
        How many of its features the paper took, if not all; the most frequent are taken.
    complete : bool, default False
        Whether rows that lack a value are left out.
    counts : bool, default False
        Whether its values are counts of words, which are multiplied by log(n / df).
    """

    rounds: int
    file: str = ""
    differs: str = ""
    shipped: str = ""
    shipped_differs: str = ""
    origin: str = UCI
    sparse: bool = False
    most: int | None = None
    complete: bool = False
    counts: bool = False


SETS = {
    "wpbc": PaperSet(198, "wpbc"),
    "ionosphere": PaperSet(351, "ionosphere", shipped="ionosphere"),
    "wdbc": PaperSet(569, "wdbc", shipped="wdbc"),
    "isolet": PaperSet(
        600, "isolet_ab", "A against B; which two letters the paper took, it does not say"
    ),
    "wbc": PaperSet(699, "wbc", shipped="wisconsin", shipped_differs="the 683 rows without gaps"),
    "wbc (complete)": PaperSet(683, "wbc", shipped="wisconsin", complete=True),
    "german": PaperSet(1000, "german", "", "german", "codes as indicators", LIBSVM),
    "svmguide3": PaperSet(1243, "svmguide3", origin=LIBSVM),
    "splice": PaperSet(3175, "splice", "", "splice", "bases as indicators", LIBSVM),
    "HAPT": PaperSet(3266, "hapt"),
    "spambase": PaperSet(4601, "spambase", shipped="spambase"),
    "magic04": PaperSet(19020, "magic04", shipped="magic"),
    "a8a": PaperSet(32561, "a8a", origin=LIBSVM),
    "rcv1": PaperSet(697641, "rcv1_sample", "1,747 rows of it", origin=LIBSVM, sparse=True),
    "URL": PaperSet(2396130, "url", sparse=True, origin=LIBSVM),
    "australian": PaperSet(690, "australian", "", "australian", "codes as indicators"),
    "credit-a": PaperSet(690, "credit-a", "", "crx", "the 653 rows without gaps"),
    "diabetes": PaperSet(768, "diabetes"),
    "dna": PaperSet(949, "dna", "3,186 rows of two classes against the third"),
    "kr-vs-kp": PaperSet(3196, "kr-vs-kp"),
    "IMDB": PaperSet(
        25000, "imdb", origin="ai.stanford.edu/~amaas/data/sentiment", sparse=True, most=7500
    ),
    "CCYS": PaperSet(33000),
    "AUT": PaperSet(62581, "imdb", "25,000 film reviews", sparse=True),
    "PCMAC": PaperSet(
        1946,
        "pcmac",
        "3,289 of 7,510 features",
        sparse=True,
        origin="the scikit-feature collection",
    ),
    "NEWS": PaperSet(
        19996, "20news_rec_vs_sci", "rec against sci, 7,931 rows", sparse=True, origin=LIBSVM
    ),
    "RCV1": PaperSet(
        4086, "rcv1_sample", "1,747 rows of another sample", sparse=True, origin=LIBSVM
    ),
    "RCV1 (full)": PaperSet(804414, "rcv1_sample", "1,747 rows of it", sparse=True, origin=LIBSVM),
    "WEBSPAM": PaperSet(350000, "sms_spam", "5,574 text messages", sparse=True, origin=LIBSVM),
    "rec vs sci": PaperSet(
        8928,
        "20news_rec_vs_sci",
        "7,931 rows and 66,038 words of the same groups",
        sparse=True,
        counts=True,
        origin="qwone.com/~jason/20Newsgroups",
    ),
    "comp vs sci": PaperSet(
        9840,
        "20news_comp_vs_sci",
        sparse=True,
        counts=True,
        origin="qwone.com/~jason/20Newsgroups",
    ),
    "CIFAR-10": PaperSet(
        3992,
        "cifar10_airplane_bird_1k",
        "1,000 pictures, from JPEG copies",
        origin="www.cs.toronto.edu/~kriz/cifar.html",
    ),
    "Colon": PaperSet(62, "colon", origin="the datamicroarray collection"),
    "KDDCUP08": PaperSet(102294, "kddcup08", origin="the KDD Cup 2008"),
    "ijcnn1": PaperSet(141691, "ijcnn1", origin=LIBSVM),
    "codrna": PaperSet(271617, "codrna", "the 59,535 rows of its training part", origin=LIBSVM),
    "covtype": PaperSet(581012, "covtype", origin=LIBSVM),
    "URL (SOL)": PaperSet(
        2396130, "emailing_list", "1,500 messages of a mailing list", sparse=True, origin=LIBSVM
    ),
    "KDDCUP99": PaperSet(1131571, "kddcup99_10pct", "the 10 % sample, 494,021 rows"),
}


@dataclass(frozen=True)
class Found:
    """What is here of a paper's set: the name that it has here, and how it differs if it does."""

    name: str
    differs: str = ""


def find(name: str) -> Found | None:
    """The set of this name in the papers, if it is here; nothing is fetched."""
    wanted = SETS[name]
    if wanted.file and folder.find(wanted.file):
        return Found(wanted.file, wanted.differs)
    if wanted.shipped in shipped.names():
        return Found(wanted.shipped, wanted.shipped_differs)
    return None


def where(name: str) -> str:
    """How to get a set that is not here."""
    wanted = SETS[name]
    if not wanted.file:
        return "not published"
    return f"get it from {wanted.origin} and put {wanted.file}.svm.gz into the folder BRAIDED_DATA"


@lru_cache(maxsize=16)
def load(name: str, scale: str | None = None) -> tuple[Rows, NDArray[Any]]:
    """Rows and labels, scaled as the papers do: standardised and to length 1, or as asked for."""
    wanted, found = SETS[name], find(name)
    assert found is not None  # callers have looked
    dataset = datasets.load(found.name)
    rows, labels = dataset.X, dataset.y
    if wanted.complete:
        full = np.flatnonzero(np.diff(rows.indptr) == np.unique(rows.indices).size)
        rows, labels = rows[full], labels[full]
    if wanted.most is not None:
        rows = _most_frequent(rows, wanted.most)
    usual, absent = ("unit", "unobserved") if wanted.sparse else ("zscore+unit", "zero")
    if wanted.counts:
        rows = _weighed(rows)
    # Checked here once, not again for every stream.
    return as_rows(scaled(rows, scale or usual, absent=absent)), labels


def _weighed(rows: Rows) -> Rows:
    """Counts times log(n / df): without the usual + 1, words that all texts have count nothing."""
    texts = np.bincount(rows.indices[rows.values != 0.0], minlength=rows.width)
    weights = np.log(len(rows) / np.maximum(1, texts))
    return replace(rows, values=rows.values * weights[rows.indices])


@lru_cache(maxsize=4)
def _orders(path: Path) -> NDArray[np.int64]:
    return np.loadtxt(path, delimiter=",", dtype=np.int64)


def authors_order(name: str, seed: int) -> NDArray[np.int64] | None:
    """The order of the rows that the authors drew for this seed, where it is known and here."""
    wanted = SETS[name]
    own = folder.find(wanted.file)
    path = None if own is None else own.with_name(f"{wanted.file}_permutations.csv.gz")
    if path is None or wanted.differs or not path.exists():
        return None
    orders = _orders(path)
    return orders[seed] if seed < len(orders) else None


def _most_frequent(rows: Rows, count: int) -> Rows:
    """The rows with only the entries of the ``count`` columns that have the most."""
    entries = np.bincount(rows.indices, minlength=rows.width)
    chosen = np.sort(np.argsort(-entries, kind="stable")[:count])
    place = np.full(rows.width, -1, np.int32)
    place[chosen] = np.arange(chosen.size)
    kept = rows.select(place[rows.indices] >= 0)
    names = None if rows.names is None else [rows.names[c] for c in chosen]
    return replace(kept, indices=place[kept.indices], width=chosen.size, names=names)


def rounds(name: str) -> int:
    """How many rows the set has here."""
    return len(load(name)[0])
