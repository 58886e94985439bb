"""Internal links: the file exists, the page has the anchor, the index names every page, and a page shows
every picture. Names of units: the package has the unit."""

import os
import re

from markdown import ROOT, Page


def check(pages):
    """Returns the number of checked links, and what is wrong."""
    known = {page.path: page.anchors() for page in pages}
    count, faults = 0, []
    for page in pages:
        for line, target in page.links():
            if target.split(":")[0] in ("https", "http", "mailto"):
                continue
            count += 1
            name, _, anchor = target.partition("#")
            path = page.path if not name else (page.path.parent / name).resolve()
            if not path.exists() or not path.is_relative_to(ROOT):
                faults.append(f"{page.name}:{line}: {target}: there is no such file")
            elif anchor and anchor not in (known.get(path) or Page(path).anchors()):
                faults.append(f"{page.name}:{line}: {target}: the page has no such heading")
    return count, faults + unlisted(pages) + unshown(pages) + unknown_units(pages)


def unlisted(pages):
    index = next(page for page in pages if page.name == "docs/README.md")
    listed = {os.path.normpath(target.partition("#")[0]) for _, target in index.links()}
    names = [page.path.name for page in pages if page.path.parent.name == "docs" and page is not index]
    return [f"docs/README.md does not list {name}" for name in names if name not in listed]


def unshown(pages):
    """Pictures that no page shows."""
    text = "".join(page.path.read_text() for page in pages)
    return [f"no page shows {path.name}" for path in (ROOT / "docs" / "images").iterdir() if path.name not in text]


def unknown_units(pages):
    """Names of units in the documents that this package does not have."""
    have = {path.name for path in (ROOT / "systemd").iterdir()}
    unit = re.compile(r"\britual-[a-z-]+\.(?:service|socket)\b")
    return [
        f"{page.name}: there is no unit {name}"
        for page in pages
        for name in sorted(set(unit.findall(page.path.read_text())) - have)
    ]
