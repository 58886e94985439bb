import Foundation

/// A shell script that replaces a tool.
public enum ShellScript {
  /// Writes the lines of `body` as the executable file `path`, and creates its parent directories.
  ///
  /// install(1) writes the file. If this process wrote it, a program that another test starts at
  /// that moment would inherit the open descriptor, and the file could not be executed (ETXTBSY)
  /// until that program closes it.
  public static func install(_ body: String, as path: String) async throws {
    try await withScratchDirectory { folder in
      let source = folder.appendingPathComponent("source")
      try "#!/bin/sh\n\(body)\n".write(to: source, atomically: false, encoding: .utf8)
      let installed = try await RunningProgram(
        "/usr/bin/install", ["-D", "-m", "755", source.path, path], environment: [:], folder: folder
      ).end()
      guard installed.status == 0 else { throw ShellScriptError(message: installed.stderr) }
    }
  }
}

/// install(1) could not write the script.
public struct ShellScriptError: Error {
  /// The error output of install(1).
  public let message: String
}
