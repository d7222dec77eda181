import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Checks the places and forms in which an export writes properties.
@Suite struct `An export reverses` {
  /// Objects of the entity `E`, imported and exported again.
  private func round(
    _ attributes: [AttributeDescription], _ relationships: [RelationshipDescription] = [],
    others: [EntityDescription] = [], reading json: String, identity: String = "id",
    extensions: ModelExtensions = ModelExtensions(),
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> String {
    let entity = EntityDescription.make("E", identity: identity, attributes, relationships)
    let trial = try ImportTrial([entity] + others, extensions: extensions)
    try trial.load(json)
    return try trial.export("E", change)
  }

  @Test(arguments: [
    ("a.b", #"[{"id":1,"a":{"b":"x"}}]"#),
    ("a.b.c", #"[{"id":1,"a":{"b":{"c":"x"}}}]"#),
    ("a[0]", #"[{"id":1,"a":["x"]}]"#),
    ("a[2].b", #"[{"id":1,"a":[null,null,{"b":"x"}]}]"#),
    ("['a.b']", #"[{"id":1,"a.b":"x"}]"#),
    ("a | b", #"[{"id":1,"a":"x"}]"#),
    ("a[999999999] | b", #"[{"id":1,"b":"x"}]"#),
  ])
  func `a path, the first that can be written`(path: String, json: String) throws {
    let attributes: [AttributeDescription] = [
      .make("id", .integer64), .make("text", .string, ["JSONKeyPath": path]),
    ]
    #expect(try round(attributes, reading: json) == json)
  }

  @Test func `paths that begin alike, in one object`() throws {
    let json = #"[{"id":1,"deep":{"a":"x","deeper":{"b":"y"},"c":"z"},"d":"w"}]"#
    let attributes = [
      ("id", "id"), ("a", "deep.a"), ("b", "deep.deeper.b"), ("d", "d"), ("c", "deep.c"),
    ].map { name, path in
      AttributeDescription.make(
        name, name == "id" ? .integer64 : .string, ["JSONKeyPath": path])
    }
    #expect(try round(attributes, reading: json) == json)
  }

  @Test func `a path to nothing, by taking back its objects, wherever a chunk ends`() throws {
    let attributes: [AttributeDescription] = [
      .make("name"), .make("city", .string, ["JSONKeyPath": "home.place.city"]), .make("last"),
    ]
    for length in JSONWriter.chunkSize - 60...JSONWriter.chunkSize {
      let name = String(repeating: "n", count: length)
      let json = #"[{"name":"\#(name)","last":"z"}]"#
      let written = try round(attributes, reading: json, identity: "") { $0.writesNull = false }
      #expect(written == json)
    }
  }

  @Test func `no path, by leaving the property out`() throws {
    let attributes: [AttributeDescription] = [
      .make("id", .integer64), .make("secret", .string, ["JSONExport": "omit"]),
      .make("own", .string, ["JSONKeyPath": "-"]), .make("name"),
    ]
    let json = try round(
      attributes, reading: #"[{"id": 1, "secret": "s", "own": "o", "name": "n"}]"#)
    #expect(json == #"[{"id":1,"name":"n"}]"#)
  }

  @Test func `a path through a related object, by that object's own value`() throws {
    let part = EntityDescription.make("Part", [.make("name")])
    let json = try round(
      [.make("id", .integer64), .make("partName", .string, ["JSONKeyPath": "part.name"])],
      [.make("part", to: "Part")], others: [part],
      reading: #"[{"id": 1, "part": {"id": 2, "name": "n"}}]"#)
    #expect(json == #"[{"id":1,"part":{"id":2,"name":"n"}}]"#)
  }

  @Test func `an attribute and a relationship at one place, by the attribute`() throws {
    let part = EntityDescription.make("Part", [.make("name")])
    let json = #"[{"id":1,"partId":2}]"#
    let text = try round(
      [.make("id", .integer64), .make("partID", .integer64, ["JSONKeyPath": "partId"])],
      [.make("part", to: "Part", ["JSONKeyPath": "partId"])], others: [part], reading: json)
    #expect(text == json)
  }

  @Test(arguments: [
    ("auto", #""2012-09-24T03:35:21.5Z""#, #""2012-09-24T03:35:21.500Z""#),
    ("iso8601", #""2012-09-24""#, #""2012-09-24T00:00:00Z""#),
    ("unix", "1388349427.543", "1388349427.543"),
    ("unix", "-1.5", "-1.5"),
    ("unix", "0", "0"),
    ("unix-ms", "1388349427543", "1388349427543"),
    ("yyyy-MM-dd", #""2012-02-29""#, #""2012-02-29""#),
    ("d/M/yy h:mm a", #""9/8/07 12:05 AM""#, #""9/8/07 12:05 AM""#),
    ("d/M/yy h:mm a", #""9/8/07 1:05 PM""#, #""9/8/07 1:05 PM""#),
    (
      "EEE MMM dd HH:mm:ss Z yyyy", #""Mon Sep 24 05:35:21 +0200 2012""#,
      #""Mon Sep 24 03:35:21 +0000 2012""#
    ),
    (
      "EEEE, d MMMM yyyy HH:mm:ss.SSSXXX", #""Monday, 24 September 2012 03:35:21.250Z""#,
      #""Monday, 24 September 2012 03:35:21.250Z""#
    ),
    ("yyyy'T'HH''mm ZZZZ", #""1999T23'59 GMT""#, #""1999T23'59 GMT""#),
    ("D yyyy", #""60 2012""#, #""60 2012""#),
    (#"yyyy"MM\dd"#, #""2012\"09\\24""#, #""2012\"09\\24""#),
  ])
  func `a date's format`(format: String, read: String, written: String) throws {
    let attributes: [AttributeDescription] = [
      .make("id", .integer64), .make("at", .date, ["JSONDateFormat": format]),
    ]
    let json = try round(attributes, reading: #"[{"id": 1, "at": \#(read)}]"#)
    #expect(json == #"[{"id":1,"at":\#(written)}]"#)
  }

  @Test(arguments: [
    (AttributeType.integer64, "9223372036854775807"), (.integer64, "-9223372036854775808"),
    (.integer16, "0"), (.integer32, "-100"), (.double, "0.1"), (.double, "3"), (.float, "1.5"),
    (.decimal, "12345678901234567890.123456789"), (.boolean, "true"), (.boolean, "false"),
    (.string, #""é😀\"\\\n\u0001/""#), (.string, #""0123456789abcde\tf0123456789abcdef""#),
    (.binary, #""AP8=""#), (.uuid, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#),
    (.uri, #""https://example.com/a?b=c""#), (.transformable, #"{"a":[1,2.50,"x y"]}"#),
    (.string, "null"), (.transformable, "null"),
  ])
  func `a value of each type`(type: AttributeType, value: String) throws {
    let json = #"[{"id":1,"v":\#(value)}]"#
    #expect(try round([.make("id", .integer64), .make("v", type)], reading: json) == json)
  }

  @Test(arguments: [
    String(repeating: "[", count: 2500) + String(repeating: "]", count: 2500),
    #"{"\#(String(repeating: "k", count: 100_000))":1}"#,
    "[\(String(repeating: "1", count: 10_000))]",
  ])
  func `kept JSON that only an import with other limits reads`(value: String) throws {
    let trial = try ImportTrial([.make("E", [.make("v", .transformable)])])
    let json = #"[{"id":1,"v":\#(value)}]"#
    let limits = ParserLimits(depth: 3000, keyBytes: 1 << 20, numberBytes: 1 << 20)
    try trial.load(json, .with { $0.parser.limits = limits })
    #expect(try trial.export("E") == json)
  }

  @Test(arguments: [
    ("string-integer", AttributeType.integer64, #""42""#), ("string-integer", .string, "42"),
    ("string-integer", .string, #""042""#), ("trim", .string, #""x""#),
    ("hex-color", .string, ##""#ff0000""##), ("base64", .binary, #""AAEC""#),
    ("url", .uri, #""http://a.b""#),
  ])
  func `a ready-made transformer`(name: String, type: AttributeType, value: String) throws {
    let json = #"[{"id":1,"v":\#(value)}]"#
    let attributes: [AttributeDescription] = [
      .make("id", .integer64), .make("v", type, ["JSONTransformerName": name]),
    ]
    #expect(try round(attributes, reading: json) == json)
  }

  @Test func `a transformer of one's own, if it can be reversed`() throws {
    let doubling = AttributeTransformer(
      forward: { value in
        guard case .integer(let number) = value else { return value }
        return .integer(number * 2)
      },
      reverse: { value in
        guard case .integer(let number) = value else { return value }
        return .json(#"{ "half": \#(number / 2) }"#)
      })
    let oneWay = AttributeTransformer(forward: { _ in .string("read") })
    let json = try round(
      [
        .make("id", .integer64), .make("twice", .integer64, ["JSONTransformerName": "Double"]),
        .make("text", .string, ["JSONTransformerName": "OneWay"]),
        .make("none", .integer64, ["JSONTransformerName": "Double"]),
      ],
      reading: #"[{"id": 1, "twice": 21, "text": "x", "none": null}]"#,
      extensions: ModelExtensions(transformers: ["Double": doubling, "OneWay": oneWay]))
    #expect(json == #"[{"id":1,"twice":{"half":21},"text":"read","none":null}]"#)
  }

  @Test(arguments: [
    (".*", #"{"a":1,"b":2}"#, "@key", "@value"),
    (".*", #"{"a":{"n":1},"b":{"n":2}}"#, "@key", "n"),
    ("", #"[{"n":"a"},null,{"n":"c"}]"#, "n", "@index"),
    ("", #"["a","b","c"]"#, "@value", "@index"),
    ("[1:]", #"[null,{"n":"a"},{"n":"b"},null,{"n":"c"}]"#, "n", "@index"),
  ])
  func `what an element's place says`(
    elements: String, parts: String, name: String, number: String
  ) throws {
    let part = EntityDescription.make(
      "Part", identity: "name",
      [
        .make("name", .string, ["JSONKeyPath": name]),
        .make("number", .integer64, ["JSONKeyPath": number]),
      ])
    let json = #"[{"id":1,"parts":\#(parts)}]"#
    let relationship = RelationshipDescription.make(
      "parts", to: "Part", many: true, ["JSONKeyPath": "parts\(elements)"])
    let text = try round(
      [.make("id", .integer64)], [relationship], others: [part], reading: json)
    #expect(text == json)
  }

  @Test(arguments: [AttributeType.integer16, .integer64, .double, .float, .decimal, .string])
  func `an element's position, in whatever type it is kept`(type: AttributeType) throws {
    let trial = try ImportTrial([
      .make("E", [], [.make("parts", to: "Part", many: true)]),
      .make(
        "Part", identity: "n",
        [.make("n"), .make("number", type, ["JSONKeyPath": "@index"])]),
    ])
    let json = #"[{"id":1,"parts":[{"n":"b"},null,{"n":"c"},{"n":"a"}]}]"#
    try trial.load(#"[{"id":1,"parts":[{"n":"a"},{"n":"b"},{"n":"c"}]}]"#)
    try trial.load(json)
    #expect(try trial.export("E") == json)
  }

  @Test
  func `objects whose identity is their position, in full there and by it elsewhere`() throws {
    let node = EntityDescription.make(
      "Node", identity: "index",
      [.make("index", .integer64, ["JSONKeyPath": "@index"]), .make("name")],
      [.make("children", to: "Node", many: true, ["JSONExport": "identifier"])])
    let json =
      #"[{"id":1,"nodes":[{"name":"a","children":[1,2]},{"name":"b","children":[]},{"name":"c","children":[]}]}]"#
    let text = try round(
      [.make("id", .integer64)], [.make("nodes", to: "Node", many: true)],
      others: [node], reading: json)
    #expect(text == json)
  }

  @Test func `objects under keys, by their identity where nothing else names them`() throws {
    let json = #"[{"id":1,"parts":{"7":{"id":7},"8":{"id":8}}}]"#
    let text = try round(
      [.make("id", .integer64)],
      [.make("parts", to: "Part", many: true, ["JSONKeyPath": "parts.*"])],
      others: [.make("Part")], reading: json)
    #expect(text == json)
  }

  @Test func `an object that shares its owner's`() throws {
    let place = EntityDescription.make(
      "Place", identity: "city", [.make("city"), .make("zip", .string, ["JSONKeyPath": "p.zip"])],
      [.make("owners", to: "E", many: true, inverse: "place", ["JSONKeyPath": "-"])])
    let json = #"[{"id":1,"p":{"name":"n","zip":"z"},"city":"c"}]"#
    let text = try round(
      [.make("id", .integer64), .make("name", .string, ["JSONKeyPath": "p.name"])],
      [.make("place", to: "Place", inverse: "owners", ["JSONKeyPath": "$"])],
      others: [place], reading: json)
    #expect(text == json)
  }

  @Test(arguments: [255, 256, 300])
  func `objects that share their owner's, however many`(count: Int) throws {
    let parts = (0..<count).map { number in
      EntityDescription.make("P\(number)", identity: "a\(number)", [.make("a\(number)")])
    }
    let members = (0..<count).map { #""a\#($0)":"v\#($0)""# }
    let json = #"[{"id":1,\#(members.joined(separator: ","))}]"#
    let text = try round(
      [.make("id", .integer64)],
      (0..<count).map { .make("p\($0)", to: "P\($0)", ["JSONKeyPath": "$"]) },
      others: parts, reading: json)
    #expect(text == json)
  }

  @Test func `no more objects that share their owner's than the limit allows`() throws {
    let levels = (0..<12).map { number in
      EntityDescription.make(
        "L\(number)", identity: "",
        [.make("a\(number)")],
        number == 11
          ? []
          : ["x", "y"].map { .make($0, to: "L\(number + 1)", ["JSONKeyPath": "$"]) })
    }
    let model = try GraphModel(entities: levels)
    let error = #expect(throws: ExportError.self) { try JSONExporter(model: model) }
    #expect(error?.kind == .limit)
    #expect(error?.message.hasPrefix("L0: more than 1024 objects share one JSON object") == true)
  }

  @Test func `a discriminator, for sub-entities and in their own words`() throws {
    let animal = EntityDescription.make(
      "Animal", [.make("name")], [], ["JSONDiscriminator": "meta.kind"])
    let dog = EntityDescription.make(
      "Dog", identity: "", parent: "Animal", [.make("bark")], [],
      ["JSONDiscriminatorValue": "woof"])
    let trial = try ImportTrial([animal, dog])
    let json =
      #"[{"id":1,"name":"a"},{"meta":{"kind":"woof"},"id":2,"name":"b","bark":"c"}]"#
    try trial.load(json)
    #expect(try trial.export("Animal") == json)
  }

  @Test func `a discriminator that an attribute keeps`() throws {
    let animal = EntityDescription.make(
      "Animal", [.make("kind")], [], ["JSONDiscriminator": "kind"])
    let dog = EntityDescription.make("Dog", identity: "", parent: "Animal")
    let trial = try ImportTrial([animal, dog])
    let json = #"[{"id":1,"kind":"Dog"}]"#
    try trial.load(json)
    let dogs = try trial.store.graph.objects("Dog")
    #expect(dogs.count == 1)
    #expect(try trial.export("Animal") == json)
  }

  @Test(arguments: [(Dialect.sync, "id"), (.sync, "secret")])
  func `what Sync keeps to itself, by leaving it out`(dialect: Dialect, key: String) throws {
    let entity = EntityDescription(
      name: "E",
      attributes: [
        .make("id", .integer64), .make("remoteURL", .string),
        .make("secret", .string, ["sync.nonExportable": "YES"]),
      ])
    let trial = try ImportTrial([entity], dialect: dialect)
    try trial.load(#"[{"id": 1, "remote_url": "u", "secret": "s"}]"#)
    #expect(try trial.export("E") == #"[{"id":1,"remote_url":"u"}]"#)
  }
}
