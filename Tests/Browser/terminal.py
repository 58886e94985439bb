"""A user at a terminal: a real shell in a real pseudo-terminal, and pictures of its screen."""

import fcntl
import html
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import pyte

from programs import PATIENCE, stop
from visitor import FOLDER, compress

COLUMNS, LINES = 100, 20
# The eight terminal colours on a dark background, chosen for the pictures; "default" is the colour
# of text.
COLOURS = {"default": "#e8e6e3", "black": "#5c6370", "red": "#f28b82", "green": "#8fd19e", "brown": "#f2cc8f", "blue": "#8ab4f8",
           "magenta": "#d7aefb", "cyan": "#7fd5e0", "white": "#ffffff"}
PAPER = """<style>html{background:#1b1a18}pre{margin:0;padding:20px 24px;width:max-content;color:#e8e6e3;
font:15px/1.45 'DejaVu Sans Mono',monospace}</style><pre>"""


class Terminal:
    """A shell with the programs in PATH, and the contents of its screen."""

    def __init__(self, agent, lines=LINES):
        self.screen = pyte.Screen(COLUMNS, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, COLUMNS, 0, 0))
        environment = agent.environment | {
            "PATH": f"{agent.programs}:/usr/bin:/bin", "PS1": "$ ", "TERM": "xterm-256color", "LANG": "C.UTF-8", "DISPLAY": ":9",
            "BROWSER": "/bin/true"}  # for xdg-open: the visitor opens the printed URL instead
        for name in ("NO_COLOR", "SSH_CONNECTION", "WAYLAND_DISPLAY", "PROMPT_COMMAND"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            ["/bin/bash", "--norc", "--noprofile", "--noediting"], stdin=slave, stdout=slave, stderr=slave, env=environment,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.sees(r"\$ $")

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip("\n")

    def sees(self, pattern):
        """Reads until the screen shows `pattern`; returns the match."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text() + " ", re.MULTILINE)):
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"waited {PATIENCE} s in vain for {pattern!r}:\n{self.text()}"
            self.stream.feed(os.read(self.master, 65536))
        return found

    def types(self, keys):
        os.write(self.master, keys.encode())

    def address(self):
        """Returns the URL on the screen; a long one continues on the next line."""
        lines = self.screen.display
        y, x = next((y, line.index("http")) for y, line in enumerate(lines) if "http" in line)
        address = lines[y][x:]
        while len(address.rstrip()) == len(address):
            y += 1
            address += lines[y]
        return address.split(" ")[0]

    def runs(self, line):
        """Runs a command and waits for the prompt."""
        self.types(line + "\r")
        self.sees(re.escape(line[-20:]) + r"[\s\S]*\n\$ $")

    def clear(self):
        self.types("clear\r")
        self.sees(r"\A\$ $")

    def close(self):
        stop(self.process)
        os.close(self.master)

    def picture(self, browser, name):
        page = browser.new_page(device_scale_factor=2)
        page.set_content(PAPER + "\n".join(self._line(y) for y in range(self._height())) + "</pre>")
        FOLDER.mkdir(parents=True, exist_ok=True)
        page.locator("pre").screenshot(path=FOLDER / f"terminal-{name}.png")
        compress(FOLDER / f"terminal-{name}.png")
        page.close()

    def _height(self):
        return max((y for y, line in enumerate(self.screen.display) if line.strip()), default=0) + 1

    def _line(self, y):
        row = [self.screen.buffer[y][x] for x in range(COLUMNS)]
        return "".join(self._cell(cell) for cell in row).rstrip()

    @staticmethod
    def _cell(cell):
        colour = COLOURS.get(cell.fg, cell.fg if cell.fg.startswith("#") else f"#{cell.fg}")
        weight = ";font-weight:bold" if cell.bold else ""
        if cell.reverse:
            return f'<span style="background:{colour};color:#1b1a18{weight}">{html.escape(cell.data)}</span>'
        if cell.fg == "default" and not cell.bold:
            return html.escape(cell.data)
        return f'<span style="color:{colour}{weight}">{html.escape(cell.data)}</span>'
