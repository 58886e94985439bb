import AgentProtocol

/// An error above what can be done about it. It gets the focus, which needs no script, so a screen reader begins there.
struct PageAlert: Sendable {
  static let id = "alert"

  let error: AgentError

  var html: HTML {
    """
    <div class="alert" id="\(Self.id)" role="alert" tabindex="-1" autofocus>
    <p>\(error.message)</p>\(nextStep.map { "\n<p>\($0)</p>" as HTML })
    </div>
    """
  }

  /// A step that can be taken on this page or nowhere else; commands are for terminals.
  private var nextStep: HTML? {
    guard let hint = error.data.hint, !hint.hasPrefix("ritualctl ") else { return nil }
    return "\(hint.prefix(1).uppercased() + hint.dropFirst())."
  }
}
