"""Checks of the units with a real `systemd --user`. Run by script/systemd-check, in separate
namespaces."""

import pathlib
import resource
import sys
import time

import checks
import confinement
import desktop
import starting
from household import SERVICE, SOCKETS, Household


def main(built, sources, only):
    # The manager inherits this limit; the units lower it.
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    names = {check.__name__: check for check in checks.ALL + starting.ALL + desktop.ALL + confinement.ALL}
    home = Household(built, sources)
    try:
        home.machine.start()
        checks.prepare(home)
        for check in [names[name] for name in only] or names.values():
            # The start limit (StartLimitBurst=) would count the starts of the previous check.
            home.machine.systemctl("reset-failed", SERVICE, *SOCKETS, check=False)
            begin = time.monotonic()
            check(home)
            print(f"ok: {check.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
    except BaseException:
        print(home.machine.systemctl("status", "--no-pager", "ritual-agent.service", check=False), file=sys.stderr)
        for entry in home.machine.journal()[-40:]:
            print(entry.get("_COMM", "?"), entry.get("MESSAGE"), file=sys.stderr)
        raise
    finally:
        home.close()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:])
