import AgentProtocol
import SupabaseAuth
import SystemSupport

/// The addresses of the sign-in page beside its launch address. All but the script are for a person's own navigation.
enum PageAddress: String, Sendable, CaseIterable {
  /// How the sign-in stands: the choice, progress, the end.
  case home = "/sign-in"
  case apple = "/sign-in/apple"
  case google = "/sign-in/google"
  /// The form for e-mail and password; takes it, too.
  case email = "/sign-in/email"
  /// The same for somebody new.
  case newUser = "/sign-in/email/new"
  /// Answers when what runs has ended: the progress page stays in view until then, without any script.
  case wait = "/sign-in/wait"
  /// Takes a person's wish to cancel.
  case cancel = "/sign-in/cancel"
  /// Take the answers to the question whether a link stays.
  case keep = "/sign-in/keep"
  case undo = "/sign-in/undo"
  case script = "/sign-in/page.js"

  /// Under which the cookie is sent.
  static let folder = "/sign-in"

  /// The one that says how an attempt by the form ended.
  static func form(signUp: Bool) -> PageAddress { signUp ? .newUser : .email }
}

/// What the sign-in page of one flow knows of its visitor.
struct PageVisit: Sendable {
  /// The value of the cookie: who has it came by the launch address, or with the flow's own callback.
  let secret = RandomText.base64url(bytes: SignInBounds.secretBytes)

  /// Whether the launch address was loaded. It stands in the arguments of the program that opened the browser, where every
  /// user of the machine can read it, so it is good once (SI-9).
  var isLaunched = false

  /// What the project has on, once it has said so.
  var settings: ProjectSettings?

  /// The last try with the form, for showing it again. Never holds the password.
  var form = Form()

  struct Form: Sendable {
    var email = ""
    var isSignUp = false
    var refusal: AgentError?
    /// Whether the refusal has not been shown yet: then the form comes first.
    var isNews = false
  }
}

/// The cookie that the launch address is exchanged for.
enum PageCookie {
  /// Browsers keep the cookies of 127.0.0.1 without looking at the port: the name tells flows apart. Servers on other
  /// ports are sent it, too, if they are asked for `/sign-in`; those of other users can do nothing with it, since the
  /// listener looks at the uid of its peer.
  static func name(port: Int) -> String { "ritual-sign-in-\(port)" }

  /// `Lax` and not `Strict`: the way back from the provider is a navigation that another site began. What changes
  /// anything looks at `Origin` and `Sec-Fetch-Site` beside it.
  static func header(_ secret: String, port: Int) -> String {
    let life = SignInBounds.flowLife + SignInBounds.listenerGrace
    return "\(name(port: port))=\(secret); Path=\(PageAddress.folder); Max-Age=\(life.components.seconds); "
      + "HttpOnly; SameSite=Lax"
  }

  /// Whether `cookies`, the values of the header `Cookie` (RFC 6265, section 5.4), hold the secret. Another server on
  /// 127.0.0.1 may have set one of the same name: any that fits is enough.
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

/// The parameters of a query in the form encoding of URLs (application/x-www-form-urlencoded), in their order.
struct QueryItems: Sendable, Hashable {
  private(set) var items: [Item] = []

  struct Item: Sendable, Hashable {
    let name: String
    let value: String
  }

  init() {}

  /// Nil for a broken percent-encoding or bytes that are not UTF-8.
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

  /// The value of a name that is there once; nil if it is missing or there twice.
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

/// The body of a form, application/x-www-form-urlencoded (WHATWG URL, section 5), read strictly: exactly what a browser
/// writes for the fields that are expected. Holds a password, so it never shows what is in it.
struct FormBody: Sendable, Redacted {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The values of `names`, in their order; nil if one is missing or there twice, if there is any other, or for an encoding
  /// that no browser writes.
  func values(of names: [String]) -> [String]? {
    let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    guard !bytes.isEmpty else { return names.isEmpty ? [] : nil }
    guard pairs.count == names.count, pairs.allSatisfy(Self.isPair), let items = QueryItems(bytes) else { return nil }
    let values = names.compactMap(items.only)
    guard values.count == names.count, values.allSatisfy(Self.isPlain) else { return nil }
    return values
  }

  /// `name=value`, of the bytes that the serializer leaves or makes.
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

  /// One line: no field of ours takes more, and browsers strip line breaks from such fields.
  private static func isPlain(_ value: String) -> Bool {
    value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
