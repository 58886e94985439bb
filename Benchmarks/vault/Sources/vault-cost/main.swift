// Prints one line of JSON: the cost of commits, opening and unlocking in the directory given as the
// one argument, and of the same file operations and the same derivation without the vault. Times
// are medians in microseconds; vault and baseline alternate.
import CSodiumBaseline
import Glibc
import SessionVault

let rounds = 200
let records = 1000
/// About the size of an account's record: two tokens and a user.
let content = [UInt8](repeating: 7, count: 4096)

func microseconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let (seconds, attoseconds) = try clock.measure(body).components
  return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
}

func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

func require(_ holds: Bool, _ what: String) {
  guard holds else { fatalError("\(what): errno \(errno)") }
}

/// Writes two new files with the same bytes, makes both durable, renames them over the old ones,
/// and makes the directory durable once.
func commitPlainly(_ bytes: [UInt8], in folder: Int32) {
  let names = ["plain", "plain.2"]
  let files = names.map { name in
    let file = openat(folder, name + ".new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    require(file >= 0, "openat")
    require(write(file, bytes, bytes.count) == bytes.count, "write")
    return file
  }
  for file in files {
    require(fsync(file) == 0, "fsync")
    close(file)
  }
  for name in names { require(renameat(folder, name + ".new", folder, name) == 0, "renameat") }
  require(fsync(folder) == 0, "fsync of the folder")
}

func costOfCommits(_ vault: Vault, _ folder: Int32) throws -> (vault: Double, plain: Double) {
  var (sealed, plain): ([Double], [Double]) = ([], [])
  for _ in 0..<rounds {
    sealed.append(try microseconds { try vault.save(content, as: "account/bench") })
    plain.append(microseconds { commitPlainly(content, in: folder) })
  }
  return (median(sealed), median(plain))
}

func costOfOpening(_ storage: DirectoryStorage, _ key: KeySource) throws -> Double {
  var times: [Double] = []
  for _ in 0..<9 {
    var vault: Vault?
    times.append(try microseconds { vault = try Vault.open(storage: storage, key: key) })
    require(vault?.names().count == records, "all records open")
    vault?.close()
  }
  return median(times)
}

/// Runs Argon2id from libsodium itself, with the cost of the vault's slot.
func derive(_ cost: PassphraseCost) {
  var key = [UInt8](repeating: 0, count: 32)
  let salt = [UInt8](repeating: 1, count: 16)
  let phrase = Array("only for this run".utf8CString)
  let result = crypto_pwhash(
    &key, 32, phrase, UInt64(phrase.count - 1), salt, UInt64(cost.passes), Int(cost.memory),
    crypto_pwhash_ALG_ARGON2ID13)
  require(result == 0, "crypto_pwhash")
}

func costOfUnlocking(_ vault: Vault, _ key: KeySource) throws -> (unlock: Double, derivation: Double) {
  let phrase = KeySource.passphrase(try Passphrase("only for this run"))
  let slot = try vault.addKey(phrase, present: [key])
  guard let cost = slot.cost else { fatalError("a passphrase slot has a cost") }
  var (unlocks, derivations): ([Double], [Double]) = ([], [])
  for _ in 0..<5 {
    vault.lock()
    unlocks.append(try microseconds { try vault.unlock(with: [phrase]) })
    derivations.append(microseconds { derive(cost) })
  }
  return (median(unlocks), median(derivations))
}

let root = CommandLine.arguments[1]
let key = KeySource.keyFile(path: root + "/vault.key", createIfMissing: true)
let storage = DirectoryStorage(path: root + "/vault")
let vault = try Vault.open(storage: storage, key: key)
let folder = open(root + "/vault", O_DIRECTORY | O_RDONLY | O_CLOEXEC)
let commits = try costOfCommits(vault, folder)
for name in ["plain", "plain.2"] { require(unlinkat(folder, name, 0) == 0, "unlinkat") }
let unlocking = try costOfUnlocking(vault, key)
for number in 1..<records { try vault.save(content, as: "account/\(number)") }
vault.close()
let opening = try costOfOpening(storage, key)
print(
  #"{"commit":\#(commits.vault),"files":\#(commits.plain),"open":\#(opening),"#
    + #""unlock":\#(unlocking.unlock),"derivation":\#(unlocking.derivation)}"#)
