"""The load that a fleet of agents puts on a server, as simulated by Benchmarks/fleet."""

import json
import subprocess

from chart import chart
from figures import Figure

AGENTS = 1_000_000
# Agents that store no refresh token must be counted as lost sessions; a few are enough.
FORGETFUL_AGENTS = 10_000
CURVE = "outage-1h"
SCENARIOS = {
    "steady": "a million agents in a usual hour",
    "outage-5m": "after an outage of 5 min",
    "outage-30m": "after an outage of 30 min",
    "outage-1h": "after an outage of 1 h",
    "outage-6h": "after an outage of 6 h",
    "outage-1d": "after an outage of a day",
    "outage-1h-404": "after 1 h of 404 from a gateway",
    "outage-1h-responses-lost": "after 1 h of lost responses",
    "resume": "a million machines wake up within 20 min",
    "resume-in-1m": "a million machines wake up within 1 min",
    "clock-set": "a million clocks are set at once",
    "clock-set-in-outage": "after an outage of 1 h with all clocks set in it",
}
# Of the busiest second to the mean of the hour, and to the machines that woke up in a second: then the difference is chance.
MAX_ECHO = 1.1
MAX_RATIO = {"outage-1h": 2, "outage-6h": 2, "outage-1d": 2, "outage-1h-404": 2, "outage-1h-responses-lost": 2}


def simulate(program, *arguments):
    """Returns one dictionary for each scenario."""
    lines = subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in lines.splitlines()]


def fleet_figures(program, image=None):
    """The rows of each scenario: the busiest second of the hour compared with that hour's mean, or with the machines that wake
    up in a second. `image` is the file for the load after an outage."""
    lost = 0
    for name, words in SCENARIOS.items():
        (result,) = simulate(program, "--agents", AGENTS, "--curve", name)
        if result["wakePeak"]:
            yield Figure(f"{words}: busiest second, machines", result["peak"], "/s", result["wakePeak"], of_ratio=True)
            yield Figure(f"{words}: a token's life later, machines", result["laterPeak"], "/s", result["wakePeak"],
                         at_most=MAX_ECHO, of_ratio=True)
        else:
            yield Figure(f"{words}: busiest second, mean", result["peak"], "/s", result["mean"],
                         at_most=MAX_RATIO.get(name), of_ratio=True)
        if name.startswith("outage"):
            yield Figure(f"{words}: until 99 % of tokens are usable", result["secondsUntilFresh"] / 60, "min")
        lost += result["lost"]
        if image and name == CURVE:
            image.write_text(after_outage(result))
    yield Figure("a million agents, all of this: lost sessions", lost, "sessions", at_most=0)
    (result,) = simulate(program, "--agents", FORGETFUL_AGENTS, "--forgetful", "steady")
    yield Figure("ten thousand agents that store no token: lost sessions", result["lost"], "sessions", at_least=1)


def after_outage(result):
    bins = result["load"]
    points = [((number + 0.5) / 6, rate) for number, rate in enumerate(bins)]  # ten-second bins
    return chart(
        title="Refreshes per second of a million agents after an outage of one hour",
        x_label="minutes after the end of the outage", y_label="refreshes per second", points=points,
        x_end=len(bins) / 6, x_step=15,
        levels=[(result["mean"], "mean of the first hour"), (2 * result["mean"], "twice the mean")])
