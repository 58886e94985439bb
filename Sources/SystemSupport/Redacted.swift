/// A value whose content never reaches a log by accident: it prints, dumps and reflects as `<TypeName redacted>`.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  /// The name of the type, and nothing of the content.
  public var description: String { "<\(Self.self) redacted>" }
  /// Equal to `description`.
  public var debugDescription: String { description }
  /// A mirror without children, so that `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
