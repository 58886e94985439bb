import AgentProtocol
package import Glibc
import SystemSupport

extension Configuration {
  /// The largest file that is read: some hundred projects with comments.
  package static let limit = 1 << 20

  /// Reads the file, which must be a regular file of the user's or root's that nobody else can change; a link to one
  /// will do. A file that is not there is an empty configuration.
  package static func load(path: String) throws(ConfigurationError) -> Configuration {
    guard let file = try ConfigurationFile(path) else { return Configuration() }
    defer { file.close() }
    return try parse(try text(of: try file.read(upTo: limit), file: path), file: path)
  }

  /// - Throws: where the bytes are not UTF-8, with the place.
  package static func text(of bytes: [UInt8], file: String) throws(ConfigurationError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(.syntax, file: file, at: firstInvalid(bytes), "the file is not UTF-8")
    }
    return text
  }

  /// Reads `text`; `file` is for the errors. Any text is either read or refused.
  package static func parse(
    _ text: String, file: String, inUserNamespace: Bool = UserNamespace.isOwn
  ) throws(ConfigurationError) -> Configuration {
    try ConfigurationReader(file: file, inUserNamespace: inUserNamespace).read(try table(of: text, file: file))
  }

  /// The text as TOML.
  static func table(of text: String, file: String) throws(ConfigurationError) -> TOMLTable {
    guard text.utf8.count <= limit else { throw ConfigurationError(.unreadable, file: file, "is larger than 1 MiB") }
    do throws(TOMLError) {
      return try TOMLParser.parse(text)
    } catch {
      throw ConfigurationError(.syntax, file: file, at: error.position, error.message)
    }
  }

  /// Behind the longest prefix that is UTF-8: about where the repaired text departs from what was read.
  private static func firstInvalid(_ bytes: [UInt8]) -> TextPosition {
    let repaired = String(decoding: bytes, as: UTF8.self).utf8
    var prefix = bytes.prefix(zip(bytes, repaired).prefix { $0 == $1 }.count)
    // The bytes that are repaired may begin like the sign that repairs them.
    while String(validating: prefix, as: UTF8.self) == nil { prefix.removeLast() }
    var cursor = TextCursor(String(decoding: prefix, as: UTF8.self))
    cursor.skipToEnd()
    return cursor.position
  }
}

/// The rule for a configuration file in the agent, `init` and `doctor`: a regular file, owned by the user or root, that nobody
/// else can write. Others may read it: it holds no secret.
package enum ConfigurationFileRule {
  /// The reason why a file is refused, with the remedy; nil if it can be used.
  package static func complaint(about status: stat, path: String) -> String? {
    guard status.st_mode & S_IFMT == S_IFREG else { return "is not a regular file" }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      return "belongs to uid \(status.st_uid), who could change it: make a copy of your own"
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      return "can be changed by others: chmod go-w \(ForeignText.shown(path))"
    }
    return nil
  }
}

/// The configuration's file, open and checked.
private struct ConfigurationFile {
  private let descriptor: Int32
  private let path: String

  /// Nil where there is no file.
  init?(_ path: String) throws(ConfigurationError) {
    self.path = path
    // Without O_NONBLOCK a FIFO would wait here for its writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      var status = stat()
      if number == ENOENT, lstat(path, &status) != 0 { return nil }
      throw ConfigurationError(.unreadable, file: path, "cannot be read: \(words(of: number))")
    }
    do throws(ConfigurationError) {
      try check()
    } catch {
      close()
      throw error
    }
  }

  private func check() throws(ConfigurationError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ConfigurationError(.unreadable, file: path, "cannot be examined: \(words(of: errno))")
    }
    if let complaint = ConfigurationFileRule.complaint(about: status, path: path) {
      throw ConfigurationError(.insecure, file: path, complaint)
    }
  }

  /// The whole file, which must not be larger than `limit` bytes.
  func read(upTo limit: Int) throws(ConfigurationError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ConfigurationError(.unreadable, file: path, "cannot be read: \(words(of: errno))")
      }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else { throw ConfigurationError(.unreadable, file: path, "is larger than 1 MiB") }
    }
  }

  func close() { _ = Glibc.close(descriptor) }
}
