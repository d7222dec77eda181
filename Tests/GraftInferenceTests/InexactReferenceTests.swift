import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `Identifiers that only an attribute writes again` {
  @Test(
    arguments: [
      #"["m11", null, "m12"]"#, #"["m11", "m12", "m11"]"#, #"["m11", "", "m12"]"#,
      #"["m11", "m12"]"#,
    ])
  func `refer to objects from a list`(list: String) throws {
    let trial = try InferenceTrial(
      """
      {"boards": [{"id": "b1", "memberIds": \(list)}, {"id": "b2", "memberIds": ["m12"]}],
       "members": [{"id": "m11", "name": "A"}, {"id": "m12", "name": "B"}]}
      """)
    #expect(try trial.relationship("Board", "members") == "⇉ Member by identifier")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("\"\"", "p-11"), ("null", "p-11"), ("\"\"", "q-11")])
  func `refer to one object, and to none where they are empty`(none: String, other: String) throws {
    let trial = try InferenceTrial(
      """
      {"people": [{"id": "p-11", "name": "A", "manager": \(none)}, {"id": "p-12", "name": "B", "manager": "\(other)"},
                  {"id": "p-13", "name": "C", "manager": "\(other)"}, {"id": "p-14", "name": "D", "manager": "p-12"}]}
      """)
    let links = try trial.entity("Person").relationships.map(\.destination)
    #expect(links == (other == "p-11" ? ["Person"] : []))
    #expect(try trial.differences() == [])
  }
}
