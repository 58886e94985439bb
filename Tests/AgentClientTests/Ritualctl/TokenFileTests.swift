import AgentProtocol
import Foundation
import Glibc
import TestKit
import Testing

@testable import ritualctl

@Suite struct TokenFileTests {
  /// A directory in memory, which is removed afterwards.
  private func withMemory(_ body: (String) throws -> Void) throws {
    var name = Array("/dev/shm/ritual-test-XXXXXX".utf8CString)
    try #require(mkdtemp(&name) != nil)
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  private func refusal(_ path: String, onDisk: Bool = false) -> String? {
    do {
      _ = try TokenFile(path, onDisk: onDisk)
      return nil
    } catch { return (error as? Failure)?.message.text ?? "\(error)" }
  }

  @Test("writes 0600 in 0700, replaces in one step, and removes its own file alone")
  func writes() throws {
    try withMemory { folder in
      let path = folder + "/new/token"
      let file = try TokenFile(path, onDisk: false)
      var status = stat()
      #expect(stat(folder + "/new", &status) == 0 && status.st_mode & 0o7777 == 0o700)
      try file.write("one")
      #expect(lstat(path, &status) == 0 && status.st_mode == S_IFREG | 0o600 && text(path) == "one")
      let before = status.st_ino
      let reader = open(path, O_RDONLY)
      defer { close(reader) }
      try file.write("two")
      #expect(lstat(path, &status) == 0 && status.st_ino != before && text(path) == "two")
      var bytes = [UInt8](repeating: 0, count: 8)
      #expect(read(reader, &bytes, 8) == 3 && bytes.prefix(3).elementsEqual("one".utf8), "a reader keeps its token")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/new")
      #expect(names.sorted() == [".token.lock", "token"])
      #expect(file.remove() && text(path) == nil && !file.remove())
      try file.write("three")
      try FileManager.default.removeItem(atPath: path)
      try "another's".write(toFile: path, atomically: true, encoding: .utf8)
      #expect(!file.remove() && text(path) == "another's")
    }
  }

  @Test("a file that is kept up to date is refused, and can be taken over afterwards")
  func isAlone() throws {
    try withMemory { folder in
      let path = folder + "/token"
      var file: TokenFile? = try TokenFile(path, onDisk: false)
      try file?.write("aa.bb.cc")
      #expect(refusal(path)?.contains("another ritualctl sink") == true)
      #expect(text(path) == "aa.bb.cc" && refusal(folder + "/other") == nil)
      file = nil
      #expect(refusal(path) == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["token"], "no lock is left")
    }
  }

  @Test("follows no symbolic link, and replaces no other file")
  func refusesOtherFiles() throws {
    try withMemory { folder in
      try "precious data".write(toFile: folder + "/data", atomically: true, encoding: .utf8)
      #expect(symlink(folder + "/data", folder + "/link") == 0 && symlink(folder, folder + "/directory") == 0)
      #expect(refusal(folder + "/link")?.contains("is a symbolic link") == true)
      #expect(refusal(folder + "/directory/token")?.contains("links are not followed") == true)
      #expect(refusal(folder + "/data")?.contains("is not a token file") == true)
      #expect(refusal(folder + "/directory")?.contains("is a symbolic link") == true)
      #expect(refusal(folder + "/none/none/token") != nil && refusal("/token") != nil && refusal(folder + "/") != nil)
      try "eyJ0.a.b".write(toFile: folder + "/old", atomically: true, encoding: .utf8)
      let file = try TokenFile(folder + "/old", onDisk: false)
      // A link that appears later is replaced, not followed.
      try FileManager.default.removeItem(atPath: folder + "/old")
      #expect(symlink(folder + "/data", folder + "/old") == 0)
      #expect(symlink(folder + "/data", folder + "/.old.new") == 0)
      try file.write("token")
      #expect(text(folder + "/data") == "precious data" && text(folder + "/old") == "token")
    }
  }

  @Test("finds the type of a file system by its device")
  func findsTypes() {
    let mounts = """
      22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
      23 22 0:5 / /dev rw shared:1 master:2 - devtmpfs none rw
      24 23 259:300 / /a\\040- rw - tmpfs none rw

      """
    func type(_ device: dev_t) -> String? { TokenFile.fileSystem(of: device, mounts: Array(mounts.utf8)) }
    #expect(type(254 << 8) == "ext4" && type(5) == "devtmpfs" && type(259 << 8 | 300 & 0xFF | 1 << 20) == "tmpfs")
    #expect(type(6) == nil && TokenFile.fileSystem(of: 5, mounts: nil) == nil)
  }

  @Test("refuses a disk without --on-disk, and a directory of others")
  func refusesPlaces() async throws {
    try await withScratchDirectory { folder in
      #expect(chmod(folder.path, 0o700) == 0)
      #expect(refusal(folder.path + "/token")?.contains("is not in memory (tmpfs)") == true)
      #expect(refusal(folder.path + "/token", onDisk: true) == nil)
      #expect(chmod(folder.path, 0o711) == 0)
      #expect(refusal(folder.path + "/token", onDisk: true)?.contains("accessible to other users") == true)
    }
    let reason = geteuid() == 0 ? "is accessible to other users" : "belongs to another user"
    #expect(refusal("/dev/shm/token")?.contains(reason) == true)
  }
}
