public import FoundationEssentials
import Glibc

/// Runs `body` with a new temporary directory, mode 0700, which is removed when `body` returns or
/// throws.
public func withScratchDirectory<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
) async throws -> Result {
  let folder = try makeScratchDirectory()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}

/// Creates the directory of `withScratchDirectory`, for a test that removes it itself.
public func makeScratchDirectory() throws -> URL {
  var template = Array("/tmp/ritual-test-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw ScratchDirectoryError(errno: errno) }
  let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  return URL(filePath: path, directoryHint: .isDirectory)
}

/// mkdtemp(3) failed: the temporary directory is full or not writable.
public struct ScratchDirectoryError: Error {
  /// The `errno` of mkdtemp(3).
  public let errno: Int32
}
