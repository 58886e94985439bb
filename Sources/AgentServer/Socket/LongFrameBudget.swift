/// The memory that frames over the usual bound share over all connections. Bound to the event loop.
final class LongFrameBudget {
  private var free: Int

  init(_ bytes: Int) { free = bytes }

  /// Sets `bytes` aside; false where there is not so much left.
  func reserve(_ bytes: Int) -> Bool {
    guard bytes <= free else { return false }
    free -= bytes
    return true
  }

  func release(_ bytes: Int) { free += bytes }
}
