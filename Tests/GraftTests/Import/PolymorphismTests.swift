import Testing

@testable import Graft
@testable import GraftTestSupport

/// Objects whose entity depends on what they hold.
@Suite struct `A polymorphic object` {
  private let trial: ImportTrial

  init() throws {
    var shape = EntityDescription(
      name: "Shape", isAbstract: true,
      attributes: [
        AttributeDescription(name: "id", type: .integer64, isOptional: false),
        AttributeDescription(name: "name", type: .string),
      ],
      userInfo: ["identityAttributes": "id", "JSONDiscriminator": "type"])
    shape.relationships = [RelationshipDescription(name: "inner", destination: "Shape")]
    let circle = EntityDescription(
      name: "Circle", superentity: "Shape",
      attributes: [AttributeDescription(name: "size", type: .double)],
      userInfo: ["JSONDiscriminatorValue": "circle"])
    let label = EntityDescription(
      name: "Label", superentity: "Shape",
      attributes: [AttributeDescription(name: "size", type: .string)],
      userInfo: ["JSONDiscriminatorValue": "label"])
    trial = try ImportTrial([shape, circle, label])
  }

  @Test(arguments: [
    #"[{"type":"circle","id":1,"size":2},{"type":"label","id":2,"size":2}]"#,
    #"[{"id":1,"size":2,"type":"circle"},{"size":2,"id":2,"type":"label"}]"#,
    #"[{"id":1,"name":null,"size":2,"x":[true,null],"type":"circle"},{"type":null,"id":2,"size":2,"type":"label"}]"#,
    #"[{"size":2,"x":{"type":"label","y":[1,{}]},"type":"circle","id":1},{"id":2,"type":"label","size":2}]"#,
  ])
  func `is what its discriminator says, wherever that stands`(json: String) throws {
    for chunk in [1, 7, nil] {
      try trial.load(json, chunk: chunk)
      #expect(trial.lines == [#"Circle/1 id: 1, size: 2"#, #"Label/1 id: 2, size: "2""#])
    }
  }

