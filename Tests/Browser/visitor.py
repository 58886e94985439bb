"""A user at a browser: the visible page, accessibility checks, and pictures."""

import pathlib
import re
import shutil
import subprocess

from axe_playwright_python.sync_playwright import Axe

from hosted import NAME

DONE = ("Signed in to ", "Sign-in method linked at ")  # the heading after a success
SMALLEST = 44  # CSS pixels: minimum width and height of a control
ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".build-browser" / "pictures"
LOOKS = {
    "light": {"color_scheme": "light", "viewport": {"width": 800, "height": 640}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 800, "height": 640}},
    "narrow": {"color_scheme": "light", "viewport": {"width": 320, "height": 640}},
}


class Visitor:
    """One window without history, in one look."""

    def __init__(self, browser, look="light", pictures=False, scripts=True, **more):
        self.look, self.pictures, self.scripts = look, pictures, scripts
        # The project's certificate is one of these checks.
        self.context = browser.new_context(
            **LOOKS[look], java_script_enabled=scripts, ignore_https_errors=True, **more)
        self.context.set_default_timeout(60_000)
        self.faults, self.hosts, self.paths = [], set(), []
        self.page = self.tab()

    def tab(self):
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("console", lambda message: self.heard(message))
        page.on("request", lambda request: self.asked(request.url))
        return page

    def asked(self, url):
        self.hosts.add(url.split("/")[2] if "//" in url else url)
        self.paths.append(url)

    def heard(self, message):
        # A refusal appears as a load error; some of the checks expect it.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.faults.append(f"console: {message.text}")

    def sees(self, heading):
        self.page.get_by_role("heading", name=heading, exact=True).wait_for()

    def cancel(self):
        self.press("Cancel")
        self.sees("Cancelled")

    def has_focus(self, field):
        """Waits until the field has the focus, with its ring."""
        focused = self.page.locator(f"#{field}:focus")
        focused.wait_for()
        assert focused.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"

    def is_signed_in(self, who):
        self.page.get_by_text(f"You are signed in as {who}.").wait_for()
        assert self.page.inner_text("h1").startswith(DONE)
        assert "You can close this tab and return to your terminal." in self.page.inner_text("main")

    def worked(self):
        """Checks that the progress page was shown: only that page requests `/sign-in/wait`.
        (Playwright cannot inspect a page that is about to continue; the states hold it back and
        inspect it.)"""
        assert any(path.endswith("/sign-in/wait") for path in self.paths), self.paths

    def inspect(self, name, has_picture=True, host=NAME):
        """Checks the current state, and takes its picture."""
        self.page.wait_for_load_state()  # the script has run
        self.check_fit()
        self.check_targets()
        self.check_header(host)
        self.check_ways_on()
        self.check_forced_colours()
        self.check_accessibility(name)
        if self.pictures and has_picture:
            FOLDER.mkdir(parents=True, exist_ok=True)
            self.page.wait_for_timeout(700)  # the animations have ended
            self.picture(f"sign-in-{name}-{self.look}")
        self.check_large_text(name)

    def check_accessibility(self, name):
        violations = Axe().run(self.page, options={"resultTypes": ["violations"]}).response["violations"]
        if violations:
            found = [f"{v['id']}: {v['help']} {[n['target'] for n in v['nodes']]}" for v in violations]
            raise AssertionError(f"{name}, {self.look}: " + "; ".join(found))

    def check_fit(self):
        width = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert width <= 0, f"the page is {width} px too wide at {self.look}"

    def check_targets(self):
        boxes = self.page.evaluate(
            "[...document.querySelectorAll('a, button, input')].filter(e => e.checkVisibility()).map(e => [e.outerHTML, e.getBoundingClientRect().width,"
            " e.getBoundingClientRect().height])")
        small = [box for box in boxes if min(box[1:]) < SMALLEST]
        assert not small, f"too small to press: {small}"

    def check_header(self, host):
        """Every page of a flow names the project's host in its first heading, in bold, before anything else."""
        header = self.page.locator("main > header:first-child h1 strong")
        if not header.count():
            assert self.page.locator("script").count() == 0, "only a page that may tell nothing has no host"
            return
        assert header.inner_text() == host
        assert header.evaluate("e => getComputedStyle(e).fontWeight >= 600")

    def check_ways_on(self):
        """A running flow can be cancelled, and a second factor left for later. No page is a dead end."""
        if self.page.locator("#time").count():
            assert self.page.get_by_role("button", name=re.compile("^(Cancel|Undo the sign-in|Later)$")).count() == 1
        elif not self.page.inner_text("h1").startswith(DONE):
            assert "ritualctl " in self.page.locator(".command").first.inner_text()
        else:
            assert "You can close this tab" in self.page.inner_text("main")

    def check_forced_colours(self):
        """In a forced palette, every button has a border."""
        self.page.emulate_media(forced_colors="active")
        without = self.page.evaluate(
            "[...document.querySelectorAll('.button, .show, input')].filter(e => { const s = getComputedStyle(e);"
            " return s.borderTopStyle !== 'solid' || s.borderTopColor === s.backgroundColor }).map(e => e.outerHTML)")
        self.page.emulate_media(forced_colors="none")
        assert not without, f"no border in forced colours: {without}"

    def check_alignment(self):
        """The buttons are in one column, with the logos at the same place and the labels in the middle."""
        columns = self.page.evaluate(
            "[...document.querySelectorAll('.method')].map(e => Math.round(e.getBoundingClientRect().left))")
        assert len(set(columns)) == 1, columns
        for part, least in (("svg", 2), ("span", 3)):
            boxes = self.page.evaluate(
                f"[...document.querySelectorAll('.method {part}')].map(e => {{ const b = e.getBoundingClientRect();"
                " const m = e.closest('.method').getBoundingClientRect();"
                " return [b.left - m.left, b.top + b.height / 2 - m.top - m.height / 2, m.right - b.right] })")
            assert len(boxes) >= least and all(abs(b[1]) < 1 for b in boxes), f"{part} is not centred: {boxes}"
            # Logos have the same left edge, and labels the same middle.
            offsets = [b[0] if part == "svg" else b[0] - b[2] for b in boxes]
            assert max(offsets) - min(offsets) < 1, f"{part}: {boxes}"

    def check_large_text(self, name):
        """200 % text: no text is cut off or needs horizontal scrolling."""
        self.page.evaluate("document.documentElement.style.fontSize = '200%'")
        self.check_fit()
        cut = self.page.evaluate(
            "[...document.querySelectorAll('main *')].filter(e => !e.closest('svg') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0"
            " && getComputedStyle(e).display !== 'inline' && e.tagName !== 'INPUT').map(e => e.outerHTML)")
        assert not cut, f"cut off at 200 % text: {cut}"
        if self.pictures and self.look == "narrow" and name == "choice":
            self.picture("sign-in-choice-narrow-200")
        self.page.evaluate("document.documentElement.style.fontSize = ''")

    def picture(self, name):
        self.page.screenshot(path=FOLDER / f"{name}.png", full_page=True)
        compress(FOLDER / f"{name}.png")

    def fill(self, email, password):
        self.page.get_by_label("Email").fill(email)
        self.page.get_by_label("Password", exact=True).fill(password)

    def fill_in(self, label, text):
        self.page.get_by_label(label, exact=True).fill(text)

    def is_refused(self, text):
        """Waits for the error. The focus is on a field that it describes, or else on the error."""
        alert = self.page.get_by_role("alert").filter(has_text=text)
        alert.wait_for()
        self.page.wait_for_load_state()  # the script has set the focus
        assert alert.evaluate(
            "e => (document.querySelector('main input:not([type=hidden])')"
            " ? document.activeElement.getAttribute('aria-describedby')?.split(' ').includes(e.id)"
            " : e === document.activeElement)"), "the focus is not where the error is"

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def follow(self, name):
        self.page.get_by_role("link", name=name, exact=True).click()

    def close(self):
        self.context.close()
        assert not self.faults, self.faults


def publish():
    """Replaces the pictures that the documents show."""
    for shown in (ROOT / "docs" / "images").glob("*.png"):
        shutil.copyfile(FOLDER / shown.name, shown)


def compress(path):
    """Reduces the colours of a picture to 256, which keeps text and flat colours as they are."""
    subprocess.run([shutil.which("pngquant"), "--force", "--nofs", "--strip", "--output", path, "256", path], check=True)
