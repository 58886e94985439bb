import SystemSupport

/// Drawings, inline: nothing is loaded. All are decoration; the words beside them say the same.
enum PageDrawing {
  /// The mark of this program: a day's round, nearly closed.
  static let mark: HTML = """
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path fill="none" stroke="currentColor" \
    stroke-width="2.5" stroke-linecap="round" d="M16.9 4.6a9 9 0 1 0 3.6 4.3"/><circle cx="12" cy="12" r="2.75" \
    fill="currentColor"/></svg>
    """

  static let check: HTML = """
    <svg class="sign good" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path pathLength="1" d="M15 24.5l6.5 6.5L34 18"/></svg>
    """

  static let letter: HTML = """
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><rect x="6" y="11" width="36" height="26" \
    rx="4"/><path d="M7 14l17 13 17-13"/></svg>
    """

  static let stop: HTML = """
    <svg class="sign bad" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path d="M24 14v13M24 33.5v.01"/></svg>
    """

  static let pause: HTML = """
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path d="M17 24h14"/></svg>
    """

  static let clock: HTML = """
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>\
    <path d="M24 12.5V24l7.5 5"/></svg>
    """

  static let progress: HTML = """
    <svg class="sign turning" viewBox="0 0 48 48" aria-hidden="true" focusable="false"><circle class="rail" cx="24" \
    cy="24" r="20"/><path d="M24 4a20 20 0 0 1 20 20"/></svg>
    """
}
