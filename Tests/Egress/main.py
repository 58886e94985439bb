"""The egress check; see script/egress-check."""

import argparse
import resource
import sys

import answer_rows
import clients
import grant_rows
import load
import request_rows
import tls_rows
from stage import Stage, Table

parser = argparse.ArgumentParser()
parser.add_argument("programs")
parser.add_argument("--quick", action="store_true")
parser.add_argument("--part", choices=("rows", "load"))
parser.add_argument("names", nargs="*")
options = parser.parse_intermixed_args()

# 1,000 streams are 2,000 descriptors in the agent, which inherits the limit.
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard == resource.RLIM_INFINITY else min(hard, 8192), hard))

table = Table(options.names)
with Stage(options.programs) as stage:
    stage.sign_in("bob@example.org", "--account", "second")
    try:
        if options.part != "load":
            request_rows.Rows(stage, table).run()
            answer_rows.Rows(stage, table).run()
            clients.Clients(stage, table).run()
            grant_rows.Rows(stage, table).run()
            tls_rows.Rows(stage, table).run()
        if options.part != "rows":
            load.Load(stage, table, 1 if options.quick else 10).run()
        else:
            table.run("no token in the agent's log", stage.no_secrets)
    finally:
        if table.failed:
            print("\nThe end of the agent's log:\n" + (stage.folder / "agent.log").read_text()[-3000:])
passed = table.count - len(table.failed) - len(table.skipped)
print(f"\n{passed} ok, {len(table.failed)} failed, {len(table.skipped)} skipped")
for name in table.skipped:
    print(f"SKIPPED {name}")
for name in table.failed:
    print(f"FAILED {name}")
sys.exit(1 if table.failed or table.count == 0 else 0)
