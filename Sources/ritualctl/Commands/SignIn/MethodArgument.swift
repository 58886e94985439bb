import AgentProtocol
import ArgumentParser

/// The argument that names a sign-in method.
enum MethodArgument {
  /// Checks a word of the command line. A provider that this program does not know is accepted,
  /// because projects can have others, unless it looks like a misspelled method.
  ///
  /// - Throws: an error that suggests a method. It does not repeat what may be a code or a link.
  static func validate(_ method: SignInMethod) throws {
    guard method.isName else {
      throw ValidationError(
        "<method> is no name of a provider; codes and links are not accepted as arguments, because other users can "
          + "read them")
    }
    let (word, known) = (method.word, SignInMethod.common.map(\.word) + ProviderName.known)
    guard !known.contains(word), !word.hasPrefix("custom:") else { return }
    let suggestion = DidYouMean.clause(word, among: known.filter { $0.count > 2 })
    guard suggestion.isEmpty else {
      throw ValidationError("invalid value '\(word)' for <method>\(suggestion.text)")
    }
  }
}
