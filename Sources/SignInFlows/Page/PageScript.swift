/// The only script. The pages work without it. The script shows at once that a form was sent and
/// prevents a second click from sending it again, shows the password, and counts the minutes of the
/// flow and the seconds before another code.
enum PageScript {
  static let source = """
    "use strict";
    (() => {
      const byId = (id) => document.getElementById(id);
      const password = byId("password");
      let sent = null;
      const words = (control) => control.querySelector("span") ?? control;
      const controls = () => document.querySelectorAll("button:not(.quiet, .paused), a.button");
      const lock = (chosen) => {
        sent = { chosen, words: words(chosen).textContent };
        for (const control of controls()) {
          control.setAttribute("aria-disabled", "true");
          if (control instanceof HTMLButtonElement) control.disabled = true;
        }
        if (chosen.dataset.busy) {
          chosen.classList.add("busy");
          words(chosen).textContent = chosen.dataset.busy;
        }
        setTimeout(unlock, \(stalledAfter) * 1000);
      };
      const unlock = () => {
        sent.chosen.classList.remove("busy");
        words(sent.chosen).textContent = sent.words;
        sent = null;
        for (const control of controls()) {
          control.removeAttribute("aria-disabled");
          control.disabled = false;
        }
        const stalled = byId("stalled");
        if (!stalled) return;
        stalled.hidden = false;
        stalled.focus();
      };
      document.addEventListener("submit", (event) => {
        // The form can be cancelled while it is sent.
        if (event.submitter?.classList.contains("quiet")) return;
        if (sent) { event.preventDefault(); return; }
        // A browser must not store a shown password as the value of a text field.
        if (password) password.type = "password";
        if (event.submitter) lock(event.submitter);
      });
      document.addEventListener("click", (event) => {
        const button = event.target.closest?.("a.button");
        if (!button || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
        if (sent) { event.preventDefault(); return; }
        if (button.dataset.busy) lock(button);
      });
      addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

      const show = byId("show");
      if (show) {
        show.hidden = false;
        show.addEventListener("click", () => {
          const isShown = password.type === "password";
          password.type = isShown ? "text" : "password";
          show.setAttribute("aria-pressed", String(isShown));
        });
      }

      const time = byId("time");
      if (time) {
        // Not performance.now(), which stops while the computer sleeps.
        const end = Date.now() + time.dataset.seconds * 1000;
        const tick = () => {
          const minutes = Math.ceil((end - Date.now()) / 60000);
          // Only the last minute is announced. The region must be live before its text changes.
          if (minutes <= 2) time.setAttribute("aria-live", "polite");
          const left = `${minutes > 1 ? `${minutes} minutes` : "Less than a minute"} left ${time.dataset.aim}`;
          if (time.textContent !== left) time.textContent = left;
          if (minutes > 1) setTimeout(tick, end - Date.now() - (minutes - 1) * 60000);
        };
        tick();
      }

      const pause = byId("pause");
      if (pause) {
        const end = Date.now() + pause.dataset.seconds * 1000;
        const again = byId("again");
        const count = () => {
          const seconds = Math.ceil((end - Date.now()) / 1000);
          if (seconds > 0) {
            pause.textContent = `You can request another code in ${seconds === 1 ? "1 second" : seconds + " seconds"}.`;
            setTimeout(count, end - Date.now() - (seconds - 1) * 1000);
            return;
          }
          // Only the end is announced, and the region must be live before its text changes.
          pause.setAttribute("aria-live", "polite");
          pause.textContent = "You can request another code now.";
          again.classList.remove("paused");
          again.removeAttribute("aria-describedby");
          again.disabled = sent !== null;
        };
        count();
      }
      document.querySelector("[autofocus]")?.focus();
    })();

    """

  /// The seconds after which a sent form or a chosen provider counts as unanswered. The agent itself
  /// answers within 2 s; a provider's page may take longer on a slow network.
  private static let stalledAfter = 15
}
