// The configuration file: reading any content yields usable settings, or an error that points into
// the text.
//
// Compiled into one module with AgentConfiguration.

import Glibc

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfiguration(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  replace(bytes)
  do {
    let configuration = try Configuration.load(path: path)
    for project in configuration.projects.values {
      precondition(project.validationError == nil, "a project that cannot be used is taken")
    }
    let again = try Configuration.load(path: path)
    precondition(again == configuration, "read otherwise the second time")
    edit(String(decoding: bytes, as: UTF8.self), configuration)
  } catch {
    check(error, bytes)
  }
  return 0
}

/// A change to a valid file yields a valid file, and changes only the one project.
private func edit(_ text: String, _ configuration: Configuration) {
  for name in configuration.projects.keys.sorted().prefix(3) + ["new-one"] {
    let wanted = ConfigurationEdit.RequestedProject(
      name: name, url: "https://fuzz.example", anonKey: "k\"\\", apiURL: "https://api.example")
    guard let edit = try? ConfigurationEdit(text, file: "f") else { fatalError("a valid file cannot be changed") }
    let isThere = configuration.projects[name] != nil
    guard case .changed(let new) = isThere ? edit.updating(wanted) : edit.adding(wanted) else { continue }
    guard var read = try? Configuration.parse(new, file: "f") else { fatalError("a change breaks the file") }
    precondition(read.projects[name]?.url == wanted.url && read.projects[name]?.apiURL == wanted.apiURL)
    precondition(read.projects[name]?.anonKey == wanted.anonKey)
    read.projects[name] = configuration.projects[name]
    precondition(read == configuration, "something else has changed")
  }
}

private func check(_ error: ConfigurationError, _ bytes: [UInt8]) {
  precondition(!error.message.isEmpty, "an error without words")
  precondition(
    error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "words that are not shown")
  precondition(![.unreadable, .insecure].contains(error.code), "the file itself was in order")
  // The position 0:0 is the whole file.
  guard error.line != 0 || error.column != 0 else { return }
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  precondition((1...lines.count).contains(error.line), "the line is not in the text")
  let line = String(decoding: lines[error.line - 1], as: UTF8.self).unicodeScalars
  // The column after the last one is where something is missing.
  precondition((1...line.count + 1).contains(error.column), "the column is not in the line")
}

/// A file in memory without a name, so that bytes that are not text are read as well.
private let file = makeFile()
private let path = "/proc/self/fd/\(file)"

private func makeFile() -> CInt {
  var name = Array("/dev/shm/ritual-fuzz-XXXXXX".utf8CString)
  let file = mkstemp(&name)
  guard file >= 0, unlink(name) == 0 else { fatalError("no file in memory") }
  return file
}

private func replace(_ bytes: [UInt8]) {
  guard ftruncate(file, 0) == 0, pwrite(file, bytes, bytes.count, 0) == bytes.count else {
    fatalError("the file in memory cannot be written")
  }
}
