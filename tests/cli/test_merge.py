"""``braided merge``: models that were trained side by side become one."""

import braided as library
from braided import Braid


def train(braided, learner, *data, model, **flags):
    options = [each for name, value in flags.items() for each in (f"--{name}", value)]
    code, _, err = braided("train", *data, "--learner", learner, "--model", model, *options)
    assert code == 0, err


def write(folder):
    for number, words in enumerate((["a", "b"], ["b", "c"], ["c", "d"])):
        lines = [f"{words[t % 2]},{t},{'yes' if t % 2 else 'no'}\n" for t in range(40)]
        (folder / f"{number}.csv").write_text("word,time,label\n" + "".join(lines))


def test_models_of_files_become_one(braided, tmp_path):
    write(tmp_path)
    for number in range(2):
        train(braided, "oco", f"{number}.csv", model=f"{number}.braided")
    code, out, _ = braided("merge", "0.braided", "1.braided", "--output", "both.braided")
    assert code == 0
    assert "both.braided: OCO(), 80 rows learned by 2 models, 4 features seen, 4 kept" in out
    models = [library.load(tmp_path / f"{number}.braided") for number in range(2)]
    both = library.load(tmp_path / "both.braided")
    assert both.to_bytes() == models[0].merge(models[1]).to_bytes()
    assert both.schema.kind("word") == "category"
    code, out, _ = braided("predict", "both.braided", "2.csv")
    assert code == 0
    assert len(out.splitlines()) == 40


def test_since_a_common_base(braided, refused, tmp_path):
    write(tmp_path)
    train(braided, "braid", "0.csv", model="base.braided")
    for number in (1, 2):
        library.load("base.braided").save(f"{number}.braided")
        code, _, _ = braided("train", f"{number}.csv", "--model", f"{number}.braided", "--continue")
        assert code == 0
    merging = ("merge", "1.braided", "2.braided", "--output", "all.braided")
    assert braided(*merging, "--since", "base.braided").code == 0
    assert library.load("all.braided").rounds == 120
    Braid(label_memory=False).save("other.braided")
    assert "at least two" in refused("merge", "1.braided", "--output", "x")
    library.OLSF().save("olsf.braided")
    told = refused("merge", "1.braided", "olsf.braided", "--output", "x")
    assert "Braid can not be merged with OLSF" in told
