"""Checks the documents: links, generated parts, quoted messages, command lines, the example of
a sign-in page, and the configuration of AI clients."""

import sys

import clients
import commands
import generated
import links
import quotes
from markdown import pages


def main():
    programs = generated.built_programs()
    helps = generated.helps(programs)
    faults = generated.check(helps, write=False) + generated.environment() + clients.check(programs)
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


sys.exit(main())
