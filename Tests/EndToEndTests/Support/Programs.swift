import Foundation
import TestKit

/// The programs that this package builds: beside the test program, unless `RITUAL_PROGRAMS` names another folder.
enum Programs {
  static let folder: String = {
    if let folder = ProcessInfo.processInfo.environment["RITUAL_PROGRAMS"] { return folder }
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ((own ?? "") as NSString).deletingLastPathComponent
  }()

  static func path(_ name: String) -> String { folder + "/" + name }
}

extension Output {
  /// The answer of a program that prints JSON.
  func json() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(stdout.utf8))
    guard let object = value as? [String: Any] else { throw Overdue(what: "a JSON object on stdout") }
    return object
  }
}
