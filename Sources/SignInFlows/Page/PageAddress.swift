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
