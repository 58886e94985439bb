import AgentProtocol
import SupabaseAuth
import SystemSupport

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
