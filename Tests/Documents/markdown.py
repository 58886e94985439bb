"""The parts of a Markdown page that the checks read: headings, links, code blocks, code spans."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

FENCE = re.compile(r"( *)```(\S*)")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)


@dataclasses.dataclass
class Block:
    """A fenced code block."""

    line: int
    language: str
    lines: list


class Page:
    """One page: its text outside of code blocks, and its code blocks."""

    def __init__(self, path):
        self.path, self.name = path, str(path.relative_to(ROOT))
        self.blocks, prose, block, indent = [], [], None, 0
        for number, line in enumerate(path.read_text().split("\n"), 1):
            fence = FENCE.match(line)
            if fence and block is None:
                indent, block = len(fence[1]), Block(number, fence[2], [])
            elif fence:
                self.blocks.append(block)
                block = None
            elif block is not None:
                block.lines.append(line[indent:])
            prose.append("" if fence or block is not None else line)
        self.prose = "\n".join(prose)
        self.headings = re.findall(r"^#{1,6} +(.+?) *$", self.prose, re.MULTILINE)

    def anchors(self):
        """The anchors that GitHub gives the headings, repeated ones numbered."""
        seen, anchors = {}, set()
        for heading in self.headings:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
            anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            count = seen[anchor] = seen.get(anchor, -1) + 1
            anchors.add(f"{anchor}-{count}" if count else anchor)
        return anchors

    def links(self):
        """The targets of the links and images outside of code spans, with their lines."""
        text = SPAN.sub(lambda span: re.sub(r"[^\n]", "x", span[0]), self.prose)
        for link in LINK.finditer(text):
            yield text.count("\n", 0, link.start()) + 1, link[1] or link[2]

    def spans(self):
        """The inline code spans, each on one line, with their lines."""
        for span in SPAN.finditer(self.prose):
            text = re.sub(r"\s*\n\s*", " ", span[2]).replace("\\|", "|").strip()
            yield self.prose.count("\n", 0, span.start()) + 1, text


def pages():
    """Every page that readers get: the documents and the pages in the root directory."""
    return [Page(path) for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])]
