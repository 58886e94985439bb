"""ritual-notify in a desktop session of the user manager: graphical-session.target, the session
bus, a notification service."""

import re

from household import PASSWORD, UNITS
from machine import PROGRAMS, RUNTIME, until

NOTIFY, DESKTOP, SESSION = "ritual-notify.service", "check-desktop.service", "graphical-session.target"
ACCOUNT, PERSON = "desk", "berta@example.org"
OPENED = RUNTIME / "opened"

# As in a desktop: a unit of the session starts the target and is bound to it (systemd.special(7)).
DESKTOP_UNIT = """[Unit]
BindsTo=graphical-session.target
Before=graphical-session.target
[Service]
Type=dbus
BusName=org.freedesktop.Notifications
ExecStart=/usr/bin/python3 -m dbusmock --session --template notification_daemon --parameters '{"capabilities": "actions body"}'
"""


def notify_with_the_desktop(home):
    """Without a desktop ritual-notify does not run; with one it shows a notification for an ended
    session, whose button starts a sign-in in a separate unit."""
    (UNITS / NOTIFY).write_text(home.notify_text())
    (UNITS / DESKTOP).write_text(DESKTOP_UNIT)
    home.machine.systemctl("daemon-reload")
    home.machine.systemctl("enable", NOTIFY)
    _nothing_without(home)
    _browser(home)
    home.machine.systemctl("start", DESKTOP)
    until("ritual-notify has come with the desktop", lambda: home.show("ActiveState", NOTIFY) == "active")
    assert home.machine.show(SESSION, "ActiveState") == "active"
    assert home.show("Slice", NOTIFY) == "session.slice"
    number = _told(home)
    unit = _pressed(home, number)
    _sign_in_ends(home, unit)
    home.machine.systemctl("stop", DESKTOP)
    until("ritual-notify has gone with the desktop", lambda: home.show("ActiveState", NOTIFY) == "inactive")
    assert home.show("Result", NOTIFY) == "success"
    home.machine.systemctl("disable", NOTIFY)


def _nothing_without(home):
    """Simulates a login without a desktop, as over ssh."""
    home.machine.stop()
    home.machine.start()
    until("the agent is up", home.is_running)
    assert home.show("ActiveState", NOTIFY) == "inactive"
    assert not _journal(home, NOTIFY), "it was started"


def _browser(home):
    """Tells the manager the display, as a desktop does; the browser is a script that records its
    URL."""
    script = PROGRAMS / "xdg-open"
    script.write_text(f"#!/bin/sh\nprintf '%s' \"$1\" > {OPENED}\n")
    script.chmod(0o755)
    home.machine.systemctl("set-environment", "DISPLAY=:99", f"PATH={PROGRAMS}:/usr/bin:/bin")


def _told(home):
    """Expects one notification for the account; returns its number."""
    home.sandbox.control("POST", "users", {"email": PERSON, "password": PASSWORD})
    signed_in = home.sign_in(ACCOUNT, PERSON)
    assert signed_in.returncode == 0, signed_in.stderr
    home.sandbox.control("POST", "revoke", {"email": PERSON})
    until("the agent knows", lambda: home.ctl("refresh", "--account", ACCOUNT, check=False).returncode == 4)
    until("the notification", lambda: _notifications(home))
    shown = _notifications(home)
    assert len(shown) == 1 and f"account {ACCOUNT}" in shown[0] and "Sign in" in shown[0], shown
    return 1 + next(index for index, line in enumerate(_calls(home, "Notify")) if line == shown[0])


def _pressed(home, number):
    """Makes the service report a press of the button; returns the unit of the sign-in."""
    assert not _sign_ins(home)
    home.machine.run(
        "gdbus", "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path", "/org/freedesktop/Notifications",
        "--method", "org.freedesktop.DBus.Mock.EmitSignal", "org.freedesktop.Notifications", "ActionInvoked", "us",
        f"[<uint32 {number}>, <'sign-in'>]")
    until("the unit", lambda: _sign_ins(home))
    units = _sign_ins(home)
    assert len(units) == 1, units
    command = home.machine.show(units[0], "ExecStart")
    assert f"{PROGRAMS}/ritualctl sign-in --account={ACCOUNT} " in command, command
    # The unit has its own control group, not that of its caller.
    assert units[0] in home.show("ControlGroup", units[0])
    address = until("the browser", lambda: OPENED.exists() and OPENED.read_text())
    assert re.match(r"http://127\.0\.0\.1:\d+/", address), address
    return units[0]


def _sign_in_ends(home, unit):
    """The sign-in outlives ritual-notify, and its unit is collected after its end."""
    home.machine.systemctl("restart", NOTIFY)
    assert home.show("ActiveState", unit) == "active"
    assert _journal(home, unit), "nothing of it in the journal"
    home.machine.systemctl("stop", unit)
    until("it is collected", lambda: not _sign_ins(home))
    again = home.sign_in(ACCOUNT, PERSON)
    assert again.returncode == 0, again.stderr
    assert len(_notifications(home)) == 1, "a restart repeats it"


def _sign_ins(home):
    listed = home.machine.systemctl("list-units", "--plain", "--no-legend", "--type=service", "--state=active,activating")
    return [line.split()[0] for line in listed.splitlines() if "Ritual Agent sign-in" in line]


def _notifications(home):
    return [line for line in _calls(home, "Notify") if "Sign-in needed" in line]


def _calls(home, method):
    """Returns the calls of `method`, from the journal of the notification service."""
    return [entry["MESSAGE"] for entry in _journal(home, DESKTOP) if f" {method} " in str(entry["MESSAGE"])]


def _journal(home, unit):
    return home.machine.journal("_SYSTEMD_USER_UNIT=" + unit)


ALL = [notify_with_the_desktop]
