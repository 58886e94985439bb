public import FoundationEssentials
import Glibc
public import Testing

/// Runs `body` with a new temporary directory, mode 0700, which is removed when `body` returns or
/// throws.
public func withScratchDirectory<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
) async throws -> Result {
  let folder = try makeScratchDirectory()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}

private enum Current {
  static let folder = TestFixture<URL>()
}

/// The directory of a test with the trait `scratchDirectory`.
public var scratchDirectory: URL { Current.folder.current }

extension Trait where Self == FixtureTrait {
  /// Gives the test a temporary directory of its own.
  public static var scratchDirectory: Self { Current.folder.trait { try await withScratchDirectory($0) } }
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

/// Runs `body`, and then `cleanup`, also if `body` throws.
public func withCleanup<Result>(
  isolation: isolated (any Actor)? = #isolation, _ cleanup: () async -> Void, _ body: () async throws -> Result
) async throws -> Result {
  do {
    let result = try await body()
    await cleanup()
    return result
  } catch {
    await cleanup()
    throw error
  }
}
