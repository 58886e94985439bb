import Glibc
import WebAddresses

/// The desktop's browser, by xdg-open(1).
enum Browser {
  /// Why no browser is opened for `url`; nil if one is.
  static func reasonNotToOpen(_ url: String) -> String? {
    guard (try? WebAddress(url)) != nil else { return "the address is neither https nor this machine's own" }
    if isSet("SSH_CONNECTION") { return "this is an ssh session" }
    return hasDisplay ? nil : "there is no display"
  }

  /// Whether the person's browser runs on another machine than this, or outside of this container.
  static var isElsewhere: Bool { isSet("SSH_CONNECTION") || !hasDisplay }

  private static var hasDisplay: Bool { isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") }

  /// Opens `url`; false if there is no xdg-open. The browser outlives this program, and Ctrl-C here does not reach it.
  static func open(_ url: String) -> Bool { DesktopTool.start("xdg-open", [url]) != nil }

  private static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
}
