"""The example of a project's own sign-in page: its policy names the hashes of its style and script."""

import base64
import hashlib
import re

from markdown import ROOT

PAGE = ROOT / "examples/sign-in-page.html"


def check(write):
    """Returns what is wrong; with `write`, writes the hashes instead."""
    text = PAGE.read_text()
    current = text
    for directive, element in (("script-src", "script"), ("style-src", "style")):
        current = re.sub(rf"({directive} )'sha256-[^']*'", rf"\1'sha256-{digest(text, element)}'", current)
    if current == text:
        return []
    if write:
        PAGE.write_text(current)
        return []
    return ["examples/sign-in-page.html: outdated hashes in the policy: run script/generate"]


def digest(text, element):
    """The hash of the only element without attributes of this name, as a policy names it."""
    (content,) = re.findall(rf"<{element}>(.*?)</{element}>", text, re.DOTALL)
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