  @Test func `is what its identity names, where nothing else says what it is`() throws {
    try trial.load(#"{"type":"circle","id":1,"size":2}"#)
    let report = try trial.load(#"{"size":3,"id":1}"#)
    #expect(report.updatedCount == 1)
    #expect(trial.lines == ["Circle/1 id: 1, size: 3"])
  }

  /// Names of `Media`, `Photo` above `Raw` or of nothing, in every order of the keys.
  @Test(arguments: ["Photo", "Media", "Video"], [0, 1, 2, 3])
  func `stays what it is where its discriminator names an entity above it`(
    name: String, place: Int
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Media", [.make("title")], [],
        ["JSONDiscriminator": "type", "JSONUnknownValue": "Photo"]),
      .make("Photo", identity: "", parent: "Media", [.make("width", .integer64)]),
      .make("Raw", identity: "", parent: "Photo", [.make("iso", .integer64)]),
    ])
    try trial.load(#"{"id": 1, "type": "Raw", "iso": 100}"#)
    var members = [#""iso": 200"#, #""title": "t""#, #""width": 3"#]
    members.insert(#""id": 1"#, at: place)
    for position in members.indices {
      var keys = members
      keys.insert("\"type\": \"\(name)\"", at: position)
      try trial.load("{\(keys.joined(separator: ", "))}")
      #expect(trial.lines == [#"Raw/1 id: 1, iso: 200, title: "t", width: 3"#])
    }
  }

  @Test func `waits for its identity only where its discriminator names one with others below`()
    throws
  {
    let trial = try ImportTrial([
      .make("Media", [.make("title")], [], ["JSONDiscriminator": "type"]),
      .make("Photo", identity: "", parent: "Media", [.make("width", .integer64)]),
    ])
    let options = ImportOptions.with { $0.bufferLimit = 1000 }
    func document(_ name: String) -> String {
      #"{"type": "\#(name)", "title": "\#(String(repeating: "x", count: 2000))", "width": 3, "id": 1}"#
    }
    try trial.load(document("Photo"), options)
    #expect(trial.lines.first?.hasPrefix("Photo/1 id: 1") == true)
    #expect(
      trial.failure(document("Media"), options).contains("put the discriminator and the identity"))
  }

  @Test func `is found by its key in an object`() throws {
    let trial = try ImportTrial([
      .make("Media", [.make("id", .string, ["JSONKeyPath": "@key"])]),
      .make("Photo", identity: "", parent: "Media", [.make("width", .integer64)]),
    ])
    try trial.load(#"{"a": {"width": 1}}"#, as: "Photo", at: "*")
    try trial.load(#"{"a": {"width": 2}}"#, as: "Media", at: "*")
    #expect(trial.lines == [#"Photo/1 id: "a", width: 2"#])
  }

  @Test func `holds others that are decided for themselves`() throws {
    try trial.load(
      #"{"inner":{"inner":{"id":3,"type":"circle"},"id":2,"type":"label"},"id":1,"type":"circle"}"#)
    #expect(
      trial.lines == [
        "Circle/1 id: 3", "Circle/2 id: 1, inner: Label/1", "Label/1 id: 2, inner: Circle/1",
      ])
  }

  @Test(arguments: [
    (
      "[\n {\"id\":1,\n  \"type\":\"square\"}]",
      #"3:10: $[0].type: expected a sub-entity of Shape ("circle", "label"), found the string "square""#
    ),
    (
      "[\n {\"id\":1}]",
      "2:2: $[0]: Shape is abstract, and nothing says which of its sub-entities"
        + " (Circle, Label) this object is"
    ),
    (
      "{\"id\":1,\n\"inner\":{\"name\":[7],\"id\":2,\"type\":\"label\"},\"type\":\"circle\"}",
      "2:17: $.inner.name: expected a string, found an array"
    ),
  ])
  func `that cannot be placed is an error with its place`(json: String, message: String) {
    #expect(trial.failure(json) == message)
  }

  @Test func `that waits too long for what it is meets a limit`() {
    let options = ImportOptions.with { $0.bufferLimit = 1000 }
    let json = "{\"id\":1,\"name\":\"\(String(repeating: "x", count: 2000))\",\"type\":\"label\"}"
    #expect(trial.failure(json, options).contains("more than 1000 bytes were buffered"))
  }

  @Test func `that cannot be placed may be passed over`() throws {
    let report = try trial.load(
      #"[{"id":1,"type":"square"},{"type":"round","id":2},{"id":3,"type":"label"}]"#,
      .with { $0.errorPolicy = .skipObject })
    #expect(report.issueCount == 2)
    #expect(trial.lines == ["Label/1 id: 3"])
  }
}

/// A stub that turns out to be of a sub-entity of the one that it was made of.
@Suite struct `A stub of a sub-entity` {
  private func trial(isOrdered: Bool = false, hasInverse: Bool = true) throws -> ImportTrial {
    let inverse = hasInverse ? "owner" : nil
    return try ImportTrial([
      .make(
        "Owner", [],
        [
          RelationshipDescription(
            name: "pets", destination: "Animal", inverse: inverse, isToMany: true,
            isOrdered: isOrdered), .make("best", to: "Animal"),
        ]),
      .make(
        "Animal", [.make("name")],
        hasInverse ? [.make("owner", to: "Owner", inverse: "pets")] : [],
        ["JSONDiscriminator": "type"]),
      .make("Dog", identity: "", parent: "Animal", [.make("bark")]),
    ])
  }

  private static let document = """
    {"pets":[3,1,2,{"id":1,"type":"Dog","bark":"wau"},{"id":2}],"id":7,"best":1}
    """

  @Test(arguments: [false, true], [false, true])
  func `gives way in the same document, and its links follow`(
    isOrdered: Bool, hasInverse: Bool
  )
    throws
  {
    let trial = try trial(isOrdered: isOrdered, hasInverse: hasInverse)
    let report = try trial.load(Self.document)
    let owner = hasInverse ? ", owner: Owner/1" : ""
    #expect(
      trial.lines == [
        "Animal/1 id: 3\(owner)", "Animal/2 id: 2\(owner)",
        #"Dog/1 bark: "wau", id: 1\#(owner)"#,
        "Owner/1 best: Dog/1, id: 7, pets: [\(isOrdered ? "Animal/1, Dog/1, Animal/2" : "Animal/1, Animal/2, Dog/1")]",
      ])
    #expect(report.count(of: "Animal") == .init(entity: "Animal", inserted: 2))
    #expect(report.count(of: "Dog") == .init(entity: "Dog", inserted: 1))
    #expect(report.unfilledStubCount == 1)
    #expect(try trial.load(Self.document).updatedCount == 0)
  }

  @Test(arguments: [false, true], [nil, 1])
  func `gives way in a later document, whichever object leads to it`(
    hasInverse: Bool, interval: Int?
  ) throws {
    let trial = try trial(isOrdered: true, hasInverse: hasInverse)
    try trial.load(#"[{"id":7,"pets":[3,1,2],"best":1},{"id":8,"best":1}]"#)
    let stub = try #require(
      try trial.store.graph.object("Animal", identifiedBy: ["id": .integer(1)]))
    let report = try trial.load(
      #"[{"type":"Dog","id":1,"bark":"wau"},{"id":2,"name":"Tom"}]"#, as: "Animal",
      .with { $0.savePolicy.objects = interval })
    #expect(report.count(of: "Dog") == .init(entity: "Dog", updated: 1))
    #expect(trial.store.graph.object(stub.id) == nil)
    let owner = hasInverse ? ", owner: Owner/1" : ""
    #expect(
      trial.lines == [
        "Animal/1 id: 3\(owner)", #"Animal/2 id: 2, name: "Tom"\#(owner)"#,
        #"Dog/1 bark: "wau", id: 1\#(owner)"#,
        "Owner/1 best: Dog/1, id: 7, pets: [Animal/1, Dog/1, Animal/2]",
        "Owner/2 best: Dog/1, id: 8",
      ])
  }

  @Test func `may be narrowed by a reference, and filled after that`() throws {
    let trial = try ImportTrial([
      .make("Kennel", [], [.make("any", to: "Animal"), .make("dog", to: "Dog")]),
      .make("Animal", [.make("name")]), .make("Dog", identity: "", parent: "Animal"),
    ])
    let report = try trial.load(#"[{"id":7,"any":1},{"id":8,"dog":1}]"#)
    #expect(report.unfilledStubCount == 1)
    #expect(
      trial.lines == ["Dog/1 id: 1", "Kennel/1 any: Dog/1, id: 7", "Kennel/2 dog: Dog/1, id: 8"])
    try trial.load(#"{"id":1,"name":"Rex"}"#, as: "Animal")
    #expect(trial.lines.first == #"Dog/1 id: 1, name: "Rex""#)
  }

  @Test func `is the only object that gives way`() throws {
    let trial = try trial()
    try trial.load(#"{"id":1,"name":"Rex"}"#, as: "Animal")
    #expect(
      trial.failure(#"{"id":1,"type":"Dog"}"#, as: "Animal")
        == "1:1: $: expected an object of Dog, but its identity belongs to an object of Animal")
  }
}
