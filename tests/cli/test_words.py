"""A real stream with a growing vocabulary: a model that people can read."""

import json
import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("BRAIDED_DATA", Path(__file__).parents[3] / "shared" / "data"))


@pytest.mark.parametrize("learner", ["olsf-i", "ofs", "oco"])
def test_the_words_of_spam_are_those_that_a_person_expects(braided, tmp_path, monkeypatch, learner):
    if not (DATA / "sms_spam.svm.gz").exists():
        pytest.skip("needs sms_spam.svm.gz in the folder BRAIDED_DATA")
    monkeypatch.setenv("BRAIDED_DATA", str(DATA))
    model = str(tmp_path / "m.braided")
    code, out, _ = braided("train", "sms_spam", "--learner", learner, "--model", model)
    assert (code, "5574 rows learned" in out) == (0, True)
    code, out, _ = braided("inspect", model, "--top", "40", "--json")
    mail, spam = ([name for name, _ in side] for side in json.loads(out)["weights"])
    assert {"claim", "free", "call", "txt", "mobile", "prize"} <= set(spam)
    assert {"me", "my", "ok"} <= set(mail)
    code, out, _ = braided("inspect", model)
    assert all(word in out for word in ("claim", "mobile"))
