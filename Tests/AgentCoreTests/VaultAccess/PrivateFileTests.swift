import FoundationEssentials
import Glibc
import SessionVault
import TestKit
import Testing

@testable import SessionEngine

@Suite(.scratchDirectory) struct PrivateFileTests {
  private var folder: URL { scratchDirectory }

  @Test("the names file is private to the user, and an invalid file counts as empty")
  func keepsNames() async throws {
    let path = folder.path + "/accounts"
    let file = AccountNamesFile(path: path)
    #expect(file.read() == KnownAccounts())
    let known = KnownAccounts(names: ["home", "work"], defaultAccount: "work")
    try file.write(known)
    #expect(file.read() == known)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    chmod(path, 0o620)
    #expect(file.read() == known, "others could have written it: the second copy counts")
    unlink(path + ".2")
    #expect(file.read() == KnownAccounts())
    unlink(path)
    try Data(#"{"defaultAccount":"../x","format":1,"names":["ok","../x"]}"#.utf8).write(to: URL(filePath: path))
    #expect(file.read() == KnownAccounts(names: ["ok"]))
    unlink(path)
    #expect(symlink("/etc/hostname", path) == 0)
    #expect(file.read() == KnownAccounts())
    try file.write(known)
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFREG, "the link is replaced, not followed")
  }

  @Test("VA-9: any damage to one copy is detected, names the copy, and is repaired from the other", arguments: [0, 1])
  func namesEveryFault(of index: Int) async throws {
    let copies = [folder.path + "/accounts", folder.path + "/accounts.2"].map { URL(filePath: $0) }
    let file = AccountNamesFile(path: copies[0].path)
    for known in [KnownAccounts(names: ["home", "work"], defaultAccount: "work"), KnownAccounts()] {
      try file.write(known)
      let good = try Data(contentsOf: copies[0])
      func check(_ what: String) throws {
        #expect(file.read() == known, "\(what)")
        #expect(file.restore().map(\.file) == [copies[index].lastPathComponent], "\(what)")
        for copy in copies { #expect(try Data(contentsOf: copy) == good, "\(what)") }
        #expect(file.restore().isEmpty, "\(what)")
        // Each fault starts from intact copies.
        for copy in copies { try good.write(to: copy) }
      }
      for offset in good.indices {
        for bit in 0..<8 {
          var bytes = good
          bytes[offset] ^= 1 << UInt8(bit)
          try bytes.write(to: copies[index])
          try check("bit \(bit) of byte \(offset)")
        }
        try good.prefix(offset).write(to: copies[index])
        try check("cut to \(offset) bytes")
      }
      try (good + Data("\n".utf8)).write(to: copies[index])
      try check("a byte more")
      try FileManager.default.removeItem(at: copies[index])
      try check("deleted")
    }
  }

  @Test("a file of an older version, without a second copy and a checksum, is accepted")
  func takesOverAnOlderFile() async throws {
    let path = folder.path + "/accounts"
    let file = AccountNamesFile(path: path)
    try Data(#"{"defaultAccount":"work","format":1,"names":["work"]}"#.utf8).write(to: URL(filePath: path))
    let known = KnownAccounts(names: ["work"], defaultAccount: "work")
    #expect(file.read() == known)
    #expect(file.restore().isEmpty)
    unlink(path)
    #expect(file.read() == known, "the second copy was made")
  }

  @Test("a note exists until it is removed; a missing directory is an error")
  func keepsNotes() async throws {
    let note = PrivateFile(path: folder.path + "/note")
    #expect(!note.exists)
    try note.write(Data())
    #expect(note.exists)
    try note.remove()
    try note.remove()
    #expect(!note.exists)
    #expect(throws: PrivateFileError.self) { try PrivateFile(path: folder.path + "/no/note").write(Data()) }
  }
}
