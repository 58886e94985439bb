import AgentProtocol
import SupabaseAuth
import SystemSupport

/// The paths of the sign-in page, except for its launch path. All but the script are for a person's
/// own navigation.
enum PagePath: String, Sendable, CaseIterable {
  /// Shows the state of the sign-in: the choice, progress or the result.
  case home = "/sign-in"
  case apple = "/sign-in/apple"
  case google = "/sign-in/google"
  /// Shows and receives the sign-in form for email and password.
  case email = "/sign-in/email"
  /// Shows and receives the sign-up form.
  case newUser = "/sign-in/email/new"
  /// Responds when the running operation has ended. The progress page stays visible until then,
  /// without any script.
  case wait = "/sign-in/wait"
  /// Cancels the sign-in.
  case cancel = "/sign-in/cancel"
  /// Receive the answer to the question whether a link stays.
  case keep = "/sign-in/keep"
  case undo = "/sign-in/undo"
  case script = "/sign-in/page.js"

  /// The `Path` of the cookie.
  static let cookiePath = "/sign-in"

  /// Returns the path of the sign-in or sign-up form.
  static func form(signUp: Bool) -> PagePath { signUp ? .newUser : .email }
}

/// The state of one flow's visitor to the sign-in page.
struct PageVisit: Sendable {
  /// The value of the cookie. A browser receives it through the launch URL, or with the flow's own
  /// callback.
  let secret = RandomText.base64url(bytes: SignInLimits.secretBytes)

  /// True after the launch URL was loaded. The URL is an argument of the program that opened the
  /// browser, where every user of the machine can read it, so it is valid once (SI-9).
  var isLaunched = false

  /// The project's settings, once received.
  var settings: ProjectSettings?

  /// The last attempt with the form, to fill in the form again. Never holds the password.
  var form = Form()

  struct Form: Sendable {
    var email = ""
    var isSignUp = false
    var refusal: AgentError?
    /// True if the error has not been shown yet. Then the form is shown before the choice.
    var isUnseen = false
  }
}

/// The cookie for which the launch URL is exchanged.
enum PageCookie {
  /// Returns the name of the cookie. Browsers ignore the port for cookies of 127.0.0.1, so the name
  /// distinguishes flows. Servers on other ports receive the cookie, too, with requests for
  /// `/sign-in`. A server of another user cannot use it, because the listener checks its peer's
  /// uid.
  static func name(port: Int) -> String { "ritual-sign-in-\(port)" }

  /// Returns the value of `Set-Cookie`. `Lax` and not `Strict`, because another site starts the
  /// navigation back from the provider. Requests that change something also check `Origin` and
  /// `Sec-Fetch-Site`.
  static func header(_ secret: String, port: Int) -> String {
    let life = SignInLimits.flowLifetime + SignInLimits.listenerGrace
    return "\(name(port: port))=\(secret); Path=\(PagePath.cookiePath); Max-Age=\(life.components.seconds); "
      + "HttpOnly; SameSite=Lax"
  }

  /// Returns whether `cookies`, the values of the `Cookie` header (RFC 6265, section 5.4), contain
  /// the secret. Another server on 127.0.0.1 may have set a cookie with the same name, so one match
  /// is enough.
  static func isHeld(_ secret: String, port: Int, in cookies: [String]) -> Bool {
    let start = Array((name(port: port) + "=").utf8)
    let pairs = cookies.flatMap { Array($0.utf8).split(separator: UInt8(ascii: ";")) }
    return pairs.contains { pair in
      let pair = pair.drop { $0 == UInt8(ascii: " ") }
      return pair.starts(with: start)
        && ConstantTime.equal(String(decoding: pair.dropFirst(start.count), as: UTF8.self), secret)
    }
  }
}

/// The parameters of a query in form encoding (application/x-www-form-urlencoded), in order.
struct QueryItems: Sendable, Hashable {
  private(set) var items: [Item] = []

  struct Item: Sendable, Hashable {
    let name: String
    let value: String
  }

  init() {}

  /// Returns nil for invalid percent-encoding or bytes that are not UTF-8.
  init?(_ bytes: some Sequence<UInt8>) {
    for pair in Array(bytes).split(separator: UInt8(ascii: "&")) {
      let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decode(halves[0]), let value = Self.decode(halves.count > 1 ? halves[1] : []) else {
        return nil
      }
      items.append(Item(name: name, value: value))
    }
  }

  var names: [String] { items.map(\.name) }

  var hasDuplicates: Bool { Set(names).count != items.count }

  /// Returns the value of a name that occurs once; nil if the name is missing or repeated.
  func only(_ name: String) -> String? {
    let found = items.filter { $0.name == name }
    return found.count == 1 ? found[0].value : nil
  }

  private static func decode(_ text: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let byte = PercentEncoding.escape(text[(rest.startIndex - 1)...]) else { return nil }
        bytes.append(byte)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The body of a form, application/x-www-form-urlencoded (WHATWG URL, section 5). Parsed strictly:
/// only what a browser writes for the expected fields is accepted. Holds a password, so it never
/// prints its content.
struct FormBody: Sendable, Redacted {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the values of `names`, in order; nil if a name is missing or repeated, if there is any
  /// other name, or for an encoding that no browser writes.
  func values(of names: [String]) -> [String]? {
    let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    guard !bytes.isEmpty else { return names.isEmpty ? [] : nil }
    guard pairs.count == names.count, pairs.allSatisfy(Self.isPair), let items = QueryItems(bytes) else { return nil }
    let values = names.compactMap(items.only)
    guard values.count == names.count, values.allSatisfy(Self.isPlain) else { return nil }
    return values
  }

  /// True for `name=value` in bytes that the serializer can produce.
  private static func isPair(_ pair: ArraySlice<UInt8>) -> Bool {
    pair.count { $0 == UInt8(ascii: "=") } == 1 && pair.first != UInt8(ascii: "=") && pair.allSatisfy(isWritten)
  }

  private static func isWritten(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "*-._+%=".utf8.contains(byte)
    }
  }

  /// True for a single line: all fields are single-line, and browsers strip line breaks from such
  /// fields.
  private static func isPlain(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
