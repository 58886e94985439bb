import Glibc

/// VA-6: what a file or folder must be before anything secret is read from it or written to it. Each refusal says what
/// to do.
enum FileRules {
  /// A regular file of the user's with one name, closed to group and others.
  static func requirePrivateFile(_ status: stat, _ path: String) throws(VaultError) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw refusal(path, "is not a regular file: move it away")
    }
    try requireOwnedByUser(status, path: path)
    guard status.st_mode & 0o077 == 0 else {
      throw refusal(path, "is open to other users: run `chmod 600 \(path)`")
    }
    guard status.st_nlink == 1 else {
      throw refusal(path, "has a second name (a hard link): remove that name, or replace the file by a copy")
    }
  }

  /// A credential as systemd lays it out: the user's and closed to others, or root's with the user in its access
  /// control list, which stat(2) shows in the place of the group (acl(5)).
  static func requireCredential(_ status: stat, _ path: String) throws(VaultError) {
    if status.st_uid == geteuid() { return try requirePrivateFile(status, path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refusal(path, "is not a regular file: move it away") }
    guard TrustedOwners.current.contains(status.st_uid), status.st_mode & 0o037 == 0 else {
      throw refusal(path, "is open to other users, or belongs to one: let systemd make it (LoadCredentialEncrypted=)")
    }
  }

  /// A folder of the user's, closed to group and others.
  static func requirePrivateFolder(_ status: stat, path: String) throws(VaultError) {
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw refusal(path, "is not a folder (a symbolic link is not followed): put a real folder in its place")
    }
    try requireOwnedByUser(status, path: path)
    guard status.st_mode & 0o077 == 0 else {
      throw refusal(path, "is open to other users: run `chmod 700 \(path)`")
    }
  }

  /// A folder above ours, or a link on the way: nobody but its trusted owner can rename what is in it.
  static func requireTrustedFolder(
    _ status: stat, path: String, owners: TrustedOwners = .current
  ) throws(VaultError) {
    guard owners.contains(status.st_uid) else {
      throw refusal(path, "belongs to uid \(status.st_uid), who could replace what is in it: choose another folder")
    }
    if status.st_mode & S_IFMT == S_IFLNK { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw refusal(path, "is not a folder: choose another path")
    }
    // In a sticky folder (/tmp) only the owner of an entry can rename it, and the next entry's owner is checked too.
    guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
      throw refusal(path, "can be written by other users: run `chmod go-w \(path)`")
    }
  }

  private static func requireOwnedByUser(_ status: stat, path: String) throws(VaultError) {
    guard status.st_uid == geteuid() else {
      throw refusal(path, "belongs to uid \(status.st_uid), not to you: run `chown \(geteuid()) \(path)` as its owner")
    }
  }

  private static func refusal(_ path: String, _ words: String) -> VaultError {
    VaultError(.unsafe, "\(path) \(words)")
  }
}
