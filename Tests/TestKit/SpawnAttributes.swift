public import Glibc

/// Runs `body` with attributes for posix_spawn(3) that block no signal: the threads of a test run
/// block some, and a child would inherit that.
public func withSpawnAttributes<Result>(
  _ body: (UnsafePointer<posix_spawnattr_t>) throws -> Result
) rethrows -> Result {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  return try body(&attributes)
}
