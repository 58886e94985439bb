import SupabaseAuth

/// A short secret as a member of a value that is copied about: kept in memory of its own, which is overwritten when it is freed.
/// In JSON it is the text alone.
@propertyWrapper
struct OutOfLine: Codable, Sendable, Hashable {
  private var text: String

  var wrappedValue: String {
    get { text }
    set { text = newValue.outOfLine }
  }

  init(wrappedValue: String) { text = wrappedValue.outOfLine }

  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self).outOfLine
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
