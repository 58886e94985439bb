import Glibc

/// What a test may have to know about the build that it runs in (`script/test --sanitize`).
public enum Sanitizer {
  /// Whether the program was built with one for addresses or threads. Each brings a `malloc` and a `free` of its own, makes
  /// mlock(2) do nothing, and handles SIGSEGV.
  public static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
