"""The part of the documents that is written from the programs, and the table of environment
variables, which is compared with the sources.

  script/generate [--check]
"""

import json
import pathlib
import re
import subprocess
import sys

import page
from markdown import ROOT, Page

PROGRAMS = ["ritualctl", "ritual-agentd", "ritual-notify", "ritual-sandbox"]


def built_programs():
    folder = subprocess.run(["swift", "build", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True)
    return pathlib.Path(folder.stdout.strip())


def helps(folder):
    """What each program says about its command line."""
    return {name: dump(folder / name) for name in PROGRAMS}


def dump(program):
    output = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True)
    return json.loads(output.stdout)["command"]


# The command line


def command_line(commands):
    lines = []
    for name in PROGRAMS:
        lines += section(commands[name], name, 2)
    return lines


def section(command, words, level, common=()):
    """`common`: the options that the program describes once, for all its commands."""
    lines = [f"{'#' * level} {words}", "", escaped(command["abstract"]), ""]
    subcommands = visible(command)
    if not subcommands:
        lines += ["```text", synopsis(words, command, runs_alone=level == 2), "```", ""]
    if aliases := command.get("aliases"):
        lines += ["Alias: " + ", ".join(f"`{alias}`" for alias in aliases) + ".", ""]
    lines += discussion(command)
    if subcommands and level == 2:
        links = [f"[`{full.partition(' ')[2]}`](#{anchor(full)})" for full, _ in leaves(command, words)]
        lines += ["Commands: " + " · ".join(links) + ".", ""]
    if rows := [line for line in map(row, shown(command)) if line not in common]:
        lines += ["Options of every command:" if subcommands else "Options:", "", *rows, ""]
    for full, sub in leaves(command, words) if level == 2 else []:
        lines += section(sub, full, 3, common=rows)
    return lines


def discussion(command):
    """The paragraphs of the help, and its examples as a code block, whose lines commands.py parses."""
    text, _, examples = (command.get("discussion") or "").partition("Examples:\n")
    lines = []
    for paragraph in filter(None, map(str.strip, text.split("\n\n"))):
        lines += [escaped(paragraph), ""]
    if examples.strip():
        lines += ["```sh", *(line.strip() for line in examples.split("\n") if line.strip()), "```", ""]
    return lines


def visible(command):
    return [s for s in command.get("subcommands", []) if s["shouldDisplay"] and s["commandName"] != "help"]


def leaves(command, words):
    for sub in visible(command):
        full = f"{words} {sub['commandName']}"
        if visible(sub):
            yield from leaves(sub, full)
        else:
            yield full, sub


def shown(command):
    """The options and arguments, without those that the parser adds to every command."""
    arguments = command.get("arguments", [])
    return [a for a in arguments if a["shouldDisplay"] and a["valueName"] not in ("help", "version")]


def anchor(words):
    return words.replace(" ", "-")


def synopsis(words, command, runs_alone):
    """The command line; `runs_alone`: whether a command behind -- may be left out."""
    parts, arguments = [words], shown(command)
    if any(a["kind"] != "positional" for a in arguments):
        parts.append("[OPTION]...")
    for a in arguments:
        if a["kind"] == "positional":
            name = f"<{a['valueName']}>" + ("..." if a["isRepeating"] else "")
            is_optional = a["isOptional"]
            if a.get("parsingStrategy") == "postTerminator":
                name, is_optional = f"-- {name}", runs_alone
            parts.append(f"[{name}]" if is_optional else name)
    return " ".join(parts)


def row(a):
    value = "" if a["kind"] == "flag" else f" <{a['valueName']}>"
    names = sorted(a.get("names") or [], key=lambda n: n["kind"] == "long")
    spelled = [("--" if n["kind"] == "long" else "-") + n["name"] for n in names]
    term = f"`{', '.join(spelled)}{value}`" if spelled else f"`{value.strip()}`"
    words = " ".join(filter(None, [a.get("abstract"), a.get("discussion")]))
    if a.get("defaultValue") and a["kind"] != "flag":
        words += f" Default: `{a['defaultValue']}`."
    return f"- {term}: {escaped(words)}"


def escaped(text):
    """The text of a help in Markdown: on one line, with what HTML would take."""
    return re.sub(r"\s+", " ", text).replace("<", "&lt;").strip()


BEGIN, END = "<!-- command line: written by script/generate -->", "<!-- command line: end -->"


def check(commands, write):
    """Compares the generated parts with the pages, or writes them."""
    faults = page.check(write)
    path = ROOT / "docs/command-line.md"
    text = path.read_text()
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    current = f"{before}{BEGIN}\n\n" + "\n".join(command_line(commands)).rstrip("\n") + f"\n\n{END}{after}"
    if write:
        path.write_text(current)
    elif current != text:
        faults.append("docs/command-line.md is not up to date: run script/generate")
    return faults


# The environment

READ = re.compile(r"\b(?:getenv|variable|isSet|value|directory|base)\(\"([A-Z][A-Z_]+)\"")
NAMES = "RITUAL_[A-Z]+_|SUPABASE|XDG|CREDENTIALS|NOTIFY|WATCHDOG|DBUS|LD|WAYLAND|DISPLAY|XAUTHORITY|PATH|HOME|LANG"
LISTS = re.compile(rf"\"((?:{NAMES})[A-Z_]*)\"")


def environment():
    """The variables that the sources read are the variables of docs/environment.md."""
    read = set()
    for path in (ROOT / "Sources").rglob("*.swift"):
        text = path.read_text()
        read |= set(READ.findall(text)) | set(LISTS.findall(text))
    rows = re.findall(r"^\| (`.+?`) \|", Page(ROOT / "docs" / "environment.md").prose, re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`([A-Z][A-Z_]+)`", row)}
    # Read by a library, or only written.
    outside = {"LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "WATCHDOG_USEC", "WATCHDOG_PID"}
    outside |= {"TZ", "RITUAL_ACCESS_TOKEN", "DBUS_SESSION_BUS_ADDRESS"}
    faults = [f"docs/environment.md does not list {name}, which a program reads" for name in sorted(read - listed)]
    faults += [f"docs/environment.md lists {name}, which no program reads" for name in sorted(listed - read - outside)]
    return faults


if __name__ == "__main__":
    sys.exit("\n".join(check(helps(built_programs()), "--write" in sys.argv)) or 0)
