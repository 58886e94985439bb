import Foundation
import TestKit

/// The programs that this package builds, in the directory of the test program or the one that
/// `RITUAL_PROGRAMS` names.
enum Programs {
  static let folder = ProcessInfo.processInfo.environment["RITUAL_PROGRAMS"] ?? built
  private static let built: String = {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ((own ?? "") as NSString).deletingLastPathComponent
  }()
  /// An example, which is not among the programs that are shipped.
  static let example = built + "/agent-client-example"

  static func path(_ name: String) -> String { folder + "/" + name }
}

extension Output {
  /// The standard output of a program, as a JSON object.
  func json() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(stdout.utf8))
    guard let object = value as? [String: Any] else { throw ConditionTimeout(what: "a JSON object on stdout") }
    return object
  }
}
