import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `Rows` {
  @Test func `have a property for each column, by the names in their header`() throws {
    let trial = try InferenceTrial(
      #"{"cities": [["name", "zip code", "people"], ["Ulm", "89073", 126949], ["Bonn", "53111", 336465]]}"#
    )
    let row = try trial.entity("City")
    #expect(row.attributes.map(\.name) == ["name", "zipCode", "people"])
    #expect(row.attributes.map(\.paths) == ["[0]", "[1]", "[2]"])
    #expect(try trial.entity("Document").relationships.map(\.paths) == ["cities[1:]"])
    #expect(try trial.type("City", "people") == .integer64)
  }

  @Test func `have a property for each column, by its number where nothing names it`() throws {
    let trial = try InferenceTrial(
      #"[[1700000000000, "9.5", 7], [1700000060000, "9.7", 8], [1700000120000, "9.6", 8]]"#)
    #expect(trial.model.entities.map(\.name) == ["Row"])
    #expect(trial.model.entities[0].attributes.map(\.name) == ["column1", "column2", "column3"])
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      #"{"points": [[8.5, 47.2, 1.0], [8.6, 47.3, 2.0]]}"#, #"{"pairs": [["a", 1], ["b", 2]]}"#,
      #"{"filters": [["all", ["==", "class", "x"]], ["==", "class", "y"]]}"#,
      #"{"names": [["Ann", "Ben"], ["Cem"], ["Dora", "Eve", "Fay", "Gus"]]}"#,
    ])
  func `are not what points, pairs, expressions and lists are`(document: String) throws {
    let trial = try InferenceTrial(document)
    #expect(trial.model.entities.count == 1)
    #expect(trial.model.entities[0].attributes.map(\.type) == [.transformable])
    #expect(try trial.differences() == [])
  }

  @Test func `are pairs of which one holds objects`() throws {
    let trial = try InferenceTrial(
      #"{"FIELDS": [["Fee", {"nth": 8, "type": "Amount"}], ["Hash", {"nth": 2, "type": "Hash256"}]]}"#
    )
    let row = try trial.entity("Field")
    #expect(row.attributes.map(\.paths) == ["[0]"])
    #expect(row.relationships.map(\.paths) == ["[1]"])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [0, 1])
  func `are no list beside its header, which is imported by itself`(position: Int) throws {
    let header = #"{"page": 1, "total": 2}"#
    let list = #"[{"id": "a", "n": 1}, {"id": "b", "n": 2}]"#
    let trial = try InferenceTrial(
      "[\((position == 0 ? [list, header] : [header, list]).joined(separator: ","))]")
    #expect(trial.inferred.roots.map { $0?.path.description } == ["[\(position)]"])
    #expect(trial.model.entities.map(\.identity) == [["id"]])
    #expect(trial.inferred.notices.count == 1)
  }

  @Test func `are lists where they hold objects`() throws {
    let trial = try InferenceTrial(
      """
      {"traces": [[{"id": "a1", "name": "get"}, {"id": "a2", "name": "put"}], [{"id": "b1", "name": "get"}]]}
      """)
    #expect(try trial.relationship("Document", "traces") == "⇉ TraceGroup")
    #expect(try trial.entity("TraceGroup").relationships.map(\.paths) == ["[*]"])
    #expect(try trial.differences() == [])
  }
}
