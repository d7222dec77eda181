import Testing

@testable import Graft
@testable import GraftTestSupport

/// A large amount of anything is neither an error nor slow below its limit, and is named above it.
@Suite struct `An import of much` {
  // At 256 siblings the list of open objects has to grow.
  @Test(arguments: 240...270)
  func `clears what is absent, however many siblings there are`(count: Int) throws {
    let clear = ["JSONAbsent": "clear"]
    let trial = try ImportTrial([
      .make("List", [], [.make("items", to: "Item", many: true)]),
      .make("Item", [.make("name", .string, clear), .make("age", .integer64, clear)]),
    ])
    for rest in [#","name":"x","age":1"#, ""] {
      let items = (0..<count).map { #"{"id":\#($0)\#(rest)}"# }.joined(separator: ",")
      try trial.load(#"{"id":1,"items":[\#(items)]}"#)
      let loaded = try trial.store.graph.objects("Item")
      #expect(loaded.count == count)
      #expect(loaded.allSatisfy { ($0["name"] == nil) == rest.isEmpty })
      #expect(loaded.allSatisfy { ($0["age"] == nil) == rest.isEmpty })
    }
  }

  @Test func `finds the places of objects in a large chunk as fast as in small ones`()
    throws
  {
    let text = Array(
      ("[" + repeatElement(#"{"a":{}}"#, count: 60_000).joined(separator: ",") + "]").utf8)
    var options = ParserOptions()
    options.engine = .native
    func time(chunk: Int) throws -> Duration {
      let places = PlacesOfObjects()
      let parser = EventParser(sink: places, options: options)
      places.engine = parser.engine
      return try ContinuousClock().measure {
        for start in stride(from: 0, to: text.count, by: chunk) {
          try text[start..<min(start + chunk, text.count)].withUnsafeBytes {
            try parser.parse($0.bytes)
          }
        }
        try parser.finish()
        #expect(places.count == 120_000)
      }
    }
    let small = try time(chunk: 64 << 10)
    #expect(try time(chunk: text.count) < small * 4)
  }

  @Test(.timeLimit(.minutes(1)))
  func `reads a long array for a property that has several paths`() throws {
    let trial = try ImportTrial(
      [
        EntityDescription(
          name: "User", attributes: [.make("id", .integer64)],
          relationships: [.make("notes", to: "Note", many: true)]),
        EntityDescription(name: "Note", attributes: [.make("id", .integer64)]),
      ], dialect: .sync)
    let count = 100_000
    let ids = (0..<count).map(String.init).joined(separator: ",")
    try trial.load(#"{"id":1,"notes_ids":[\#(ids)]}"#, .with { $0.relationships.reference = .stub })
    #expect(try trial.store.graph.objects("User").first?.objects("notes").count == count)
  }

  @Test(.timeLimit(.minutes(1)))
  func `deletes the members of a long array that no longer names them`() throws {
    let trial = try ImportTrial([
      .make("List", [], [.make("items", to: "Item", many: true)]), .make("Item"),
    ])
    let count = 60_000
    let lists = (0..<2).map { list in
      let ids = (list * count..<(list + 1) * count).map(String.init).joined(separator: ",")
      return #"{"id":\#(list),"items":[\#(ids)]}"#
    }
    try trial.load("[\(lists.joined(separator: ","))]")
    let report = try trial.load(
      #"{"id":0,"items":[]}"#, .with { $0.relationships.removed = .delete })
    #expect(report.count(of: "Item").deleted == count)
    #expect(try trial.store.graph.count(of: "Item") == count)
  }

  @Test(arguments: ["boss", "team"])
  func `stops when more references wait for the end than may`(relationship: String) throws {
    let trial = try ImportTrial([
      .make("Hero", [], [.make("boss", to: "Hero"), .make("team", to: "Hero", many: true)])
    ])
    let json = (0..<200).map { number in
      let value = relationship == "team" ? "[\(number + 1)]" : "\(number + 1)"
      return #"{"id":\#(number),"\#(relationship)":\#(value)}"#
    }.joined(separator: ",")
    func options(_ limit: Int) -> ImportOptions {
      .with {
        $0.relationships.reference = .defer
        $0.bufferLimit = limit
      }
    }
    // Skipping an object does not evade a limit.
    var lenient = options(10_000)
    lenient.errorPolicy = .skipObject
    for options in [options(10_000), lenient] {
      let message = trial.failure("[\(json)]", options)
      #expect(
        message.contains(
          "more than 10000 bytes of references wait for the end of the document; let the objects"
            + " that they name come earlier, let references make stubs, or raise bufferLimit"))
    }
    #expect(try trial.load("[\(json)]", options(100_000)).ignoredReferenceCount == 1)
  }

  @Test func `counts no identifiers of objects that are left as they are, nor of replaced lists`()
    throws
  {
    let trial = try ImportTrial([
      .make("Hero", [], [.make("boss", to: "Hero"), .make("team", to: "Hero", many: true)])
    ])
    var options = ImportOptions.with {
      $0.relationships.reference = .defer
      $0.bufferLimit = 10_000
    }
    let replaced = (0..<200).map { #"{"id":\#($0),"team":[777],"team":[]}"# }
    try trial.load("[\(replaced.joined(separator: ","))]", options)
    let heroes = (0..<200).map { #"{"id":\#($0),"boss":\#($0 + 500),"team":[\#($0 + 600)]}"# }
    let json = "[\(heroes.joined(separator: ","))]"
    options.mode = .insertOnly
    try trial.load(json, options)
    options.mode = .upsert
    options.hooks["Hero"] = ImportHooks(shouldImportRelationship: { _, _ in false })
    try trial.load(json, options)
    #expect(try trial.store.graph.count(of: "Hero") == 200)
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["a", "b"])
  func `reads a key that is repeated at one of several paths`(key: String) throws {
    let trial = try ImportTrial([
      .make(
        "Hero",
        [
          .make("age", .integer64, ["JSONKeyPath": "a | b"]),
          AttributeDescription(
            name: "mood", type: .string,
            userInfo: [
              "JSONKeyPath": "c | d", "JSONValues": "good | bad", "JSONUnknownValue": "bad",
            ]),
        ])
    ])
    let values = Array(repeating: #""\#(key)":"x","d":"y""#, count: 60_000).joined(separator: ",")
    let report = try trial.load(
      #"{"id":1,"c":"good",\#(values)}"#, .with { $0.errorPolicy = .skipValue })
    #expect(trial.lines == [#"Hero/1 id: 1, mood: "good""#])
    #expect(report.issueCount == 60_000)
    #expect(report.noticeCount == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `reads an identity that is repeated while the entity is not known`() throws {
    let trial = try ImportTrial([
      .make("Vehicle", [], [], ["JSONDiscriminator": "type"]),
      .make("Car", identity: "", parent: "Vehicle"), .make("Van", identity: "", parent: "Car"),
    ])
    let values = Array(repeating: #""id":null"#, count: 100_000).joined(separator: ",")
    try trial.load(#"{"type":"Car",\#(values),"id":3}"#)
    #expect(trial.lines == ["Car/1 id: 3"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `reads many values at later paths beside many others`() throws {
    let trial = try ImportTrial([
      .make(
        "List", [],
        [
          .make("items", to: "Item", many: true), .make("friends", to: "Tag", many: true),
          .make("tags", to: "Tag", many: true, ["JSONKeyPath": "tags | items[*].tag"]),
        ]), .make("Item", [], [.make("owner", to: "Tag", ["JSONKeyPath": "owner | legacy"])]),
      .make("Tag"),
    ])
    let count = 40_000
    let friends = (0..<count).map(String.init).joined(separator: ",")
    let items = (0..<count).map { #"{"id":\#($0),"tag":\#($0),"legacy":\#($0)}"# }
    try trial.load(
      #"{"id":1,"friends":[\#(friends)],"items":[\#(items.joined(separator: ","))]}"#)
    let list = try #require(try trial.store.graph.objects("List").first)
    #expect(list.objects("tags").count == count)
    #expect(try trial.store.graph.objects("Item").allSatisfy { $0.object("owner") != nil })
  }

  @Test func `takes back what replaced links had waiting`() {
    var deferred = DeferredLinks()
    let owner = ObjectID(entity: 0, store: 0)
    let link = DeferredLink(
      owner: owner, relationship: 0, members: [.reference(0), .reference(1)],
      isNested: true)
    deferred.add(link)
    let size = deferred.byteCount
    #expect(size > link.byteCount)
    _ = deferred.cancel(owner, 0)
    deferred.add(link)
    #expect(deferred.byteCount == size)
    deferred.add(link)
    #expect(deferred.byteCount == size + link.byteCount)
    _ = deferred.cancel(owner, 0)
    #expect(deferred.byteCount == size - link.byteCount)
  }
}

/// Asks for the place of each object at its end, as hooks do.
private final class PlacesOfObjects: EventSink {
  weak var engine: (any EventEngine)?
  var count = 0

  override func endObject() -> Bool {
    if let engine, engine.location(ofContainerAt: engine.depth).line == 1 { count += 1 }
    return true
  }
}
