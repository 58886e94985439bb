import Glibc
import Synchronization

/// Records observations in order. Thread-safe.
final class Recorder: Sendable {
  private let seen = Mutex<[String]>([])

  var words: [String] { seen.withLock { $0 } }

  func append(_ word: String) { seen.withLock { $0.append(word) } }
}

func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }
