"""The egress check; see script/egress-check."""

import argparse
import os
import pathlib
import resource
import subprocess
import sys

import answer_rows
import clients
import grant_rows
import load
import request_rows
import sandbox_rows
import tls_rows
from stage import Stage, Table, require

parser = argparse.ArgumentParser()
parser.add_argument("programs")
parser.add_argument("--quick", action="store_true")
parser.add_argument("--part", choices=("rows", "load"))
parser.add_argument("names", nargs="*")
options = parser.parse_intermixed_args()

# 1,000 streams are 2,000 descriptors in the agent, which inherits the limit.
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard == resource.RLIM_INFINITY else min(hard, 8192), hard))

def networks(process):
    output, _ = process.communicate(timeout=600)
    print(output, end="")
    require(process.returncode == 0, "see above")


table = Table(options.names)
# Waits for more than a minute, beside the other rows.
network = None
if options.part != "load" and os.geteuid() == 0 and (not options.names or "networks" in options.names):
    rows = str(pathlib.Path(__file__).with_name("network_rows.py"))
    network = subprocess.Popen(
        ["unshare", "--net", "--mount", sys.executable, "-B", rows, options.programs], stdout=subprocess.PIPE, text=True)
with Stage(options.programs) as stage:
    stage.sign_in("bob@example.org", "--account", "second")
    try:
        if options.part != "load":
            request_rows.Rows(stage, table).run()
            answer_rows.Rows(stage, table).run()
            clients.Clients(stage, table).run()
            grant_rows.Rows(stage, table).run()
            sandbox_rows.Rows(stage, table).run()
            tls_rows.Rows(stage, table).run()
            table.heading("Networks")
            if network is not None:
                table.run("networks", lambda: networks(network))
            elif os.geteuid() != 0:
                print("skip   networks: needs root for namespaces")
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
