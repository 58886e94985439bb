/// Writes the little-endian numbers of the vault's files.
extension [UInt8] {
  mutating func append(littleEndian value: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

/// Reads a file's fields in order; every read checks that the bytes are there.
struct ByteReader {
  /// The bytes end within a field.
  struct Truncated: Error {}

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// How many bytes are left.
  var remaining: Int { rest.count }

  mutating func bytes(_ count: Int) throws(Truncated) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw Truncated() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) throws(Truncated) -> Number {
    try bytes(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number($1) }
  }
}
