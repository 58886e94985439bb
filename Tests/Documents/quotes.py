"""Messages of the programs that the documents quote: each must be in the sources.

A quote is a code span of at least three words that is no command line, or a line of a program's
output in a code block that is not run. A quote may be a part of a message, `…` stands for any
text, and so does each value that the program inserts.
"""

import re

from markdown import ROOT

# Spans of several words that no program of this package prints, and what they are.
FOREIGN = [
    r"provider is not enabled|.*Provider … could not be found.*|Error 4\d\d: .*",  # a message of the auth server or of Google
    r"Failed to set thread priority … errno=13",  # a message of the Swift runtime
    r"[A-Z]+\(.*\).*",  # a function of the vault's format
    r"\[[a-z_\[]+\][\w =\"\]]*|[a-z_]+ = .*|[A-Z_]+=\S*( .*)?|\[\"[^\]]*\"\]",  # a setting
    r"\"[^\"]*\": \"[^\"]*\"|\{.*",  # JSON
    r"[A-Za-z]+=(\S+)( [@a-z/~].*)?",  # a setting of a unit
]

# Values in the samples of the documents, where a message has what it is about.
VALUES = [
    r"\b\d+ min\b", r"\b\d+ to \d+\b", r"^ritualctl: ", r"( \w+=\w+)+$", r"^config\.toml:\d+:\d+: ",
]

# The shortest fixed part of a message that counts, and the least length of the longest one: short
# ones are in many messages.
SHORTEST, LONGEST = 5, 9

# The first words of command lines, which commands.py checks.
COMMANDS = {
    "curl", "df", "docker", "dpkg-buildpackage", "install", "journalctl", "ls", "mv", "printf", "ritual-agentd", "ritualctl",
    "script/bench", "script/fuzz", "script/test", "sudo", "supabase", "swayidle", "systemctl", "systemd-analyze",
    "systemd-creds", "systemd-run", "timedatectl",
}


def literals():
    """The string literals of the sources, each as its fixed parts around inserted values."""
    found = []
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        found += parts_of(path.read_text())
    return found


def parts_of(source):
    """Returns each literal as a list of its fixed parts; adjacent literals that `+` joins count as
    one."""
    found, at, joined = [], 0, None
    for start in re.finditer(r'//[^\n]*|(#*)("""|")', source):
        if start.start() < at or start[0].startswith("//"):
            continue
        parts, end = literal(source, start.end(), start[2], start[1])
        if joined is not None and re.fullmatch(r"\s*\+\s*", source[at : start.start()]):
            joined[-1] += parts[0]
            joined += parts[1:]
        else:
            joined = parts
            found.append(joined)
        at = end
    return found


def literal(source, at, quote, hashes):
    parts, text = [], ""
    escape = "\\" + hashes
    while at < len(source) and not source.startswith(quote + hashes, at):
        if source.startswith(escape + "(", at):
            at = closed(source, at + len(escape) + 1)
            parts.append(text)
            text = ""
        elif source.startswith(escape, at):
            follows = source[at + len(escape)]
            text += {"n": "\n", '"': '"', "\\": "\\"}.get(follows, "")
            at += len(escape) + 1
        else:
            text += source[at]
            at += 1
    return [re.sub(r" +", " ", line) for part in [*parts, text] for line in part.split("\n")], at + len(quote + hashes)


def closed(source, at):
    """The index after the parenthesis that closes an interpolation; its strings are skipped."""
    depth = 1
    while depth:
        if source[at] == '"':
            at = literal(source, at + 1, '"', "")[1]
            continue
        depth += {"(": 1, ")": -1}.get(source[at], 0)
        at += 1
    return at


class Messages:
    """What the programs can print."""

    def __init__(self):
        everything = literals()
        self.text = "\n".join("\0".join(parts) for parts in everything)
        fragments = {part.strip(" .:;,()?") for parts in everything for part in parts}
        self.fragments = [part for part in fragments if len(part) >= SHORTEST]

    def have(self, quote):
        """Whether the quote is a message, a part of one, or fixed parts of messages around short
        values."""
        for value in VALUES:
            quote = re.sub(value, "…", quote)
        parts = [part.strip() for part in quote.split("…") if part.strip(" .:;,?()")]
        return all(part in self.text for part in parts) or self.covers(quote)

    def covers(self, text):
        """Whether nearly all letters of the text are in fixed parts of messages."""
        marks, longest = [False] * len(text), 0
        for fragment in self.fragments:
            for found in re.finditer(rf"(?<!\w){re.escape(fragment)}(?!\w)", text):
                marks[found.start() : found.end()] = [True] * len(fragment)
                longest = max(longest, len(fragment))
        letters = [mark for mark, letter in zip(marks, text) if letter.isalpha()]
        return longest >= LONGEST and sum(letters) >= 0.75 * len(letters)


def check(pages, unchecked_output):
    """Returns the number of checked quotes, and those that are no message."""
    messages = Messages()
    count, faults = 0, []
    for page in pages:
        if page.name in ("CHANGELOG.md",):
            continue
        quotes = [(line, span) for line, span in page.spans() if is_quote(span)]
        for line, quote in quotes + unchecked_output.get(page.name, []):
            if any(re.fullmatch(pattern, quote) for pattern in FOREIGN):
                continue
            count += 1
            if not messages.have(quote):
                faults.append(f"{page.name}:{line}: no program says: {quote}")
    return count, faults


def is_quote(span):
    words = span.split()
    return len(words) >= 3 and words[0] not in COMMANDS and not span.startswith(("-", "<", "$"))
