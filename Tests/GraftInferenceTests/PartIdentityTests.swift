import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `An identity in a part` {
  private static func document(_ object: (Int) -> String) -> String {
    #"{"things": [\#((1...5).map(object).joined(separator: ","))]}"#
  }

  @Test(
    arguments: [
      (#""metadata": {"name": "web-N", "namespace": "shop"}"#, "name"),
      (#""metadata": {"name": "web", "uid": "7b2d-000N", "created": "2024-05-0N"}"#, "uid"),
      (#""identifier": {"precise": "NMK.22.N", "scheme": "inventory"}"#, "precise"),
      (#""id": {"value": "x-N", "kind": "thing"}"#, "value"),
      (#""properties": {"id": 81N, "kind": "road", "lanes": 2}"#, "id"),
    ])
  func `is that of the object around it`(part: String, attribute: String) throws {
    let trial = try InferenceTrial(
      Self.document { number in
        #"{\#(part.replacing("N", with: "\(number)")), "spec": {"size": \#(number % 2), "tags": ["a"]}}"#
      })
    let thing = try trial.entity("Thing")
    #expect(thing.identity == [attribute])
    #expect(
      thing.attributes.first { $0.name == attribute }?.paths?.annotation.contains(".") == true)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    (#"{"id": "a-N", "version": 1}"#, true), (#"{"id": "a-N"}"#, true),
    // What has one identifier and one content is one thing in several assets.
    (#"{"id": "a", "version": 1}"#, false),
  ])
  func `is that of each kind that has such a part`(part: String, hasIdentity: Bool) throws {
    func objects(_ content: String, _ part: String) -> String {
      (1...4).map { #"{"sys": \#(part.replacing("N", with: "\($0)")), "\#(content)": \#($0 % 2)}"# }
        .joined(separator: ",")
    }
    let entries = objects("stars", #"{"id": "e-N", "version": N}"#)
    let trial = try InferenceTrial(
      #"{"entries": [\#(entries)], "assets": [\#(objects("pages", part))]}"#)
    let identities = try ["Entry", "Asset"].map { try trial.entity($0).identity }
    #expect(identities == (hasIdentity ? [["id"], ["id"]] : [nil, nil]))
    // What the part of another kind has is no attribute.
    if hasIdentity {
      let names = try trial.entity("Asset").attributes.map(\.name)
      #expect(names.contains("version") == part.contains("version"))
    }
    #expect(try trial.differences() == [])
  }

  @Test func `is found whichever kind comes first, and under any name of the part`() throws {
    let contents = #""version": 1, "space": "a", "created": "b", "lang": "c", "rev": N, "own": 7"#
    func objects(_ part: String, _ id: String) -> String {
      let objects = (0..<4).map { number in
        #"{"\#(part)": {"id": "\#(id)", "uid": "u\#(part)N", \#(contents)}, "stars": N, "tags": []}"#
          .replacing("N", with: "\(number)").replacing("HALF", with: "\(number % 2)")
      }
      return "[\(objects.joined(separator: ","))]"
    }
    for part in ["sys", "meta"] {
      let lists = [
        #""entries": \#(objects("sys", "eN"))"#, #""assets": \#(objects(part, "zHALF"))"#,
      ]
      let identities = try [lists, lists.reversed()].map { lists in
        let trial = try InferenceTrial("{\(lists.joined(separator: ","))}")
        #expect(try trial.differences() == [])
        return try ["Entry", "Asset"].map { try trial.entity($0).identity }
      }
      #expect(identities[0] == identities[1])
      #expect(identities[0].contains(["uid"]))
    }
  }

  @Test(
    arguments: [
      // The part refers to a profile.
      (#""name": "nN", "info": {"id": "pN"}, "range": [0]"#, ["name"]),
      // A UUID is no name.
      (
        #""matchCriteriaId": "6ba7b810-9dad-11d1-80b4-00c04fd4300N", "metadata": {"id": "mN", "v": 0}, "range": [0]"#,
        ["matchCriteriaId"]
      ),
      // A request is no host.
      (#""url": 7, "header": {"host": "hN"}, "status": 20N"#, nil),
    ] as [(String, [String]?)])
  func `leaves objects the one that they have, or none`(members: String, identity: [String]?) throws
  {
    let profiles = (0..<8).map { #"{"id": "p\#($0)", "title": "T \#($0)", "age": \#($0 + 20)}"# }
    let items = (0..<6).map { "{\(members.replacing("N", with: "\($0)"))}" }
    let trial = try InferenceTrial(
      #"{"profiles": [\#(profiles.joined(separator: ","))], "things": [\#(items.joined(separator: ","))]}"#
    )
    #expect(try trial.entity("Thing").identity == identity)
    #expect(try trial.differences() == [])
  }

  @Test func `is what others refer to`() throws {
    let trial = try InferenceTrial(
      Self.document { number in
        #"{"metadata": {"name": "web-\#(number)", "zone": "a"}, "spec": {"next": "web-\#(number % 2 + 1)", "ports": [80]}}"#
      })
    #expect(
      try trial.entity("Thing").relationships.map(\.destination) == ["Thing"])
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      // Two objects have the same name.
      #""metadata": {"name": "web-X", "namespace": "n-N"}"#,
      // An owner is another thing.
      #""owner": {"id": "u-N", "name": "Ann N"}"#,
      // Nothing else is in the objects: a wrapper.
      #"WRAPPER"#,
    ])
  func `is not that of another thing, or of a wrapper, or one that occurs twice`(
    part: String
  )
    throws
  {
    let trial = try InferenceTrial(
      Self.document { number in
        guard part != "WRAPPER" else {
          return #"{"kind": "t3", "data": {"id": "x\#(number)", "title": "T \#(number)"}}"#
        }
        let text = part.replacing("N", with: "\(number)").replacing("X", with: "\(number % 2)")
        return #"{\#(text), "spec": {"size": \#(number % 2), "tags": ["a"]}}"#
      })
    #expect(try trial.entity("Thing").identity ?? [] == [])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    // The opening hours of all shops are the same, and so are those of the next document, or not.
    ([["mon", "tue", "sat"], ["mon", "tue", "sat"], ["mon", "tue", "sat"]], "", false),
    ([["mon", "tue", "sat"], ["mon", "tue", "sat"], ["mon", "sat"], [], []], "", false),
    ([["mon", "tue", "sat"], ["mon", "tue", "sat"], ["mon", "sat"]], "name", false),
    // The currencies of three countries.
    ([["EUR", "USD"], ["USD", "GBP"], ["EUR", "CHF"]], "", true),
  ])
  func `is a key in several dictionaries where their keys differ`(
    keys: [[String]], name: String, isIdentity: Bool
  ) throws {
    func record(_ key: String) -> String {
      let name = name.isEmpty ? "" : #""\#(name)": "day \#(key)", "#
      return #""\#(key)": {\#(name)"open": "from \#(key)", "close": "\#(key)"}"#
    }
    let owners = keys.enumerated().map { number, keys in
      #"{"id": \#(number), "hours": {\#(keys.map(record).joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial(#"{"shops": [\#(owners.joined(separator: ","))]}"#)
    #expect(try trial.entity("Hour").identity == (isIdentity ? ["key"] : nil))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("metrics", nil), ("totals", ["key"])] as [(String, [String]?)])
  func `is no word under which a whole and its only part have a record`(
    name: String, identity: [String]?
  ) throws {
    let records = ["statements", "branches", "functions", "lines"].enumerated().map {
      #""\#($1)": {"total": \#($0 * 7 + 9), "covered": \#($0 * 5 + 3), "rank": "r\#($0)"}"#
    }.joined(separator: ",")
    let trial = try InferenceTrial(
      #"{"\#(name)": {\#(records)}, "children": [{"title": "a", "metrics": {\#(records)}}]}"#)
    let entity = try #require(
      trial.model.entities.first { $0.attributes.contains { $0.name == "covered" } })
    #expect(entity.identity ?? [] == identity ?? [])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: ["key", "itemKey"])
  func `is an identifier that repeats that of the object around`(key: String) throws {
    let items = (0..<12).map { number in
      let more = "abcdefghij".map { #""\#($0)\#($0)": "\#($0)\#(number % 3)""# }.joined(
        separator: ",")
      let data = #"{"\#(key)": "NM66T6\#(number + 10)", "title": "t\#(number)", \#(more)}"#
      return #"{"key": "NM66T6\#(number + 10)", "version": \#(number + 7), "data": \#(data)}"#
    }
    let trial = try InferenceTrial("[\(items.joined(separator: ","))]")
    let data = try trial.entity("Data")
    #expect(data.identity == (key == "key" ? ["key"] : nil))
    #expect(data.relationships.map(\.destination) == (key == "key" ? [] : ["Item"]))
    #expect(try trial.differences() == [])
  }

  @Test func `is a key that several places have`() throws {
    func currencies(_ keys: [String]) -> String {
      let records = keys.map { #""\#($0)": {"name": "The \#($0)", "symbol": "\#($0.prefix(1))"}"# }
      return #""currencies": {\#(records.joined(separator: ","))}"#
    }
    let all = ["EUR", "USD", "GBP", "CHF"]
    let countries = [1, 2].map { #"{"id": \#($0), \#(currencies(Array(all.dropLast())))}"# }
    let trial = try InferenceTrial(
      #"{\#(currencies(all)), "countries": [\#(countries.joined(separator: ","))]}"#)
    #expect(try trial.entity("Currency").identity == ["key"])
  }
}
