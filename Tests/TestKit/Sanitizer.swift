import Foundation
import Glibc

/// The sanitizer of this build (`script/test --sanitize`).
public enum Sanitizer {
  /// True if the program was built with the address or thread sanitizer. Each has its own `malloc`
  /// and `free`, makes mlock(2) do nothing, and handles SIGSEGV.
  public static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  /// The variables that programs started with their own environment need from this one: for the
  /// thread sanitizer, the library that reports locks to it (`Tests/Sanitizer/mutex.c`).
  static let environment: [String: String] =
    isOn ? ProcessInfo.processInfo.environment.filter { ["LD_PRELOAD", "TSAN_OPTIONS"].contains($0.key) } : [:]
}
