import Testing

/// Tests of the check itself: each keyword can fail.
@Suite struct SchemaCheckTests {
  private static let schema: JSON = [
    "type": "object", "required": ["name"], "additionalProperties": false,
    "properties": [
      "name": ["type": "string", "pattern": "^[a-z]+$"], "count": ["type": "integer", "minimum": 1, "maximum": 9],
      "kind": ["type": "string", "enum": ["a", "b"]],
      "list": ["type": "array", "items": ["$ref": "#/components/schemas/N"]],
      "map": ["type": "object", "additionalProperties": ["type": "boolean"]],
      "open": ["type": "object", "properties": ["x": ["const": 1]]],
      "either": ["anyOf": [["type": "string"], ["type": "boolean"]]],
    ],
  ]
  private let check = SchemaCheck(named: ["N": ["type": "number"]])

  @Test(arguments: [
    #"{"name":"x"}"#, #"{"name":"x","count":3,"kind":"a","list":[1,2.5],"map":{"a":true}}"#,
    #"{"name":"x","open":{"x":1,"y":2},"either":true}"#, #"{"name":"x","either":"y"}"#,
  ]) func takesWhatFits(_ text: String) throws {
    #expect(check.complaints(try JSON(text), Self.schema) == [])
  }

  @Test(arguments: [
    ("[]", "is no object"), ("{}", "name is missing"), (#"{"name":"x","more":1}"#, "more is one too many"),
    (#"{"name":"X"}"#, "does not match"), (#"{"name":1}"#, "is no string"),
    (#"{"name":"x","count":1.5}"#, "is no integer"),
    (#"{"name":"x","count":0}"#, "is less than"), (#"{"name":"x","count":10}"#, "is more than"),
    (#"{"name":"x","kind":"c"}"#, "is not of the enum"), (#"{"name":"x","list":[true]}"#, "$.list[0]: is no number"),
    (#"{"name":"x","open":{"x":2}}"#, "$.open.x: is not 1"), (#"{"name":"x","either":1}"#, "$.either: is no string"),
    (#"{"name":"x","map":{"a":1}}"#, "$.map.a: is no boolean"), (#"{"name":null}"#, "is no string"),
  ]) func refusesWhatDoesNot(_ text: String, _ words: String) throws {
    let complaints = check.complaints(try JSON(text), Self.schema)
    #expect(complaints.contains { $0.contains(words) }, "\(complaints)")
  }

  @Test func refusesUnknownMembersOfAnOpenObject() {
    let strict = SchemaCheck(named: [:], refusesUnknownMembers: true)
    let schema: JSON = ["type": "object", "properties": ["x": [:], "free": ["type": "object"]]]
    #expect(strict.complaints(["x": 1, "free": ["any": 1]], schema) == [])
    #expect(strict.complaints(["y": 1], schema) == ["$: y is one too many"])
  }

  @Test func refusesWhatItDoesNotKnow() {
    #expect(check.complaints("x", ["oneOf": []]) == ["$: unknown keyword oneOf"])
    #expect(check.complaints("x", ["$ref": "#/components/schemas/M"]).count == 1)
  }
}
