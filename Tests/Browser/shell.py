"""The terminal session shown in the README, with the real programs: the choice, a sign-in, the
status, tokens."""

from flows import consent
from terminal import Terminal

ANSWER = r"[\s\S]*\n\$ $"


def terminal_sign_in(stage):
    agent = stage.another_agent("terminal")
    terminal = Terminal(agent)
    stage.cleanup.callback(terminal.close)
    # Without a browser the terminal offers the choice.
    terminal.types("ritualctl sign-in --no-browser\r")
    terminal.sees("Continue with")
    terminal.sees("Enter a number")
    picture(stage, terminal, "choice")
    terminal.types("\x03")
    terminal.sees(r"or a name: (\^C)?\n*\$ $")
    terminal.clear()
    terminal.types("ritualctl sign-in\r")
    terminal.sees(r"http://127\.0\.0\.1:\d+/sign-in/[^ ]{43}")
    person = stage.visitor()
    person.page.goto(terminal.address())
    person.follow("Continue with Google")
    consent(person, "anna@example.org")
    terminal.sees("[Ss]igned in" + ANSWER)
    person.close()
    picture(stage, terminal, "signed-in")
    terminal.clear()
    terminal.runs("ritualctl status")
    terminal.runs("ritualctl why")
    terminal.runs("ritualctl api /api/v1/profile | jq .display_name")
    terminal.runs("ritualctl identities")
    assert "anna@example.org" in terminal.text(), terminal.text()
    picture(stage, terminal, "use")
    terminal.clear()
    terminal.runs("ritualctl sign-out")
    terminal.runs("ritualctl token")
    terminal.sees("ritualctl sign-in")
    picture(stage, terminal, "signed-out")


def picture(stage, terminal, name):
    if stage.pictures:
        terminal.picture(stage.browser, name)


ALL = (terminal_sign_in,)
