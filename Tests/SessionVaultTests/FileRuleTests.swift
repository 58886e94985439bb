import FoundationEssentials
import Glibc
import SystemSupport
import Testing

@testable import SessionVault

/// A file with insufficient protection is refused, with the remedy, before anything is read
/// or written.
struct FileRuleTests {
  private var fixture: VaultFixture { .current }

  /// The ways to make a file unsafe. The file is moved away first if another file takes its place.
  enum Spoiling: CaseIterable {
    case groupReads, othersRead, symbolicLink, hardLink, fifo, folder, foreignOwner

    static var possible: [Spoiling] { allCases.filter { isRoot || $0 != .foreignOwner } }

    func apply(to path: String) -> Bool {
      let aside = path.replacing("/vault/", with: "/").replacing("/keys/", with: "/") + ".aside"
      switch self {
      case .groupReads: return chmod(path, 0o640) == 0
      case .othersRead: return chmod(path, 0o604) == 0
      case .symbolicLink: return rename(path, aside) == 0 && symlink(aside, path) == 0
      case .hardLink: return link(path, aside) == 0
      case .fifo: return rename(path, aside) == 0 && mkfifo(path, 0o600) == 0
      case .folder: return rename(path, aside) == 0 && mkdir(path, 0o700) == 0
      // Any uid other than ours.
      case .foreignOwner: return chown(path, 12345, 12345) == 0
      }
    }
  }

  enum Target: CaseIterable {
    case header, record, lock, key

    func path(_ fixture: VaultFixture) throws -> String {
      switch self {
      case .header: fixture.vault + "/header"
      case .record: try #require(try fixture.recordFiles().first)
      case .lock: fixture.vault + "/lock"
      case .key: fixture.keyFile
      }
    }
  }

  @Test(.vault, arguments: Spoiling.possible, Target.allCases)
  func aSpoiledFileIsRefused(_ spoiling: Spoiling, _ target: Target) async throws {
    try fixture.save(["a": "x"])
    let path = try target.path(fixture)
    #expect(spoiling.apply(to: path))
    let error = #expect(throws: VaultError.self) { try fixture.open() }
    #expect(error?.code == .unsafe)
    #expect(error?.message.contains(path) == true)
  }

  @Test(.vault, arguments: Spoiling.possible)
  func aRecordSpoiledWhileOpenIsRefused(_ spoiling: Spoiling) async throws {
    let vault = try fixture.open()
    try vault.save([1], as: "a")
    let path = try #require(try fixture.recordFiles().first)
    #expect(spoiling.apply(to: path))
    #expect(code { () throws(VaultError) in _ = try vault.load("a") } == .unsafe)
    #expect(code { () throws(VaultError) in try vault.save([2], as: "a") } == .unsafe)
  }

  @Test(.vault) func aLooseFolderIsRefused() async throws {
    try fixture.save(["a": "x"])
    for mode: mode_t in [0o710, 0o701, 0o777] {
      #expect(chmod(fixture.vault, mode) == 0)
      let error = #expect(throws: VaultError.self) { try fixture.open() }
      #expect(error?.code == .unsafe)
      #expect(error?.message.contains("chmod 700 \(fixture.vault)") == true)
    }
    #expect(chmod(fixture.vault, 0o700) == 0)
    #expect(try fixture.open().text("a") == "x")
  }

  @Test(.vault) func aFolderThatIsALinkIsRefused() async throws {
    try fixture.save(["a": "x"])
    #expect(rename(fixture.vault, fixture.folder + "/real") == 0)
    #expect(symlink(fixture.folder + "/real", fixture.vault) == 0)
    #expect(code { () throws(VaultError) in _ = try fixture.open() } == .unsafe)
  }

  @Test(.vault, .enabled(if: isRoot, "only root can give a folder away"))
  func aFolderOfAnotherUserIsRefused() async throws {
    try fixture.save(["a": "x"])
    #expect(chown(fixture.vault, 12345, 12345) == 0)
    #expect(code { () throws(VaultError) in _ = try fixture.open() } == .unsafe)
  }

  @Test(.vault) func aParentThatOthersCanWriteIsRefused() async throws {
    let outer = VaultFixture(folder: fixture.folder + "/outer")
    #expect(mkdir(outer.folder, 0o755) == 0)
    try outer.save(["a": "x"])
    for mode: mode_t in [0o775, 0o757] {
      #expect(chmod(outer.folder, mode) == 0)
      let error = #expect(throws: VaultError.self) { try outer.open() }
      #expect(error?.code == .unsafe)
      #expect(error?.message.contains("chmod go-w \(outer.folder)") == true)
      #expect(code { () throws(VaultError) in _ = try KeyFile.read(outer.keyFile) } == .unsafe)
    }
    // Like /tmp: others can add files, but not rename ours.
    #expect(chmod(outer.folder, 0o1777) == 0)
    #expect(try outer.open().text("a") == "x")
  }

  @Test(.vault, .enabled(if: isRoot, "only root can give a folder away"))
  func aParentOfAnotherUserIsRefused() async throws {
    let outer = VaultFixture(folder: fixture.folder + "/outer")
    #expect(mkdir(outer.folder, 0o755) == 0)
    try outer.save(["a": "x"])
    #expect(chown(outer.folder, 12345, 12345) == 0)
    #expect(code { () throws(VaultError) in _ = try outer.open() } == .unsafe)
    // Through a symbolic link, the target directory is checked.
    let link = VaultFixture(folder: fixture.folder + "/link")
    #expect(symlink(outer.folder, link.folder) == 0)
    #expect(code { () throws(VaultError) in _ = try link.open() } == .unsafe)
    #expect(chown(outer.folder, 0, 0) == 0)
    #expect(try link.open().text("a") == "x")
    #expect(lchown(link.folder, 12345, 12345) == 0)
    #expect(code { () throws(VaultError) in _ = try link.open() } == .unsafe)
  }

  @Test(.vault) func linksInALoopEnd() async throws {
    #expect(symlink("b", fixture.folder + "/a") == 0)
    #expect(symlink("./../" + fixture.folder.split(separator: "/").last! + "/a", fixture.folder + "/b") == 0)
    let looped = VaultFixture(folder: fixture.folder + "/a")
    #expect(code { () throws(VaultError) in _ = try looped.open() } == .unsafe)
  }

  @Test(.vault) func missingFoldersAreMadeForTheUserAlone() async throws {
    let deep = VaultFixture(folder: fixture.folder + "/state/ritual-agent")
    try deep.save(["a": "x"])
    #expect(mode(of: fixture.folder + "/state") == 0o700)
    #expect(mode(of: deep.folder) == 0o700)
    #expect(try deep.open().text("a") == "x")
  }

  @Test func theOverflowUserIsTrustedInAUserNamespaceAlone() {
    #expect(TrustedOwners.overflow(uidMap: "         0          0 4294967295\n", overflowUID: "65534\n") == nil)
    #expect(TrustedOwners.overflow(uidMap: "1000 1000 1\n", overflowUID: "65534\n") == 65534)
    #expect(TrustedOwners.overflow(uidMap: "1000 1000 1\n", overflowUID: "99\n") == 99)
    let outside = TrustedOwners(user: 1000, overflow: nil)
    #expect([0, 1000].allSatisfy(outside.contains) && ![65534, 1001].contains(where: outside.contains))
    let inside = TrustedOwners(user: 1000, overflow: 65534)
    #expect([0, 1000, 65534].allSatisfy(inside.contains) && !inside.contains(1001))
  }
}
