import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// A model without annotations, for mappings to be laid over.
private enum MappingSample {
  static let entities = [
    EntityDescription(
      name: "Post",
      attributes: [
        AttributeDescription(name: "id", type: .integer64),
        AttributeDescription(name: "text", type: .string),
        AttributeDescription(name: "authorName", type: .string),
        AttributeDescription(name: "postedAt", type: .date),
        AttributeDescription(name: "longitude", type: .double),
        AttributeDescription(name: "latitude", type: .double),
      ],
      relationships: [.make("author", to: "User"), .make("tags", to: "Tag", many: true)],
      userInfo: ["identityAttributes": "id"]),
    EntityDescription(
      name: "Photo", superentity: "Post",
      attributes: [AttributeDescription(name: "url", type: .uri)]),
    EntityDescription(
      name: "User", attributes: [AttributeDescription(name: "name", type: .string)]),
    EntityDescription(
      name: "Tag", attributes: [AttributeDescription(name: "text", type: .string)]),
  ]

  static func model() throws -> GraphModel { try GraphModel(entities: entities, dialect: .graft) }

  /// Imports a document with a mapping, and gives the objects of the root's entity.
  static func objects(
    _ json: String, as entity: String = "Post", _ mapping: JSONMapping?
  ) throws -> [GraphObject] {
    let store = GraphStore(model: try model())
    var options = ImportOptions()
    options.mapping = mapping
    try store.importJSON(entity: entity, from: Data(json.utf8), options: options)
    return try Array(store.graph.objects(entity))
  }

  /// Imports a document of one object.
  static func object(
    _ json: String, as entity: String = "Post", _ mapping: JSONMapping?
  ) throws -> GraphObject {
    try #require(try objects(json, as: entity, mapping).first)
  }

  /// Returns the errors of a mapping's text, including those about names.
  static func errors(_ json: String) throws -> String {
    do {
      let mapping = try JSONMapping(json: Data(json.utf8))
      try mapping.validate(against: model())
      return ""
    } catch let error as ModelError {
      return error.description
    }
  }
}

@Suite struct `A mapping given at the call` {
  private static let tweet = """
    {"id_str": "7", "text": "hello", "created_at": "Mon Sep 24 03:35:21 +0000 2012",
     "user": {"name": "Ann"}, "coordinates": [13.5, 52.25]}
    """
  private static let literal: JSONMapping = [
    "Post": [
      "id_str": "id",
      "created_at": .property("postedAt", format: "EEE MMM dd HH:mm:ss Z yyyy"),
      "user": ["name": "authorName"],
      "coordinates": [0: "longitude", 1: "latitude"],
    ]
  ]
  private static let text = """
    {"Post": {
      "id_str": "id",
      "created_at": {"property": "postedAt", "format": "EEE MMM dd HH:mm:ss Z yyyy"},
      "user": {"name": "authorName"},
      "coordinates": {"[0]": "longitude", "[1]": "latitude"}}}
    """

  private static func built() throws -> JSONMapping {
    var mapping = JSONMapping()
    try mapping.map("id_str", to: "id", of: "Post")
    try mapping.map(
      "created_at", to: "postedAt", of: "Post", format: "EEE MMM dd HH:mm:ss Z yyyy")
    try mapping.map("user.name", to: "authorName", of: "Post")
    try mapping.map("coordinates[0]", to: "longitude", of: "Post")
    try mapping.map("coordinates[1]", to: "latitude", of: "Post")
    return mapping
  }

  @Test(arguments: ["literal", "calls", "JSON"])
  func `reads nested keys, positions and dates, and leaves other properties to the model`(
    _ form: String
  ) throws {
    let mapping: JSONMapping =
      switch form {
      case "literal": Self.literal
      case "calls": try Self.built()
      default: try JSONMapping(json: Data(Self.text.utf8))
      }
    let post = try MappingSample.object(Self.tweet, mapping)
    #expect(post["id"] == .integer(7))
    #expect(post["text"] == .string("hello"))
    #expect(post["authorName"] == .string("Ann"))
    #expect(post["postedAt"] == .date(Date(timeIntervalSince1970: 1_348_457_721)))
    #expect(post["longitude"] == .double(13.5))
    #expect(post["latitude"] == .double(52.25))
  }

  @Test(arguments: [
    "id: Tweet.id", "data: {}", "event: x\n\n", "retry: 3", "\u{1E}{}\u{1E}{}", "", "{}{}",
  ])
  func `is one JSON document, and nothing that streams begin with`(text: String) {
    #expect(throws: (any Error).self) { try JSONMapping(json: Data(text.utf8)) }
  }

