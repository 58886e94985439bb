import Synchronization

/// The configuration that holds now; a reload replaces it whole. Safe from any thread.
final class CurrentSettings: Sendable {
  private let configuration: Mutex<Configuration>

  init(_ configuration: Configuration) { self.configuration = Mutex(configuration) }

  var current: Configuration { configuration.withLock { $0 } }

  func replace(with new: Configuration) { configuration.withLock { $0 = new } }
}
