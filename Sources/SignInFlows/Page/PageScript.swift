/// The one script. The page works without it: it shows at once that something was sent, and keeps a second click from
/// sending it again.
enum PageScript {
  static let source = """
    "use strict";
    (() => {
      let sent = false;
      const words = (control) => control.querySelector("span") ?? control;
      const lock = (chosen) => {
        sent = true;
        for (const control of document.querySelectorAll("button, a.way")) {
          control.setAttribute("aria-disabled", "true");
          if (control instanceof HTMLButtonElement) control.disabled = true;
        }
        if (!chosen?.dataset.busy) return;
        chosen.classList.add("busy");
        words(chosen).textContent = chosen.dataset.busy;
      };
      document.addEventListener("submit", (event) => {
        if (sent) { event.preventDefault(); return; }
        lock(event.submitter ?? event.target.querySelector("button"));
      });
      document.addEventListener("click", (event) => {
        const way = event.target.closest?.("a.way");
        if (!way || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
        if (sent) { event.preventDefault(); return; }
        if (way.dataset.busy) lock(way);
      });
      addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
      document.querySelector("[autofocus]")?.focus();
    })();

    """
}
