/// What is wrong with the configuration, and where. Equal by code.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
  package struct Code: Sendable, Hashable {
    private enum Kind: Sendable { case unreadable, insecure, syntax, unknownKey, wrongType, badValue }
    private let kind: Kind
    /// The file cannot be read.
    package static let unreadable = Code(kind: .unreadable)
    /// Others could change the file.
    package static let insecure = Code(kind: .insecure)
    /// The file is no TOML.
    package static let syntax = Code(kind: .syntax)
    /// No such key, or not there.
    package static let unknownKey = Code(kind: .unknownKey)
    /// A number where a text is meant, or the like.
    package static let wrongType = Code(kind: .wrongType)
    /// The right kind, and out of range, missing, or not what it has to be.
    package static let badValue = Code(kind: .badValue)
  }

  package let code: Code
  package let file: String
  /// 1 is the first; 0 where the whole file is meant.
  package let line: Int
  /// 1 is the first; 0 where the whole file is meant.
  package let column: Int
  /// What is wrong and what was meant; what it quotes of the file has passed `ForeignText`.
  package let message: String

  /// Without a position the whole file is meant.
  init(_ code: Code, file: String, at position: TextPosition? = nil, _ message: String) {
    self.code = code
    self.file = file
    line = position?.line ?? 0
    column = position?.column ?? 0
    self.message = message
  }

  /// `FILE:LINE:COLUMN: MESSAGE`, as compilers write.
  package var description: String {
    line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)"
  }

  package static func == (left: ConfigurationError, right: ConfigurationError) -> Bool { left.code == right.code }
}
