import Foundation
import Glibc

/// What a test may have to know about the build that it runs in (`script/test --sanitize`).
public enum Sanitizer {
  /// Whether the program was built with one for addresses or threads. Each brings a `malloc` and a `free` of its own, makes
  /// mlock(2) do nothing, and handles SIGSEGV.
  public static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// What programs that a test starts with an environment of their own need of this one's: for the thread sanitizer, what tells
  /// it of locks (`Tests/Sanitizer/mutex.c`).
  static let environment: [String: String] =
    isOn ? ProcessInfo.processInfo.environment.filter { ["LD_PRELOAD", "TSAN_OPTIONS"].contains($0.key) } : [:]
}
