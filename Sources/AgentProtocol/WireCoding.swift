public import FoundationEssentials

/// How every value of the protocol is written and read: JSON with sorted keys and unescaped slashes, so that equal
/// values are equal bytes. One place, so that agent and clients cannot differ. Safe from any thread.
public enum WireCoding {
  /// The bytes of `value`, without a newline.
  public static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// The value that `bytes` hold. Members that `type` does not know are ignored, as a newer peer may send them.
  public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    try JSONDecoder().decode(type, from: bytes)
  }
}
