"""Charts over the rounds: mistakes so far, recent mistakes, features, memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.evaluate import Result, Snapshot
from braided.evaluate.baselines import BASELINES
from braided.report.chart import (
    QUIET,
    Chart,
    Key,
    Trace,
    axis,
    band_traces,
    colour,
    dash,
    layout,
    line_trace,
)
from braided.report.recording import Recording

__all__ = ["error_chart", "features_chart", "memory_chart", "window_chart"]

POINTS = 300
"""The most points of a curve; the others are left out."""

WARM_UP = 0.04
"""The share of the rounds, from the first, that is too noisy to set the range of the axis."""

Floats = NDArray[np.float64]


def error_chart(recordings: Sequence[Recording]) -> Chart:
    """Draw the share of mistakes so far, of learners and baselines."""
    return _errors(
        recordings,
        None,
        "Mistakes so far",
        "The share of wrong predictions in all rounds so far; each row is predicted before it is "
        "learned. Lower is better. Grey: baselines, which use no features.",
    )


def window_chart(recordings: Sequence[Recording]) -> Chart:
    """Draw the share of mistakes in the last rounds."""
    rounds = _results(recordings[0])[0].rounds
    window = min(max(1, rounds), max(50, rounds // 20))
    return _errors(
        recordings,
        window,
        "Recent mistakes",
        f"The same for the last {window} rounds only: it shows when the error of a learner rose, "
        "and how soon it fell again.",
    )


def features_chart(recordings: Sequence[Recording]) -> Chart | None:
    """Draw how many features have a weight, and how many were seen."""
    if not _has_points(recordings):
        return None
    keys = [*_keys(recordings), Key("seen so far", QUIET, "dot")]
    lines = [_over_time(r, lambda snapshot: snapshot.features_kept) for r in recordings]
    most = max(recordings, key=lambda recording: _results(recording)[0].features_seen)
    lines.append(_over_time(most, lambda snapshot: snapshot.features_seen))
    traces = [line_trace(n, keys[n], *line) for n, line in enumerate(lines)]
    return Chart(
        "Features kept",
        "How many features have a weight in the model, and how many it has seen. A model with "
        "fewer features is smaller and easier to read.",
        traces,
        layout(axis("round"), axis("features", rangemode="tozero")),
        keys,
    )


def memory_chart(recordings: Sequence[Recording]) -> Chart | None:
    """Draw how much memory the models take."""
    if not _has_points(recordings):
        return None
    keys = _keys(recordings)
    lines = [_over_time(r, lambda snapshot: snapshot.memory_bytes / 1e3) for r in recordings]
    largest = [float(line[1].max(initial=0.0)) for line in lines]
    scale = "log" if max(largest) > 20 * max(1e-9, min(largest)) else "linear"
    return Chart(
        "Memory",
        "Memory held by the model: its numbers, and the names of its features.",
        [line_trace(n, keys[n], *line) for n, line in enumerate(lines)],
        layout(axis("round"), axis("kB", type=scale, rangemode="tozero")),
        keys,
    )


def _errors(recordings: Sequence[Recording], window: int | None, title: str, about: str) -> Chart:
    keys = [*_keys(recordings), *(Key(name, QUIET, d) for name, d in _BASELINE_DASHES.items())]
    results = [_results(recording) for recording in recordings]
    baselines = recordings[0].summary.baselines()
    results += [list(baselines[name].results.values()) for name in BASELINES]
    rounds = results[0][0].rounds
    at = np.unique(np.linspace(0, rounds, min(rounds, POINTS), endpoint=False, dtype=np.int64))
    at = at + (rounds - 1 - at[-1]) if rounds else at  # the last round is always among them
    traces: list[Trace] = []
    settled: list[float] = []
    for number, runs in enumerate(results):
        errors = 100 * np.array([run.error_curve(window)[at] for run in runs])
        traces += band_traces(number, keys[number], at + 1, errors)
        settled += [e for e in errors.mean(axis=0)[int(WARM_UP * len(at)) :] if np.isfinite(e)]
    high = max(settled, default=100.0)
    up = axis("mistakes in %", range=[0.0, min(101.0, 1.06 * high + 0.5)])
    repeats = len(results[0])
    spread = f" Lines: mean of {repeats} runs; bands: their standard deviation." * (repeats > 1)
    return Chart(title, about + spread, traces, layout(axis("round"), up), keys)


_BASELINE_DASHES = dict(zip(BASELINES, ("dash", "dot"), strict=True))


def _results(recording: Recording) -> list[Result]:
    return list(recording.summary.results.values())


def _has_points(recordings: Sequence[Recording]) -> bool:
    """Whether there are snapshots before the end."""
    return any(len(_results(recording)[0].snapshots) > 1 for recording in recordings)


def _keys(recordings: Sequence[Recording]) -> list[Key]:
    return [Key(r.label, colour(n), dash(n)) for n, r in enumerate(recordings)]


def _over_time(
    recording: Recording, value_of: Callable[[Snapshot], float]
) -> tuple[NDArray[Any], Floats]:
    """A number of the snapshots, the mean of all runs."""
    runs = [result.snapshots for result in _results(recording)]
    rounds = np.array([snapshot.round for snapshot in runs[0]])
    return rounds, np.array([[value_of(snapshot) for snapshot in run] for run in runs]).mean(axis=0)
