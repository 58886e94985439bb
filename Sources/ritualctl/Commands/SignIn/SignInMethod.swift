import ArgumentParser

/// The ways to sign in, in the order in which they are offered.
enum SignInMethod: String, ExpressibleByArgument, CaseIterable {
  case apple, google, email

  var words: String {
    switch self {
    case .apple: "Apple"
    case .google: "Google"
    case .email: "E-mail and password"
    }
  }
}
