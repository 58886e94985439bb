import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import AgentCore

@Suite struct PrivateFileTests {
  @Test("the names are kept for the user alone, and what is no such file is an empty one")
  func keepsNames() async throws {
    try await withScratchFolder { folder in
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
      try Data(#"{"format":1,"names":["ok","../x"],"defaultAccount":"../x"}"#.utf8).write(to: URL(filePath: path))
      #expect(file.read() == KnownAccounts(names: ["ok"]))
      unlink(path)
      #expect(symlink("/etc/hostname", path) == 0)
      #expect(file.read() == KnownAccounts())
      try file.write(known)
      #expect(lstat(path, &status) == 0)
      #expect(status.st_mode & S_IFMT == S_IFREG, "the link is replaced, not followed")
    }
  }

  @Test("a note is there until it is removed; a folder that is not there is an error")
  func keepsNotes() async throws {
    try await withScratchFolder { folder in
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
}
