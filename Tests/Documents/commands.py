"""Every command line of the documents: run, or parsed by the program's own description of its
command line, or listed here with the reason why not."""

import dataclasses
import re
import shlex
import subprocess

from rules import NOT_RUN, RULES, RUN, SETUP
from session import EMAIL, Session

LANGUAGES = {"", "console", "sh"}
OTHER = {"bash", "zsh", "fish", "toml", "ini", "text", "json", "python", "mermaid", "crontab"}


@dataclasses.dataclass
class Command:
    line: int
    text: str
    output: list = dataclasses.field(default_factory=list)


class Result:
    def __init__(self):
        self.run, self.parsed, self.not_run = 0, 0, {}
        self.spans, self.outputs = 0, 0
        self.faults, self.unchecked_output = [], {}

    def skip(self, reason):
        self.not_run[reason] = self.not_run.get(reason, 0) + 1

    def summary(self):
        skipped = sum(self.not_run.values())
        lines = [f"command lines in code blocks: {self.run} run, {self.parsed} only parsed, {skipped} not run"]
        lines += [f"  {count} {reason}" for reason, count in sorted(self.not_run.items())]
        lines.append(f"lines of output compared: {self.outputs}")
        lines.append(f"command lines in the text: {self.spans} parsed")
        return "\n".join(lines)


def check(pages, programs, helps):
    result = Result()
    for page in pages:
        parser = Parser(helps, page.name, result)
        if page.name != "CHANGELOG.md":
            for line, span in page.spans():
                if span.split()[0] in helps and parser.check(line, span, is_name=True):
                    result.spans += 1
        commands = [command for block in page.blocks for command in commands_of(block, page.name, result)]
        if commands:
            check_page(page, commands, programs, parser, result)
    return result


def commands_of(block, name, result):
    """The command lines of a code block: the lines after `$ `, or else all of them. A line that is
    not complete continues on the next one."""
    if block.language not in LANGUAGES:
        if block.language not in OTHER:
            result.faults.append(f"{name}:{block.line}: unknown language {block.language} of a code block")
        return
    is_session = any(line.startswith("$ ") for line in block.lines)
    current = None
    lines = list(enumerate(block.lines, block.line + 1))
    while lines:
        number, line = lines.pop(0)
        if is_session and not line.startswith("$ "):
            if current:
                current.output.append((number, line))
            continue
        text = line.removeprefix("$ ")
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        while lines and not is_complete(text):
            text += "\n" + lines.pop(0)[1]
        if current:
            yield current
        current = Command(number, text)
    if current:
        yield current


def is_complete(text):
    checked = subprocess.run(["bash", "-n", "-c", text], capture_output=True, text=True)
    return checked.returncode == 0 and not checked.stderr


def check_page(page, commands, programs, parser, result):
    name = page.name
    planned = [(command, plan(name, command)) for command in commands]
    session = None
    try:
        for command, rule in planned:
            where = f"{name}:{command.line}"
            known = parser.check(command.line, command.text)
            if rule is None:
                result.faults.append(f"{where}: no rule says how to check: {command.text}")
            elif "skip" in rule:
                if known:
                    result.parsed += 1
                else:
                    result.skip(rule["skip"])
                result.unchecked_output.setdefault(name, []).extend(printed(command))
            else:
                if session is None:
                    session = Session(programs)
                    prepare(session, page, result)
                run(session, where, command, rule, result)
    finally:
        if session:
            session.end()


def printed(command):
    """What a program of ours prints in a block that is not run, for the check of quotes."""
    if not re.match(r"(sudo -u \S+ )?ritual", command.text) or "--json" in command.text:
        return []
    return [(number, line.strip()) for number, line in command.output if len(line.split()) >= 3 and "://" not in line]


def plan(name, command):
    """The rule for a command: the first that fits, or the one for its first word."""
    for page, pattern, rule in RULES:
        if re.search(page, name) and re.search(pattern, command.text):
            return rule
    word = re.sub(r"^(\w+=\S* )+", "", command.text).split()[0]
    if word in NOT_RUN:
        return {"skip": NOT_RUN[word]}
    return {} if word in RUN or "=" in word else None


def prepare(session, page, result):
    """Creates the files of the page, and runs its SETUP."""
    for block in page.blocks:
        # A block that begins with the comment `# FILE` is that file.
        if block.language == "python" and (file := re.fullmatch(r"# ([a-z]+\.py)", block.lines[0])):
            (session.home / file[1]).write_text("\n".join(block.lines) + "\n")
    (session.folder / "browser").write_text(EMAIL)
    for line in SETUP.get(page.name, SETUP[""]):
        status, output = session.run(filled(session, line))
        if status != 0:
            result.faults.append(f"{page.name}: the preparation failed: {line}: {output}")


def filled(session, line):
    """The command line with the values of this session for the documents' placeholders."""
    line = line.replace("https://PROJECT.supabase.co", session.url).replace("https://api.example.org", session.url)
    return re.sub(r"\b(NEW-)?KEY\b", session.key, line)


def run(session, where, command, rule, result):
    for line in rule.get("before", []):
        status, output = session.run(filled(session, line))
        if status != 0:
            result.faults.append(f"{where}: the preparation failed: {line}: {output}")
    (session.folder / "browser").write_text(rule.get("browser", EMAIL))
    text = command.text
    for old, new in rule.get("with", {}).items():
        text = text.replace(old, new)
    status, output = session.run(filled(session, text))
    result.run += 1
    if status not in rule.get("statuses", (rule.get("status", 0),)):
        log = (session.folder / "agent.log").read_text()[-600:]
        result.faults.append(f"{where}: exit status {status}: {command.text}\n{output}\n{log}")
        return
    compare(session, where, command.output, output, result)


