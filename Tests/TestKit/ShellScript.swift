import Foundation

/// A shell script that stands in a tool's place.
public enum ShellScript {
  /// Writes the lines of `body` as the executable file `path`, and the folders that lead to it.
  ///
  /// install(1) writes the file: one that this process had open for writing is inherited by any program that another test
  /// starts at that moment, and cannot be executed (ETXTBSY) until that program has closed it.
  public static func install(_ body: String, as path: String) async throws {
    try await withScratchFolder { folder in
      let source = folder.appendingPathComponent("source")
      try "#!/bin/sh\n\(body)\n".write(to: source, atomically: false, encoding: .utf8)
      let installed = try await RunningProgram(
        "/usr/bin/install", ["-D", "-m", "755", source.path, path], environment: [:], folder: folder
      ).end()
      guard installed.status == 0 else { throw ShellScriptError(words: installed.stderr) }
    }
  }
}

/// install(1) could not write the script.
public struct ShellScriptError: Error {
  /// What it printed.
  public let words: String
}
