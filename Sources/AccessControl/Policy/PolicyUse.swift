/// How the policy applies to each method (PR-3). Each registration says it.
package enum PolicyUse: Sendable, Equatable {
  /// It uses or changes no account; why, in words.
  case none(String)
  /// The account that is named, else the default one.
  case account
  /// The account that a sign-in would be for: it need not be there yet.
  case signIn
  /// The account of a sign-in that runs.
  case flow
  /// The account that is named, or with `all` every one.
  case signOut
  /// Its answer holds nothing; each event that brings a token is decided about by itself.
  case eachToken
}
