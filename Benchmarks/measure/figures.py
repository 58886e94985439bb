"""Measured values compared with their targets."""

import statistics
from dataclasses import dataclass

ROUNDS = 9  # the agent and its baseline alternate; medians over the rounds are used


@dataclass
class Figure:
    """One row. `target` is a bound of `judged`, which is the value itself or its ratio to the
    baseline."""

    what: str
    value: float
    unit: str
    baseline: float | None = None
    at_most: float | None = None
    at_least: float | None = None
    of_ratio: bool = False

    @property
    def ratio(self):
        return None if self.baseline is None else self.value / self.baseline

    @property
    def judged(self):
        return self.ratio if self.of_ratio else self.value

    @property
    def reached(self):
        """True or False; None if no target is set."""
        if self.at_most is not None:
            return self.judged <= self.at_most
        return None if self.at_least is None else self.judged >= self.at_least

    @property
    def target(self):
        bound = self.at_most if self.at_most is not None else self.at_least
        if bound is None:
            return ""
        return f"{'≤' if self.at_most is not None else '≥'} {bound:g} {'×' if self.of_ratio else self.unit}"

    def cells(self):
        verdict = {True: "PASS", False: "FAIL", None: ""}[self.reached]
        baseline = "" if self.baseline is None else f"{number(self.baseline)} {self.unit}"
        ratio = "" if self.ratio is None else f"{self.ratio:.2f} ×"
        return [self.what, f"{number(self.value)} {self.unit}", baseline, ratio, self.target, verdict]


def number(value):
    """Formats a number with three significant digits, thousands separated."""
    return f"{value:,.0f}".replace(",", " ") if value >= 1000 else f"{value:.3g}"


def table(figures):
    """Formats a Markdown table that is also readable as plain text."""
    rows = [["figure", "agent", "baseline", "ratio", "target", ""]] + [figure.cells() for figure in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def in_turns(measurements, rounds=ROUNDS):
    """Runs each of `measurements` (name → function) once per round; returns name → member → median
    of the rounds."""
    results = {name: [] for name in measurements}
    for _ in range(rounds):
        for name, measure in measurements.items():
            results[name].append(measure())
    return {name: {key: statistics.median(result[key] for result in taken) for key in taken[0]}
            for name, taken in results.items()}
