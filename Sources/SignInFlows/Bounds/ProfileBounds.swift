/// Bounds of the profile, each with its reason.
package enum ProfileBounds {
  /// Bytes of a profile, each way, as JSON: it has to fit a line of the socket's protocol (64 KiB) however its characters are
  /// escaped there, and names, settings and a picture's address have some kilobytes.
  static let size = 32 * 1024

  /// Bytes of a name that is kept: longer ones are no names.
  package static let nameLength = 256

  /// Profiles that are read side by side in the background: a thousand accounts at a start are no reason to storm an API.
  static let readers = 4
}
