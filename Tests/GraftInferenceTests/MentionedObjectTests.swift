import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `An identifier beside objects` {
  private static let ann = #"{"id": 10, "name": "Ann"}"#
  private static let ben = #"{"id": 11, "name": "Ben"}"#

  @Test(
    arguments: [
      #"[{"no": 1, "teacher": \#(ann)}, {"no": 2, "teacher": 10}, {"no": 3, "teacher": null}]"#,
      #"[{"no": 1, "teacher": 10}, {"no": 2, "teacher": \#(ann)}, {"no": 3}]"#,
      // The object is elsewhere, under another key.
      #"[{"no": 1, "teacher": \#(ann)}, {"no": 2, "teacher": 11}, {"no": 3, "deputy": \#(ben)}]"#,
      // Half of those that are mentioned are known.
      #"[{"no": 1, "teacher": \#(ann)}, {"no": 2, "teacher": 10}, {"no": 3, "teacher": 12}]"#,
      // Each key of a dictionary has one of the two.
      #"""
      [{"no": 1, "days": {"2026-11-01": {"teacher": \#(ann)}, "2026-11-02": {"teacher": 10},
        "2026-11-03": {"teacher": \#(ben)}, "2026-11-04": {"teacher": 11}}}]
      """#,
    ])
  func `mentions one of them`(document: String) throws {
    let trial = try InferenceTrial(document)
    let owner = try #require(
      trial.model.entities.first { $0.relationships.contains { $0.name == "teacher" } })
    #expect(try trial.relationship(owner.name, "teacher") == "→ Teacher")
    #expect(try trial.entity("Teacher").identity == ["id"])
    let losses = trial.inferred.findings.filter { $0.certainty == .loss }.map(\.evidence)
    #expect(losses.contains { $0.contains("identifier") && $0.contains("alone") }, "\(losses)")
  }

  @Test(arguments: [
    // The inputs are sources and samples, or all sources, or found nowhere else.
    (["#s/1", "#s/2", "#x/3", "#x/1"], "⇉ Input"),
    (["#s/1", "#s/2", "#s/3"], "⇉ Source by identifier"),
    (["#p/1", "#p/2"], "⇉ Input"),
  ])
  func `refers to objects of one place, though other objects are as small`(
    inputs: [String], relationship: String
  ) throws {
    let sources = (1...3).map { ##"{"@id": "#s/\##($0)", "name": "s\##($0)"}"## }
    let samples = (1...3).map {
      ##"{"@id": "#x/\##($0)", "name": "x\##($0)", "derivesFrom": [{"@id": "#s/\##(4 - $0)"}]}"##
    }
    let processes = inputs.map { ##"{"size": \##($0.count), "inputs": [{"@id": "\##($0)"}]}"## }
    let lists = [("sources", sources), ("samples", samples), ("processes", processes)]
      .map { #""\#($0)": [\#($1.joined(separator: ","))]"# }
    let trial = try InferenceTrial("{\(lists.joined(separator: ","))}")
    #expect(try trial.relationship("Sample", "derivesFrom") == "⇉ Source by identifier")
    #expect(try trial.relationship("Process", "inputs") == relationship)
    #expect(try trial.differences() == [])
  }

  @Test func `in a list mentions one of them`() throws {
    let trial = try InferenceTrial(
      #"[{"no": 1, "members": [\#(Self.ann), \#(Self.ben)]}, {"no": 2, "members": [11, 10]}]"#)
    #expect(try trial.relationship("Item", "members") == "⇉ Member")
    let graph = try #require(
      JSONSerialization.jsonObject(with: trial.exported()) as? [[String: Any]])
    let names = (graph[1]["members"] as? [[String: Any]])?.map { $0["name"] as? String }
    #expect(names == ["Ben", "Ann"])
  }

  @Test(arguments: [("W1", "→ Brand"), ("oak", nil)] as [(String, String?)])
  func `is in objects of a kind others of which have the objects`(
    brand: String, relationship: String?
  ) throws {
    func wall(_ number: Int, _ brand: String, _ more: String = "") -> String {
      #"{"id": \#(number), "width": \#(number * 9), "height": 3, "layers": 2, "brand": \#(brand)\#(more)}"#
    }
    let parts = [wall(2, #""\#(brand)""#), wall(3, #""\#(brand)""#)].joined(separator: ",")
    let trial = try InferenceTrial(
      #"{"walls": [\#(wall(1, #"{"id": "W1", "name": "Brick"}"#, #", "parts": [\#(parts)]"#))]}"#)
    #expect(try trial.relationship("Wall", "parts") == "⇉ Wall")
    if let relationship {
      #expect(try trial.relationship("Wall", "brand") == relationship)
      #expect(try trial.importedCount("Brand") == 1)
    } else {
      #expect(try trial.type("Wall", "brand") == .transformable)
      #expect(try trial.differences() == [])
    }
  }

  @Test func `of another kind than their identity finds them by a name that is always known`()
    throws
  {
    let trial = try InferenceTrial(
      #"""
      [{"id": 1, "country": {"code": "DE", "name": "Germany"}}, {"id": 2, "country": "DE"},
       {"id": 3, "country": {"code": "FR", "name": "France"}}, {"id": 4, "country": "FR"},
       {"id": 5, "country": {"code": "DE", "name": "Germany"}}]
      """#)
    #expect(try trial.relationship("Item", "country") == "→ Country")
    #expect(try trial.entity("Country").identity == ["code"])
  }

  @Test(
    arguments: [
      // No object has the value.
      #"[{"no": 1, "limit": {"id": 1, "per": "day"}}, {"no": 2, "limit": 500}]"#,
      // Its objects have no identity that says so.
      #"[{"no": 1, "limit": {"count": 5, "per": "day"}}, {"no": 2, "limit": 5}]"#,
      // It is of another kind than the identity.
      #"[{"no": 1, "limit": {"id": 1, "per": "day"}}, {"no": 2, "limit": "1"}]"#,
      #"[{"no": 1, "limit": {"id": 1, "per": "day"}}, {"no": 2, "limit": ""}]"#,
      #"[{"no": 1, "limit": {"id": 1, "per": "day"}}, {"no": 2, "limit": 1}, {"no": 3, "limit": true}]"#,
    ])
  func `that names none of them is kept as JSON with them`(document: String) throws {
    let trial = try InferenceTrial(document)
    #expect(try trial.type("Item", "limit") == .transformable)
    #expect(try trial.differences() == [])
  }

  @Test func `under a key of their own dictionary is kept as JSON`() throws {
    let trial = try InferenceTrial(
      #"[{"no": 1, "roles": {"2026-11-01": \#(Self.ann), "2026-11-02": 10, "2026-11-03": \#(Self.ben)}}]"#
    )
    #expect(try trial.type("Item", "roles") == .transformable)
    #expect(try trial.differences() == [])
  }

  @Test func `is announced by a second look, and nothing else is`() async throws {
    let data = Data(
      #"[{"no": 1, "teacher": \#(Self.ann)}, {"no": 2, "teacher": 10}, {"no": 3, "teacher": null}]"#
        .utf8)
    let inference = ModelInference()
    try await inference.readDocument(from: .data(data))
    let model = try await inference.finish(readingAgain: [.data(data)])
    let losses = model.findings.filter { $0.certainty == .loss }
    #expect(
      losses.map { "\($0.subject): \($0.evidence)" } == [
        "Item.teacher: a number in 1 of 3; an export writes an object"
      ])
  }
}

@Suite struct `A scalar in place of an object` {
  private static func responses(_ data: [String]) -> String {
    let responses = data.enumerated().map { #"{"requestId": "r\#($0)", "data": \#($1)}"# }
    return #"{"responses": [\#(responses.joined(separator: ","))]}"#
  }

  private static let parcels = (1...4).map {
    #"{"parcelId": "P-\#($0)", "weight": \#($0), "hub": "H-\#($0 % 2)"}"#
  }

  @Test(arguments: [#""not found""#, "404", "false"])
  func `is the only value of an object of their kind`(scalar: String) throws {
    let trial = try InferenceTrial(
      Self.responses(Array(Self.parcels[..<3]) + [scalar, "null", Self.parcels[3], scalar]))
    let link = try #require(try trial.entity("Response").relationships.first)
    #expect(link.name == "data" && !link.isToMany)
    let parcel = try trial.entity(link.destination)
    #expect(parcel.attributes.contains { $0.name == "value" })
    #expect(parcel.missingIdentity == (parcel.identity?.isEmpty == false ? .insert : nil))
    #expect(
      trial.inferred.findings.contains {
        $0.subject == "\(parcel.name).value" && $0.evidence.hasPrefix("2 are ")
      })
    #expect(try trial.differences() == [])
  }

  @Test func `is in a list of one where others have lists of objects`() throws {
    let lists = ["[\(Self.parcels[0]), \(Self.parcels[1])]", Self.parcels[2], #""not found""#]
    let trial = try InferenceTrial(Self.responses(lists + ["[\(Self.parcels[3])]", "null"]))
    let link = try #require(try trial.entity("Response").relationships.first)
    #expect(link.isToMany && link.policies.wrapsSingleObjects == true)
    #expect(try trial.differences() == [])
  }

  @Test func `may refer to others, as the objects do`() throws {
    let targets = (0..<6).map {
      $0 % 3 == 0
        ? #""https://a.org/canvas/\#($0)""#
        : #"{"source": "https://a.org/canvas/\#($0)", "selector": "xywh=\#($0)"}"#
    }
    let notes = targets.enumerated().map { #"{"id": "n\#($0)", "target": \#($1)}"# }
    let canvases = (0..<6).map { #"{"id": "https://a.org/canvas/\#($0)", "height": \#($0)}"# }
    let trial = try InferenceTrial(
      #"{"canvases": [\#(canvases.joined(separator: ","))], "notes": [\#(notes.joined(separator: ","))]}"#
    )
    #expect(try trial.relationship("Note", "target") == "→ Target")
    #expect(try trial.relationship("Target", "source") == "→ Canvas by identifier")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    // Most values are none of objects.
    [parcels[0], parcels[1], #""a""#, #""b""#, #""c""#],
    // They are of two kinds.
    [parcels[0], parcels[1], parcels[2], #""a""#, "7"],
    // Objects with one member may be another form of the string.
    [#"{"text": "x"}"#, #"{"text": "y"}"#, #"{"text": "z"}"#, #""a""#],
    // One is empty, and would be no value.
    [parcels[0], parcels[1], parcels[2], #""""#],
    // An object without keys is not distinguished from it.
    [parcels[0], parcels[1], parcels[2], #""a""#, "{}"],
  ])
  func `is kept as JSON with the objects where it may be something else`(data: [String]) throws {
    let trial = try InferenceTrial(Self.responses(data))
    #expect(try trial.type("Response", "data") == .transformable)
    #expect(try trial.differences() == [])
  }

  @Test func `is written again after a second look`() async throws {
    let data = Data(Self.responses(Self.parcels + [#""not found""#]).utf8)
    let inference = ModelInference()
    try await inference.readDocument(from: .data(data))
    let model = try await inference.finish(readingAgain: [.data(data)])
    #expect(model.findings.filter { $0.certainty == .loss }.isEmpty)
  }

  @Test func `says nothing of objects elsewhere if it is kept as JSON`() throws {
    func type(_ name: String) -> String { #"{"defined": "\#(name)", "size": 2}"# }
    func fields(_ type: String) -> String {
      #"{"type": {"kind": "struct", "fields": [{"name": "a", "type": \#(type)}]}}"#
    }
    let trial = try InferenceTrial(
      #"{"calls": [{"args": [{"label": "b", "type": \#(type("F"))}]}], "accounts": [\#(fields(type("G")))], "types": [\#(fields(#""bool""#))]}"#,
      options: InferenceOptions(entityNames: ["calls[*].args[*].type": "Kind"]))
    #expect(try trial.type("Field", "type") == .transformable)
    #expect(trial.inferred.facts["Kind"]?.places == ["$.calls[*].args[*].type"])
    #expect(try trial.inferred.facts["Kind"]?.objectCount == trial.importedCount("Kind"))
    #expect(try trial.differences() == [])
  }

  @Test func `is counted with the empty objects of a kind that has no others`() throws {
    func test(_ number: Int, _ error: String) -> String {
      #"{"uuid": "t-\#(number)", "code": "x\#(number)", "pass": false, "speed": 4, "skipped": true, "err": \#(error)}"#
    }
    let suites = (0..<4).map {
      #"{"tests": [\#(test($0, #"{"text": "no", "line": \#($0)}"#))], "after": [\#(test($0 + 9, "{}"))]}"#
    }
    let trial = try InferenceTrial(
      #"{"suites": [\#(suites.joined(separator: ","))]}"#,
      options: InferenceOptions(entityNames: [
        "suites[*].tests[*]": "Test", "suites[*].after[*]": "Test",
        "suites[*].tests[*].err": "Fault",
      ]))
    #expect(try trial.importedCount("Fault") == 8)
    #expect(trial.inferred.facts["Fault"]?.objectCount == 8)
    #expect(trial.inferred.findings.contains { $0.evidence.hasPrefix("8 objects, no identity") })
    #expect(try trial.differences() == [])
  }

  @Test func `is counted among the members of a dictionary`() async throws {
    let data = Data(
      #"{"properties": {"kind": "Model", "energy": {"kind": "E", "rooms": ["a"]}, "light": {"kind": "L", "rooms": []}}}"#
        .utf8)
    let inference = ModelInference()
    try await inference.readDocument(from: .data(data))
    let model = try await inference.finish(readingAgain: [.data(data)])
    #expect(
      model.overview.contains { $0.hasPrefix("Property: 3 objects, 3 identities, none repeated") })
  }
}
