import Glibc

/// Writing without stdio, whose globals Swift 6 does not allow.
enum Terminal {
  /// Writes all of `text`; what cannot be written (a closed pipe, a full disk) is lost, as nobody could be told.
  static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      written += count
    }
  }
}
