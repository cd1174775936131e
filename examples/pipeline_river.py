"""A learner of Braided in a pipeline of river, and in river's evaluation."""

from river import datasets, evaluate, linear_model, metrics, preprocessing

from braided import OLSF, Braid
from braided.compose import ForRiver

contenders = {
    "river: LogisticRegression": preprocessing.StandardScaler() | linear_model.LogisticRegression(),
    "OLSF in river's pipeline": preprocessing.StandardScaler() | ForRiver(OLSF()),
    "Braid, raw values": ForRiver(Braid()),
}
for name, model in contenders.items():
    score = metrics.Accuracy() + metrics.ROCAUC()
    evaluate.progressive_val_score(datasets.Phishing(), model, score)
    print(f"{name:28}{score}")
