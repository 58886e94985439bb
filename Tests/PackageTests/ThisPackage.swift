import Foundation
import TestKit

/// The package that contains this test.
enum ThisPackage {
  /// The directory of Package.swift, in which this file is Tests/PackageTests/ThisPackage.swift.
  static let directory = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The manifest, requested from SwiftPM once for all tests.
  static var manifest: Manifest {
    get async throws { try await dump.value }
  }

  /// The text of a file in the package.
  static func text(of path: String) throws -> String {
    try String(contentsOf: directory.appending(path: path), encoding: .utf8)
  }

  /// All Swift files of a target.
  static func sources(of target: Manifest.Target) throws -> [SourceFile] {
    let manager = FileManager.default
    let names = try manager.subpathsOfDirectory(atPath: directory.appending(path: target.directory).path)
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let path = target.directory + "/" + name
      return SourceFile(path: path, text: try text(of: path))
    }
  }

  private static let dump = Task { () throws -> Manifest in
    // A separate scratch directory: this test may run under `swift test`, which holds the lock of
    // .build.
    try await withScratchDirectory { scratch in
      let dump = try RunningProgram(
        "/usr/bin/env",
        ["swift", "package", "--package-path", directory.path, "--scratch-path", scratch.path, "dump-package"],
        environment: ProcessInfo.processInfo.environment, folder: scratch)
      let output = try await dump.end(within: .seconds(120))
      guard output.status == 0 else { throw SwiftFailed(status: output.status) }
      return try JSONDecoder().decode(Manifest.self, from: Data(output.stdout.utf8))
    }
  }
}

/// `swift package dump-package` failed with this status.
struct SwiftFailed: Error {
  var status: Int32
}
