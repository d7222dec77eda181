import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Reports the paths of a model that a document lacks, and the keys of a document that no path
/// reads.
@Suite struct `Coverage` {
  private let trial: ImportTrial

  init() throws {
    trial = try ImportTrial([
      .make(
        "Hero",
        [
          .make("name"), .make("born", .integer64, ["JSONKeyPath": "life.born | birth"]),
          .make("rank", .integer64, ["JSONKeyPath": "ranks[1]"]),
        ],
        [.make("boss", to: "Hero"), .make("powers", to: "Power", many: true)]),
      .make("Power", [.make("name")]), .make("Place", [.make("name")]),
    ])
  }

  private func coverage(
    _ json: String, at path: String? = nil, _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportCoverage {
    let report = try trial.load(
      json, at: path,
      .with {
        $0.reportsCoverage = true
        change(&$0)
      })
    return try #require(report.coverage)
  }

  private static let document =
    #"""
    {"meta": 1, "heroes": [
      {"id": 1, "nmae": "A", "life": {"bron": 3}, "ranks": [1]},
      {"id": 2, "nmae": "B", "nothing": {"x": [{"y": 1}]}, "life": {"born": 3}},
      {"id": 3, "boss": {"id": 4, "nmae": "C"}}
    ]}
    """#

  @Test func `lists the paths at which nothing was found, and in how many objects`() throws {
    #expect(
      try coverage(Self.document, at: "heroes").unfoundPaths.map(\.description) == [
        #"Hero.name: "name" was found in none of 4 objects"#,
        #"Hero.born: "birth" was found in none of 4 objects"#,
        #"Hero.rank: "ranks[1]" was found in none of 4 objects"#,
        #"Hero.powers: "powers" was found in none of 4 objects"#,
      ])
  }

  @Test(arguments: [
    (
      #"{"id": 1, "life": [null, {"born": 3}, 4], "ranks": {"a": 1, "b": 2}}"#,
      [
        #"1:19: $.life: nothing reads an array at "life", found 1 time"#,
        #"1:52: $.ranks: nothing reads an object at "ranks", found 1 time"#,
      ]
    ),
    (
      #"{"id": 1, "life": 3, "ranks": "x", "boss": {"id": 2, "life": 4}}"#,
      [
        #"1:19: $.life: nothing reads a number at "life", found 2 times"#,
        #"1:31: $.ranks: nothing reads a string at "ranks", found 1 time"#,
      ]
    ),
    (
      #"[{"id": 1, "life": [[1]]}, {"id": 2, "life": [1, 2]}]"#,
      [#"1:20: $[0].life: nothing reads an array at "life", found 2 times"#]
    ),
    (#"{"id": 1, "life": [], "ranks": {}, "boss": {"id": 2, "life": null, "ranks": [null]}}"#, []),
  ])
  func `lists values of a kind that nothing reads, though the key is known`(
    json: String, unread: [String]
  ) throws {
    let coverage = try coverage(json)
    #expect(coverage.unreadKeys.map(\.description) == unread)
  }

  @Test(arguments: ["hours", "opening-hours"])
  func `lists values in the place of a relationship's container, besides the notice`(
    key: String
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Shop", identity: "", [.make("note", .string, ["JSONKeyPath": "\(key).note"])],
        [.make("hours", to: "Hour", many: true, ["JSONKeyPath": "\(key).*"])]),
      .make("Hour", identity: "", [.make("day")]),
    ])
    let json = #"[{"\#(key)": [4, 5]}, {"\#(key)": 7}, {"\#(key)": [6]}]"#
    let report = try trial.load(
      json, as: "Shop",
      .with {
        $0.reportsCoverage = true
        $0.unknownKeys = .report
      })
    let unread = report.coverage?.unreadKeys ?? []
    #expect(unread.map(\.key) == [key, key])
    #expect(unread.map(\.found) == ["an array", "a number"])
    #expect(unread.map(\.count) == [2, 1])
    #expect(report.noticeCount == 3)
  }

  @Test func `lists the entities without objects`() throws {
    #expect(try coverage(Self.document, at: "heroes").unfoundEntities == ["Power"])
  }

  @Test func `lists the keys that nothing read, with their number and what they may mean`() throws {
    let coverage = try coverage(Self.document, at: "heroes")
    #expect(
      coverage.unreadKeys.map(\.description) == [
        #"2:13: $.heroes[0].nmae: nothing reads "nmae", found 3 times, did you mean "name"?"#,
        #"1:2: $.meta: nothing reads "meta", found 1 time"#,
        #"2:35: $.heroes[0].life.bron: nothing reads "bron", found 1 time, did you mean "born"?"#,
        #"3:26: $.heroes[1].nothing: nothing reads "nothing", found 1 time"#,
      ])
    #expect(coverage.unreadKeyCount == 6)
    #expect(coverage.unreadKeys.map(\.entity) == ["Hero", nil, "Hero", "Hero"])
  }

  @Test func `is empty where all fits, and absent unless asked for`() throws {
    let json =
      #"[{"id":1,"name":"A","life":{"born":1},"birth":1,"ranks":[1,2],"boss":null,"#
      + #""powers":[{"id":1,"name":null}]}]"#
    let report = try trial.load(json)
    #expect(report.coverage == nil)
    #expect(report.notices == [])
    #expect(try coverage(json) == ImportCoverage())
  }

  @Test func `lists a limited number of keys`() throws {
    let keys = (0..<1_200).map { #""key \#($0)":1"# }.joined(separator: ",")
    let long = String(repeating: "x", count: 5_000)
    let coverage = try coverage(#"[{"id":1,"\#(long)":1,\#(keys)},{"id":2,"key 3":1}]"#)
    #expect(coverage.unreadKeys.count == 1_000)
    #expect(coverage.unreadKeyCount == 1_202)
    #expect(coverage.unreadKeys[0].count == 2)
    #expect(coverage.unreadKeys[1].key.count == 200)
  }

  @Test(arguments: [ImportOptions.UnknownKeyPolicy.skip, .report])
  func `changes nothing in what unknown keys do`(policy: ImportOptions.UnknownKeyPolicy) throws {
    let report = try trial.load(
      Self.document, at: "heroes",
      .with {
        $0.reportsCoverage = true
        $0.unknownKeys = policy
      })
    #expect(report.notices.count { $0.error.kind == .key } == (policy == .report ? 6 : 0))
  }

  @Test func `holds however the document is cut, and through a buffer`() throws {
    let trial = try ImportTrial([
      .make("Shape", [.make("name")], [], ["JSONDiscriminator": "type"]),
      .make("Circle", identity: "", parent: "Shape", [.make("radius", .integer64)]),
    ])
    let json = #"[{"nam":"x","radius":2,"type":"Circle","id":1}]"#
    for chunk in [1, 2, 3, 7, 100] {
      let report = try trial.load(json, .with { $0.reportsCoverage = true }, chunk: chunk)
      let coverage = try #require(report.coverage)
      #expect(coverage.unfoundPaths.map(\.property) == ["name"])
      #expect(coverage.unreadKeys.contains { $0.key == "nam" && $0.nearest == "name" })
    }
  }

  // MARK: Without asking

  private static let media: [EntityDescription] = [
    .make("Media", [.make("title")], [], ["JSONDiscriminator": "type"]),
    .make("Photo", identity: "", parent: "Media", [.make("width", .integer64)]),
    .make("Video", identity: "", parent: "Media", [.make("length", .integer64)]),
  ]

  @Test(arguments: [
    (
      #"[{"type":"Photo","id":1,"width":1},{"type":"Video","id":2,"length":2}]"#,
      [#"Media.title: "title" was found in none of 2 objects"#]
    ),
    (
      #"[{"type":"Photo","id":1,"width":1,"title":"a"},{"id":2,"type":"Video"}]"#,
      [
        #"Video.title: "title" was found in none of 1 object"#,
        #"Video.length: "length" was found in none of 1 object"#,
      ]
    ),
  ])
  func `lists an inherited property once`(json: String, paths: [String]) throws {
    let trial = try ImportTrial(Self.media)
    let report = try trial.load(json, .with { $0.reportsCoverage = true })
    #expect(report.coverage?.unfoundPaths.map(\.description) == paths)
    #expect(report.coverage?.unfoundEntities == [])
  }

  @Test func `names the place of a key that waited in a buffer`() throws {
    for json in [#"[{"id":1,"zz":1,"type":"Photo"}]"#, #"[{"type":"Photo","id":1,"zz":1}]"#] {
      let report = try ImportTrial(Self.media).load(json, .with { $0.reportsCoverage = true })
      #expect(report.coverage?.unreadKeys.map(\.path) == ["$[0].zz"])
    }
  }

  @Test(arguments: [("@parent.id", []), ("@parent.no", ["@parent.no"]), ("@parent.@key", [])])
  func `lists paths out of the object at which nothing was found`(
    path: String, unfound: [String]
  ) throws {
    let trial = try ImportTrial([
      .make("Order", [], [.make("items", to: "Item", many: true)]),
      .make("Item", identity: "", [.make("order", .string, ["JSONKeyPath": path])]),
    ])
    let report = try trial.load(
      #"{"a":{"items":[{}],"id":7}}"#, at: "*", .with { $0.reportsCoverage = true })
    #expect(report.coverage?.unfoundPaths.map(\.path) == unfound)
  }

  @Test func `without being asked for notes an entity without objects`() throws {
    let report = try trial.load(#"[{"id":1,"nom":"A"},{"id":2,"nom":"B"}]"#)
    #expect(
      report.notices.map(\.description) == [
        #"no path of Hero but its identity was found in any of 2 objects ("name", "life.born","#
          + #" "birth", "ranks[1]", "boss", "powers"); compare them with the keys that nothing"#
          + " reads, which the report's coverage lists"
      ])
    #expect(report.notices[0].error.kind == .pathNotFound)
    #expect(report.issueCount == 0)
  }

  @Test(arguments: [
    (#"{"id_str": "1"}"#, "its object was"),
    (#"[{"id_str": "1"}, {"id_str": "2"}]"#, "2 objects were"),
  ])
  func `without being asked for notes an entity of which nothing has a place in JSON`(
    json: String, objects: String
  ) throws {
    // Without the second annotation this is a model of ZDSStreamJSONParser.
    let model = try GraphModel(
      entities: [
        EntityDescription(
          name: "Tweet", attributes: [.make("identifier")],
          userInfo: ["id_str": "identifier", "identityAttributes": "identifier"])
      ])
    let report = try GraphStore(model: model).importJSON(entity: "Tweet", from: Data(json.utf8))
    #expect(
      report.notices.map(\.description) == [
        "no property of Tweet has a JSONKeyPath, and dialect groot reads no other, so \(objects)"
          + " read without values; annotate the properties, or name the dialect that the model was made"
          + " for"
      ])
  }

  @Test(arguments: [
    #"[{"id":1}]"#, "[]", "null", "[1,2]", #"[{"id":1,"boss":{"id":2}},{"id":3,"other":1}]"#,
    #"[{"id":1,"other":1,"name":null}]"#,
  ])
  func `notes nothing where the objects have nothing else, or anything was found`(
    json: String
  ) throws {
    #expect(try trial.load(json).notices == [])
  }

  @Test func `notes a mapping without objects`() throws {
    let report = try trial.load(
      #"[{"id":1,"name":"A"}]"#, .with { $0.mapping = ["Hero": ["vita.born": "born"]] })
    #expect(
      report.notices.map(\.error.message) == [
        #"no path that the mapping gives to Hero was found in its object ("vita.born");"#
          + " compare them with the keys that nothing reads, which the report's coverage lists"
      ])
    let good = try trial.load(
      #"[{"id":1,"vita":{"born":null}}]"#, .with { $0.mapping = ["Hero": ["vita.born": "born"]] })
    #expect(good.notices == [])
  }
}

@Suite struct `A dry run` {
  @Test func `reports what an import would do, and publishes nothing`() throws {
    let trial = try ImportTrial([.make("Hero", [.make("name")])])
    try trial.load(#"[{"id":1},{"id":2}]"#)
    let before = trial.store.graph
    let json = #"[{"id":1,"name":"A"},{"id":3}]"#
    let options = ImportOptions.with {
      $0.isDryRun = true
      $0.deletesMissing = true
      $0.savePolicy.objects = 1
    }
    let report = try trial.load(json, options)
    #expect(
      report.entities == [.init(entity: "Hero", inserted: 1, updated: 1, unchanged: 0, deleted: 1)])
    #expect(trial.store.graph.storage === before.storage)
    let real = try trial.load(json, .with { $0.deletesMissing = true })
    #expect(real.entities == report.entities)
  }

  @Test func `fails as the import would`() throws {
    let trial = try ImportTrial([
      .make(
        "Hero", [], [RelationshipDescription(name: "boss", destination: "Hero", isOptional: false)])
    ])
    let real = trial.failure(#"[{"id":1}]"#)
    #expect(real != "")
    #expect(trial.failure(#"[{"id":1}]"#, .with { $0.isDryRun = true }) == real)
  }

  @Test func `takes time in proportion to the paths that were not found`() throws {
    let names = (0..<4_000).map { "a\($0)" }
    let trial = try ImportTrial([.make("Hero", names.map { .make($0) })])
    var report = ImportReport()
    // Each with each, they would take minutes.
    let seconds = try ThreadTime.seconds {
      report = try trial.load(#"{"id": 1, "other": 2}"#, .with { $0.reportsCoverage = true })
    }
    #expect(seconds < 20)
    #expect(report.coverage?.unfoundPaths.map(\.property) == names)
    #expect(report.notices.first?.error.message.contains(#"("a0", "a1", "#) == true)
  }
}
