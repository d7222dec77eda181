import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `A short form of an object elsewhere` {
  @Test(arguments: [
    (#"[{"id": "x"}, {"id": "y"}]"#, true), (#"[{"id": "x"}, {"id": "x"}]"#, false),
    (#"[{"id": "x", "since": 3}, {"id": "z", "since": 4}]"#, false),
  ])
  func `refers to it from a list too, where it is an identifier alone and occurs once`(
    list: String, isReference: Bool
  ) throws {
    let trial = try InferenceTrial(
      """
      {"polls": [{"id": "a", "name": "A", "options": \(list)}, {"id": "b", "name": "B", "options": [{"id": "y"}]}],
       "options": [{"id": "x", "name": "X", "code": "x1", "n": 3}, {"id": "y", "name": "Y", "code": "y1", "n": 4}]}
      """)
    let destination = isReference ? "⇉ Option by identifier" : "⇉ PollOption"
    #expect(try trial.relationship("Poll", "options") == destination)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("n7", true), ("other", false)])
  func `may have a code in place of an id, and no other name`(
    name: String, isReference: Bool
  ) throws {
    let parties = (1...8).map {
      #"{"partyId": \#(7000 + $0), "name": "n\#($0)", "city": "c\#($0)"}"#
    }
    let claims = (1...6).map {
      #"{"claimNo": "C24-\#($0)", "payee": {"partyId": \#(7000 + $0), "name": "n\#($0)"}, "contractor": {"partyId": \#(7007 + $0 % 2), "name": "\#($0 % 2 == 0 ? name : "n8")"}}"#
    }
    let trial = try InferenceTrial(
      #"{"parties": [\#(parties.joined(separator: ","))], "claims": [\#(claims.joined(separator: ","))]}"#
    )
    #expect(try trial.entity("Party").identity == ["partyId"])
    let links = try trial.entity("Claim").relationships.filter {
      $0.destination == "Party" && $0.policies.export == .identifier
    }
    #expect(links.count == (isReference ? 2 : 1))
    #expect(try trial.differences() == [])
  }
}

extension `A short form of an object elsewhere` {
  /// Copies of a member by how many of its sixteen keys they have, by what else they have, and by whether their values
  /// are the member's.
  private static let copies = [
    (8, "", true), (10, "", true), (10, #", "pref": {}"#, true), (10, #", "name": "other""#, true),
    (10, "", false),
  ]

  @Test(arguments: copies)
  func `may have most of it, if it is alone and has the same values`(
    count: Int, more: String, isReference: Bool
  ) throws {
    func member(_ number: Int, _ count: Int) -> String {
      let values = (1..<count).map { #""k\#($0)": "v\#($0)-\#(number)""# }
      return (["\"id\": \"\(number)-5feceb66\""] + values).joined(separator: ", ")
    }
    let pref = more.contains("pref") ? more : ""
    let members = (0..<4).map { #"{\#(member($0, 16)), "name": "N"\#(pref)}"# }
    let actions = (0..<12).map {
      let creator = member($0 % 3, count).replacing("v", with: isReference ? "v" : "w")
      let name = more.contains("name") ? $0 == 7 ? more : #", "name": "N""# : pref
      return #"{"id": "a\#($0)", "creator": {\#(creator)\#(name)}}"#
    }
    let trial = try InferenceTrial(
      #"{"members": [\#(members.joined(separator: ","))], "actions": [\#(actions.joined(separator: ","))]}"#
    )
    let links = trial.model.entities.flatMap(\.relationships)
      .filter { $0.policies.export == .identifier }
    #expect(links.map(\.destination) == (isReference ? ["Member"] : []))
    #expect(try trial.differences() == [])
  }

  /// An album, and its short form in a track.
  private static func tracks(
    _ albums: [String], _ forms: [String], key: String = "album"
  ) throws
    -> InferenceTrial
  {
    let tracks = forms.enumerated().map {
      #"{"id": "t\#($0)", "title": "T\#($0)", "\#(key)": \#($1)}"#
    }
    return try InferenceTrial(
      #"{"tracks": [\#(tracks.joined(separator: ","))], "albums": [\#(albums.joined(separator: ","))]}"#
    )
  }

  @Test(
    arguments: [
      // Another name, another number, a shorter list.
      (#"{"id": 1, "name": "Blue"}"#, "album", true), (#"{"id": 1, "plays": 2}"#, "album", true),
      (#"{"id": 1, "genres": ["folk"]}"#, "album", true),
      // A small number may be that of something else, unless the key or the values say so.
      (#"{"id": 1, "name": "Vinyl"}"#, "medium", false),
      (#"{"id": 1, "name": "Blue (Deluxe)"}"#, "medium", true),
      // Something that the album lacks.
      (#"{"id": 1, "name": "Blue", "added": 5}"#, "album", false),
    ])
  func `may have another value of what that has`(
    form: String, key: String, isReference: Bool
  ) throws {
    let trial = try Self.tracks(
      [
        #"{"id": 1, "name": "Blue (Deluxe)", "plays": 40, "genres": ["folk", "pop"], "year": 1971}"#,
        #"{"id": 2, "name": "Hejira", "plays": 30, "genres": ["jazz"], "year": 1976}"#,
      ], [form, form.replacing("1", with: "2")], key: key)
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.destination == "Album" && $0.policies.export == .identifier
    }
    #expect(links.count == (isReference ? 1 : 0))
    #expect(try trial.differences() == [])
  }

}

extension `A short form of an object elsewhere` {
  /// The number of nodes that are there, and where the others are: on another page, or in a list of their own.
  @Test(arguments: [(9, false, true), (9, true, false), (4, false, false)])
  func `leads to it where others are on another page`(
    count: Int, areElsewhere: Bool, isReference: Bool
  ) throws {
    let nodes = (0..<count).map { number in
      let edges = [number * 2 + 1, number * 2 + 2].map {
        #"{"class": "Edge", "id": "\#($0)-step"}"#
      }
      return
        #"{"class": "Node", "id": "\#(number)-step", "label": "Step \#(number % 4)", "edges": [\#(count == 9 && number > 5 ? "" : edges.joined(separator: ","))]}"#
    }
    let others = (9..<13).map { #"{"id": "\#($0)-step", "speed": \#($0)}"# }
    let trial = try InferenceTrial(
      #"{"nodes": [\#(nodes.joined(separator: ","))], "motors": [\#(areElsewhere ? others.joined(separator: ",") : "")]}"#
    )
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.destination == "Node" && $0.policies.export == .identifier
    }
    #expect(links.count == (isReference ? 1 : 0))
    #expect(try trial.differences() == [])
  }
}

@Suite struct `Objects of two owners` {
  @Test(arguments: [
    ("user_assignment", "task_assignment", true), ("home_team", "away_team", false),
  ])
  func `are of different kinds, where their names begin with those of other objects`(
    first: String, second: String, areDifferent: Bool
  ) throws {
    let entries = (0..<6).map { index in
      func object(_ id: Int) -> String {
        #"{"id": \#(id), "isActive": true, "createdAt": "2024-01-0\#(index + 1)", "rate": \#(id % 7).5, "budget": \#(id % 5)}"#
      }
      return
        #"{"id": \#(index), "user": {"id": \#(70 + index % 2), "name": "u\#(index % 2)"}, "task": {"id": \#(90 + index % 3), "title": "t\#(index % 3)"}, "\#(first)": \#(object(1000 + index)), "\#(second)": \#(object(2000 + index))}"#
    }
    let trial = try InferenceTrial("[\(entries.joined(separator: ","))]")
    let root = try #require(trial.inferred.roots[0]?.entity)
    let relationships = try trial.entity(root).relationships
    let kinds = Set(
      relationships.filter { [first, second].contains($0.paths?.annotation ?? $0.name) }
        .map(\.destination))
    #expect(kinds.count == (areDifferent ? 2 : 1), "\(relationships.map(\.destination))")
    #expect(try trial.differences() == [])
  }
}