def compare(session, where, documented, output, result):
    """Each documented line of output is a later line of the real one, apart from numbers, names
    that the system gives, and what `…` stands for."""
    actual = [shape(shown(session, line)) for line in output.split("\n")]
    at = 0
    for number, line in documented:
        if not line.strip() or line.strip() == "…":
            continue
        result.outputs += 1
        pattern = re.compile(".*".join(map(re.escape, shape(line).split("…"))))
        found = next((index for index in range(at, len(actual)) if pattern.fullmatch(actual[index])), None)
        if found is None:
            result.faults.append(f"{where.split(':')[0]}:{number}: not in the output: {line}\n{output}")
            return
        at = found + 1


def shown(session, line):
    line = line.replace(session.url, "https://PROJECT.supabase.co").replace(session.key, "KEY")
    return line.replace(str(session.home), "/home/anna").replace(str(session.folder / "run"), "/run/user/1000")


def shape(line):
    """The line without what differs between runs: numbers with their units, and identifiers."""
    # A time of another day has its date: "until 2026-11-28 00:02 UTC", shortly before midnight.
    line = re.sub(r"\d{4}-\d\d-\d\d (?=\d\d:\d\d)", "", line)
    line = re.sub(r"\d+ (s|min|h|d)\b", "0 TIME", line)
    line = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{12,64}\b", "ID", line)
    return re.sub(r"\s+", " ", re.sub(r"\d+", "0", line)).strip()


class Parser:
    """Checks command lines against the programs' own descriptions (`--experimental-dump-help`)."""

    def __init__(self, helps, page, result):
        self.helps, self.page, self.result = helps, page, result

    def check(self, line, text, is_name=False):
        """Reports what is wrong. Returns whether the line contains a command of one of our
        programs. With `is_name`, the text may name a command without all that it needs."""
        known = False
        for words in simple_commands(text):
            starters = ("sudo", "env", "exec", "systemd-run", "docker")
            names = [index for index, word in enumerate(words) if word.split("/")[-1] in self.helps]
            for index in names[:1] if words[0] in starters else [0] if 0 in names else []:
                known = True
                command = self.helps[words[index].split("/")[-1]]
                if fault := misuse(command, words[index + 1 :], is_name):
                    self.result.faults.append(f"{self.page}:{line}: {fault}: {text}")
        return known


def simple_commands(text):
    """The words of each simple command of a shell line, without redirections."""
    text = re.sub(r"(\s)\[(--?[a-z][^\]]*|[A-Za-z|_-]+)\](…|\.\.\.)?", r"\1\2", text)  # an optional part
    text = re.sub(r"(?<!\S)([a-z-]+)\|[a-z|-]+(?!\S)", r"\1", text)  # a choice
    text = re.sub(r"\$\(|`|(?<=-c )'", " ; ", text)
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;()<>")
    lexer.commenters, lexer.whitespace_split = "", True
    words, commands = [], []
    try:
        tokens = list(lexer)
    except ValueError:  # the quotes of a substitution were cut apart
        tokens = text.split()
    skip = False
    for token in tokens:
        if skip:
            skip = False
        elif token.startswith("#"):
            break
        elif re.fullmatch(r"[|&;()]+", token):
            commands.append(words)
            words = []
        elif re.fullmatch(r"\d*[<>]+&?", token):
            skip = True
        elif token not in ("…", "..."):
            words.append(token)
    return [command for command in [*commands, words] if command]


# Options that also stand without a value.
OPTIONAL = {("ritualctl exec", "--egress"), ("ritualctl grant", "--socket")}


def misuse(command, words, is_name):
    """What is wrong with the words after a program's name; None if nothing is."""
    path = command["commandName"]
    words = list(words)
    while command.get("subcommands"):
        names = {sub["commandName"]: sub for sub in command["subcommands"]}
        if not words or words[0].startswith("-"):
            break
        if words[0] == words[0].upper():
            return None  # a placeholder, such as COMMAND
        if words[0] not in names:
            default = command.get("defaultSubcommand")
            if not default:
                return f"{path} has no command {words[0]}"
            command = names[default]
            break
        command = names[words.pop(0)]
        path += " " + command["commandName"]
    options = {}
    for a in command.get("arguments", []):
        for n in a.get("names") or []:
            options[("--" if n["kind"] == "long" else "-") + n["name"]] = a
    positionals = [a for a in command.get("arguments", []) if a["kind"] == "positional"]
    given = 0
    while words:
        word = words.pop(0)
        if word == "--":
            given += len(words)
            break
        if not re.match(r"--?[a-zA-Z]", word):
            given += 1
            continue
        name, equals, _ = word.partition("=")
        if name not in options and name not in ("--help", "-h", "--version"):
            return f"{path} has no option {name}"
        if (path, name) in OPTIONAL and (not words or words[0].startswith("-")):
            continue
        if name in options and options[name]["kind"] == "option" and not equals:
            if not words and not is_name:
                return f"{name} needs a value"
            words = words[1:]
    if given > len(positionals) and not any(a["isRepeating"] for a in positionals):
        return f"{path} takes {len(positionals)} arguments"
    required = [a for a in positionals if not a["isOptional"]]
    if given < len(required) and not is_name and not command.get("subcommands"):
        return f"{path} needs {required[given]['valueName']}"
    return None
