import Glibc

/// strerror_r(3): the words of an `errno`, from any thread.
package func words(of number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 128)
  // The POSIX form: 0 and the text in the buffer, also for a number that it does not know.
  guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
