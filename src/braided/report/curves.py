"""Charts of what happens over the rounds: errors, features, memory; and error by budget."""

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
"""To how many points a curve is thinned."""

WARM_UP = 0.04
"""The share of the rounds that is too noisy to decide where the axis ends."""

Floats = NDArray[np.float64]


def error_chart(recordings: Sequence[Recording]) -> Chart:
    """The share of mistakes so far, of learners and baselines."""
    return _errors(
        recordings,
        None,
        "Mistakes so far",
        "The share of all rounds so far in which the prediction was wrong, made before the row was "
        "learned. Lower is better; a learner above the grey lines has learned nothing.",
    )


def window_chart(recordings: Sequence[Recording]) -> Chart:
    """The share of mistakes in the rounds just before."""
    rounds = _results(recordings[0])[0].rounds
    window = min(max(1, rounds), max(50, rounds // 20))
    return _errors(
        recordings,
        window,
        "Mistakes of late",
        f"The same for the last {window} rounds only: shows when a learner was thrown off, and how "
        "soon it recovered.",
    )


def features_chart(recordings: Sequence[Recording]) -> Chart | None:
    """How many features have a weight, beside those seen."""
    if not _has_points(recordings):
        return None
    keys = [*_keys(recordings), Key("all seen so far", QUIET, "dot")]
    lines = [_over_time(r, lambda snapshot: snapshot.features_kept) for r in recordings]
    most = max(recordings, key=lambda recording: _results(recording)[0].features_seen)
    lines.append(_over_time(most, lambda snapshot: snapshot.features_seen))
    traces = [line_trace(n, keys[n], *line) for n, line in enumerate(lines)]
    return Chart(
        "Features kept",
        "How many features the model gives a weight, beside all that it has seen. Fewer is "
        "cheaper, and easier to read.",
        traces,
        layout(axis("round"), axis("features", rangemode="tozero")),
        keys,
    )


def memory_chart(recordings: Sequence[Recording]) -> Chart | None:
    """What the models hold."""
    if not _has_points(recordings):
        return None
    keys = _keys(recordings)
    lines = [_over_time(r, lambda snapshot: snapshot.memory_bytes / 1e3) for r in recordings]
    largest = [float(line[1].max(initial=0.0)) for line in lines]
    scale = "log" if max(largest) > 20 * max(1e-9, min(largest)) else "linear"
    return Chart(
        "Memory",
        "Bytes that the model holds: its numbers, and the names of its features.",
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
    low, high = (min(settled), max(settled)) if settled else (0.0, 100.0)
    room = 0.06 * (high - low) + 0.5
    up = axis("mistakes in %", range=[max(0.0, low - room), min(101.0, high + room)])
    repeats = len(results[0])
    spread = f" Lines: mean of {repeats} runs; bands: their standard deviation." * (repeats > 1)
    return Chart(title, about + spread, traces, layout(axis("round"), up), keys)


_BASELINE_DASHES = dict(zip(BASELINES, ("dash", "dot"), strict=True))


def _results(recording: Recording) -> list[Result]:
    return list(recording.summary.results.values())


def _has_points(recordings: Sequence[Recording]) -> bool:
    """Whether anything is known of the models before the end."""
    return any(len(_results(recording)[0].snapshots) > 1 for recording in recordings)


def _keys(recordings: Sequence[Recording]) -> list[Key]:
    return [Key(r.label, colour(n), dash(n)) for n, r in enumerate(recordings)]


def _over_time(
    recording: Recording, value_of: Callable[[Snapshot], float]
) -> tuple[NDArray[Any], Floats]:
    """A number of the snapshots, as the mean of all runs."""
    runs = [result.snapshots for result in _results(recording)]
    rounds = np.array([snapshot.round for snapshot in runs[0]])
    return rounds, np.array([[value_of(snapshot) for snapshot in run] for run in runs]).mean(axis=0)
