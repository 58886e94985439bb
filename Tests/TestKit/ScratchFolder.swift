public import FoundationEssentials
import Glibc

/// A folder of its own for one test, 0700, removed when the closure ends, whatever happens in it.
public func withScratchFolder<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
) async throws -> Result {
  let folder = try makeScratchFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}

/// The folder behind `withScratchFolder`, for a test that removes it by itself.
public func makeScratchFolder() throws -> URL {
  var template = Array("/tmp/ritual-test-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw ScratchFolderError(errno: errno) }
  let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  return URL(filePath: path, directoryHint: .isDirectory)
}

/// mkdtemp(3) failed: the temporary folder is full or not writable.
public struct ScratchFolderError: Error {
  /// What mkdtemp(3) left in `errno`.
  public let errno: Int32
}
