"""Checks the documents: links, generated parts, quoted messages, command lines, and the example of
a sign-in page.

  script/docs-check [--write]
"""

import pathlib
import subprocess
import sys

import commands
import generated
import links
import page
import quotes
from markdown import ROOT, pages


def main(arguments):
    if arguments not in ([], ["--write"]):
        sys.exit(__doc__)
    folder = subprocess.run(["swift", "build", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True)
    programs = pathlib.Path(folder.stdout.strip())
    helps = generated.helps(programs)
    faults = generated.check(helps, "--write" in arguments)
    faults += page.check("--write" in arguments)
    everything = pages()
    count, more = links.check(everything)
    print(f"links: {count} checked")
    result = commands.check(everything, programs, helps)
    print(result.summary())
    quoted, wrong = quotes.check(everything, result.unchecked_output)
    print(f"quoted messages: {quoted} checked")
    faults += more + result.faults + wrong
    for fault in faults:
        print(f"docs-check: {fault}", file=sys.stderr)
    return 1 if faults else 0


sys.exit(main(sys.argv[1:]))