  @Test func `is the same from a literal and from calls`() throws {
    #expect(try Self.literal == Self.built())
    #expect(Self.literal != JSONMapping())
  }

  @Test(arguments: [
    (#"{"id": 1, "title": "a", "headline": "b"}"#, "b"),
    (#"{"id": 1, "headline": "b", "title": "a"}"#, "b"),
    (#"{"id": 1, "title": "a"}"#, "a"),
  ])
  func `takes the first of several paths that is present`(
    _ json: String, _ expected: String
  ) throws {
    let text = #"{"Post": {"headline": "text", "title": "text"}}"#
    for mapping in [
      ["Post": ["headline": "text", "title": "text"]],
      try JSONMapping(json: Data(text.utf8)),
    ] {
      #expect(try MappingSample.object(json, mapping)["text"] == .string(expected))
    }
  }

  @Test func `reads a property that it names from nowhere else`() throws {
    let post = try MappingSample.object(
      #"{"id": 1, "text": "model", "author": {"name": "model"}}"#,
      ["Post": ["body": "text", "writer": "author"]])
    #expect(post["text"] == nil)
    #expect(post.object("author") == nil)
    #expect(try MappingSample.object(#"{"id": 1, "text": "model"}"#, nil)["text"] != nil)
  }

  @Test(arguments: ["literal", "calls", "JSON"])
  func `does not read what it keeps out`(_ form: String) throws {
    var mapping: JSONMapping = ["Post": ["-": ["text", "author"]]]
    if form == "calls" {
      mapping = JSONMapping()
      mapping.keepOut("text", of: "Post")
      mapping.keepOut("author", of: "Post")
    } else if form == "JSON" {
      mapping = try JSONMapping(json: Data(#"{"Post": {"-": ["text", "author"]}}"#.utf8))
    }
    let post = try MappingSample.object(
      #"{"id": 1, "text": "a", "-": "b", "author": {"name": "c"}, "authorName": "d"}"#, mapping)
    #expect(post["text"] == nil)
    #expect(post.object("author") == nil)
    #expect(post["authorName"] == .string("d"))
    let photo = try MappingSample.object(
      #"{"id": 1, "text": "a", "caption": "b"}"#, as: "Photo",
      ["Post": ["-": "text"], "Photo": ["caption": "text"]])
    #expect(photo["text"] == .string("b"))
    let quoted = try MappingSample.object(#"{"id": 1, "-": "b"}"#, ["Post": ["['-']": "text"]])
    #expect(quoted["text"] == .string("b"))
  }

  @Test func `gives one value to several properties, and to a relationship beside its parts`()
    throws
  {
    let post = try MappingSample.object(
      #"{"id": 1, "user": {"name": "Ann"}, "line": "x"}"#,
      [
        "Post": ["user": ["author", ["name": "authorName"]], "line": "text"],
        "User": ["name": "name"],
      ])
    #expect(post["authorName"] == .string("Ann"))
    #expect(post.object("author")?["name"] == .string("Ann"))
    let both = try MappingSample.object(
      #"{"id": 1, "line": "x"}"#, ["Post": ["line": ["text", "authorName"]]])
    #expect(both["text"] == .string("x"))
    #expect(both["authorName"] == .string("x"))
  }

  @Test func `leads to the objects of a relationship, which have a mapping of their own`() throws {
    let post = try MappingSample.object(
      #"{"id": 1, "entities": {"hashtags": [{"word": "a"}, {"word": "b"}]}}"#,
      ["Post": ["entities": ["hashtags": "tags"]], "Tag": ["word": "text"]])
    #expect(Set(post.objects("tags").map { $0["text"] }) == [.string("a"), .string("b")])
  }

  @Test func `holds for the entities below, whose own counts for more`() throws {
    let inherited = try MappingSample.object(
      #"{"id": 1, "body": "a"}"#, as: "Photo", ["Post": ["body": "text"]])
    #expect(inherited["text"] == .string("a"))
    let mapping: JSONMapping = [
      "Photo": ["caption": "text", "href": "url"], "Post": ["body": "text"],
    ]
    let photo = try MappingSample.object(
      #"{"id": 1, "body": "a", "caption": "b", "href": "x:y"}"#, as: "Photo", mapping)
    #expect(photo["text"] == .string("b"))
    #expect(photo["url"] != nil)
    #expect(try MappingSample.object(#"{"id": 1, "body": "a"}"#, mapping)["text"] == .string("a"))
  }

  @Test func `holds through long lines of entities, and the nearest counts`() throws {
    let names = (0..<60).map { "E\($0)" }
    let entities = zip(names, [nil] + names).map { name, above in
      EntityDescription(
        name: name, superentity: above,
        attributes: above == nil ? [AttributeDescription(name: "a", type: .date)] : [])
    }
    let schema = try GraphModel(entities: entities, dialect: .graft).schema
    let mapped = try schema.applying([
      "E25": ["y": "a"], "E0": ["x": .property("a", format: "unix")],
    ])
    let attributes = mapped.entities.map { $0.attributes[0] }
    #expect(
      attributes.map(\.paths[0].description).prefix(26)
        == ArraySlice(repeatElement("x", count: 25) + ["y"]))
    #expect(attributes[59].paths[0].description == "y")
    #expect(attributes[24].dateFormat == .unix)
    #expect(attributes[59].dateFormat == .automatic)
  }

  @Test func `converts by transformers, ready-made or written in code`() throws {
    let shout = AttributeTransformer(forward: { value in
      guard case .string(let text) = value else { return value }
      return .string(text.uppercased())
    })
    let post = try MappingSample.object(
      #"{"id": 1, "a": " x ", "b": "y"}"#,
      [
        "Post": [
          "a": .property("text", transformer: .trim),
          "b": .property("authorName", transformer: shout),
        ]
      ])
    #expect(post["text"] == .string("x"))
    #expect(post["authorName"] == .string("Y"))
    let text = """
      {"Post": {"a": {"property": "text", "transformer": "trim"},
                "b": {"property": "authorName", "transformer": "shout"}}}
      """
    let mapping = try JSONMapping(json: Data(text.utf8), transformers: ["shout": shout])
    let same = try MappingSample.object(#"{"id": 1, "a": " x ", "b": "y"}"#, mapping)
    #expect(same["text"] == .string("x"))
    #expect(same["authorName"] == .string("Y"))
  }

  @Test func `goes before the hooks, which see the values by property`() throws {
    let store = GraphStore(model: try MappingSample.model())
    var options = ImportOptions()
    options.mapping = ["Post": ["headline": "text"]]
    options.hooks["Post"] = ImportHooks(
      shouldImport: { post in post.values["authorName"] != .string("spam") },
      validators: [
        "text": { value in
          guard case .string(let text) = value else { return value }
          return .string(text.trimmingCharacters(in: .whitespaces))
        }
      ])
    let json = #"[{"id": 1, "headline": " a "}, {"id": 2, "authorName": "spam"}]"#
    try store.importJSON(entity: "Post", from: Data(json.utf8), options: options)
    #expect(try store.graph.objects("Post").map { $0["text"] } == [.string("a")])
  }

  @Test func `keeps the numbers of entities and properties`() throws {
    let schema = try MappingSample.model().schema
    let mapped = try schema.applying(Self.literal)
    #expect(mapped.entities.map(\.name) == schema.entities.map(\.name))
    for (before, after) in zip(schema.entities, mapped.entities) {
      #expect(before.attributes.map(\.name) == after.attributes.map(\.name))
      #expect(before.relationships.map(\.name) == after.relationships.map(\.name))
      #expect(before.identity == after.identity)
    }
    #expect(mapped.entities != schema.entities)
  }

  @Test func `changes nothing where it is empty`() throws {
    let schema = try MappingSample.model().schema
    #expect(try schema.applying(JSONMapping()) === schema)
    #expect(try schema.applying(nil) === schema)
  }

  @Test func `stops the import before the first byte where it does not fit the model`() throws {
    let store = GraphStore(model: try MappingSample.model())
    var options = ImportOptions()
    options.mapping = ["Post": ["a": "txet"]]
    #expect(throws: ModelError.self) { try store.makeImporter(entity: "Post", options: options) }
  }
}

@Suite struct `A faulty mapping` {
  @Test(arguments: [
    (
      #"{"Pots": {"a": "text", "b": "id"}}"#,
      #"1:16: the mapping names the unknown entity "Pots", did you mean "Post"?"#
    ),
    (
      #"{"Post": {"a": {"b": "txet"}}}"#,
      #"1:22: Post: the path "a.b" is mapped to "txet", which is no property, did you mean "text"?"#
    ),
    (
      "{\"Post\": {\n \"a\": {\"property\": \"text\", \"fromat\": \"unix\"}}}",
      #"2:28: Post: unknown key "fromat", did you mean "format"?"#
    ),
    (
      #"{"Post": {"a": {"property": "text", "transformer": "trimm"}}}"#,
      #"1:16: Post: unknown transformer "trimm", did you mean "trim"?"#
    ),
    (
      #"{"Post": {"a": {"property": "text", "format": "unix"}}}"#,
      #"1:16: Post.text: the format "unix" is for dates, but this is a String"#
    ),
    (
      #"{"Post": {"a": {"property": "author", "format": "unix"}}}"#,
      "1:16: Post.author: a relationship has neither a format nor a transformer; map the attributes of its objects"
    ),
    (
      #"{"Post": {"a.*": "text"}}"#,
      #"1:18: Post.text: the path "a.*" has a wildcard and leads to any number of values"#
    ),
    (
      #"{"Post": {"$": "text"}}"#,
      #"1:16: Post.text: an attribute at "$" would be the object itself"#
    ),
    (
      #"{"Post": {"a": {"property": "postedAt", "format": "unx"}}}"#,
      #"1:16: Post.postedAt: the format is "unx", expected auto, iso8601, unix or unix-ms, or a Unicode date pattern; as a pattern, the letter "n" means nothing; quote plain text: 'T', did you mean "unix"?"#
    ),
    (
      #"{"Post": {"a": {"property": "postedAt", "format": "unix"}, "b": {"property": "postedAt", "format": "auto"}}}"#,
      #"1:65: Post.postedAt: mapped with the formats "unix" and "auto"; give one for all its paths"#
    ),
    (
      #"{"Post": {"a": {"property": "text", "transformer": "trim"}, "b": {"property": "text", "transformer": "url"}}}"#,
      "1:66: Post.text: mapped with two transformers; give one for all its paths"
    ),
    (
      #"{"Post": {"a": "text", "-": "text"}}"#,
      #"1:29: Post.text: mapped from "a" and kept out by "-"; remove one of the two"#
    ),
    (
      #"{"Post": {"-": "txet"}}"#,
      #"1:16: Post: the mapping keeps out "txet", which is no property, did you mean "text"?"#
    ),
    (
      #"{"Post": {"a": "text", "a": "author"}}"#,
      #"1:24: Post: the key "a" occurs twice; remove one of the two"#
    ),
    (
      #"{"Post": {"a": {"property": "text", "property": "author"}}}"#,
      #"1:37: Post: the key "property" occurs twice; remove one of the two"#
    ),
    (
      #"{"Post": {"a": 5}}"#,
      "1:16: Post: expected the name of a property, an object or an array, found the number 5"
    ),
    (#"{"Post": []}"#, "1:10: Post: expected an object whose keys are paths, found an array"),
    ("[]", "1:1: expected an object whose keys are names of entities, found an array"),
    (
      #"{"Post": {"@key": {"a": "text"}}}"#,
      #"1:25: Post: invalid path "@key" at character 5: expected the end, since @key, @index and @value end a path, found "a""#
    ),
    (#"{"Post": {"a": "text"}"#, "1:23: $: the document ends too early: "),
  ])
  func `is told with the place and the nearest name`(_ text: String, _ error: String) throws {
    let errors = try MappingSample.errors(text)
    #expect(errors.hasPrefix("mapping:\(error)"), "\(errors)")
    #expect(errors.split(separator: "\n").count == 1)
  }

  @Test func `is told with all its faults at once`() throws {
    let errors = try MappingSample.errors(
      #"{"Post": {"a": "txet", "b": "auhtor"}, "Uzer": {"c": "d"}}"#)
    #expect(errors.split(separator: "\n").count == 3)
  }

  @Test func `from code is told by its path`() throws {
    let mapping: JSONMapping = ["Post": ["user": ["name": "authrName"], "a[": "text"]]
    let error = #expect(throws: ModelError.self) {
      try mapping.validate(against: MappingSample.model())
    }
    let text = error?.description ?? ""
    #expect(
      text.contains(#"Post: the path "user.name" is mapped to "authrName", which is no property"#))
    #expect(text.contains(#"invalid path "a[" at character 3"#))
  }

  @Test(arguments: [
    String(repeating: "[", count: 100_000),
    #"{"Post": {"a": \#(String(repeating: #"{"a":"#, count: 60))"text"\#(String(repeating: "}", count: 60))}}"#,
    #"{"Post": \#(String(repeating: #"{"a.a.a.a.a.a":"#, count: 40))"text"\#(String(repeating: "}", count: 40))}"#,
    "", "\u{0}", #"{"Post": {"": "text"}}"#, #"{"Post": {"a": {"property": 1}}}"#,
    #"{"Post": {\#((0...40).map { #""a\#($0)": "text""# }.joined(separator: ","))}}"#,
  ])
  func `is refused or read, whatever it holds`(_ text: String) throws {
    let isSound = text.hasPrefix(#"{"Post": {"a": {"a":{"a":"#)
    #expect(try MappingSample.errors(text).isEmpty == isSound)
  }
}
