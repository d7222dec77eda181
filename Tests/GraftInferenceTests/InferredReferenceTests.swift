import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `Strings elsewhere` {
  @Test func `that are a few long keys inside a dictionary lead to objects`() throws {
    let trial = try InferenceTrial(
      """
      {"assignments": [{"assignmentId": "hw-amber", "max": 20}, {"assignmentId": "hw-birch", "max": 20}, {"assignmentId": "hw-cedar", "max": 10}, {"assignmentId": "hw-delta", "max": 10}],
       "grades": {"st-4000": {"hw-amber": {"points": 1, "late": false}, "hw-birch": {"points": 2, "late": false}},
                  "st-4003": {"hw-cedar": {"points": 3, "late": true}, "hw-delta": {"points": 7, "late": true}},
                  "st-4006": {"hw-amber": {"points": 4, "late": false}, "hw-cedar": {"points": 5, "late": false}}}}
      """)
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.destination == "Assignment" && $0.policies.export == .identifier
    }
    #expect(links.count == 1)
    #expect(try trial.differences() == [])
  }

  /// Whether the values are strings of other objects, numbers of other objects or strings of their own.
  enum Chain: CaseIterable { case strings, numbers, ownStrings }

  @Test(arguments: Chain.allCases)
  func `that differ in each object are a relationship only if others have them`(chain: Chain) throws
  {
    let blocks = (0..<9).map { number in
      func name(_ number: Int) -> String {
        chain == .numbers ? "\(number + 1)" : #""b-\#(number * 7919 + 4000)""#
      }
      let next = name(chain == .ownStrings ? number : number + 1)
      return #"{"id": \#(name(number)), "size": \#(number % 2), "next": \#(next)}"#
    }
    let trial = try InferenceTrial(#"{"blocks": [\#(blocks.joined(separator: ", "))]}"#)
    let relationships = try trial.entity("Block").relationships.map(\.name)
    #expect(relationships == (chain == .strings ? ["next"] : []))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    (#""conceptCode": "A1/#", "conceptId": 44#7"#, "conceptId"),
    (#""conceptCode": "A1/#", "label": "a#""#, "conceptCode"),
    (#""alias": "my #", "provider": "form""#, "alias"),
    (#""alias": "my #", "conceptCode": "A1/#""#, "conceptCode"),
  ])
  func `of several members are the identity that the best name says`(
    members: String, identity: String
  ) throws {
    let concepts = (0..<9).map { number in
      "{\(members.replacing("#", with: "\(number)"))}"
    }
    let trial = try InferenceTrial(#"{"concepts": [\#(concepts.joined(separator: ", "))]}"#)
    #expect(try trial.entity("Concept").identity == [identity])
  }

  @Test(arguments: [("Op", true), ("Op ", false)])
  func `are the identity if they differ in each object, however long one of them is`(
    word: String, isIdentity: Bool
  ) throws {
    let instructions = (0..<24).map { number in
      let name = word + String(repeating: "Streamout", count: number == 5 ? 9 : 1) + "\(number)"
      return #"{"opname": "\#(name)", "class": "c\#(number % 5)"}"#
    }
    let trial = try InferenceTrial(#"{"instructions": [\#(instructions.joined(separator: ","))]}"#)
    #expect(try trial.entity("Instruction").identity == (isIdentity ? ["opname"] : nil))
    #expect(try trial.differences() == [])
  }

  @Test func `lead to what has an abbreviation`() throws {
    let trial = try InferenceTrial(
      """
      {"teams": [{"abbrev": "LIO", "name": "Lions"}, {"abbrev": "BEA", "name": "Bears"}, {"abbrev": "HAW", "name": "Hawks"}],
       "players": [{"playerId": 8470017, "teamAbbrev": "LIO"}, {"playerId": 8470034, "teamAbbrev": "HAW"}, {"playerId": 8470051, "teamAbbrev": "BEA"}]}
      """)
    #expect(try trial.entity("Team").identity == ["abbrev"])
    #expect(
      try trial.entity("Player").relationships.map(\.destination) == ["Team"])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("startAt", true), ("root", true), ("initialStep", true), ("comment", false)])
  func `name the first object of a list beside them`(key: String, isReference: Bool) throws {
    let trial = try InferenceTrial(
      #"{"\#(key)": "ask", "steps": [{"id": "ask", "n": 1}, {"id": "send", "n": 2}, {"id": "end", "n": 3}]}"#
    )
    let links = try trial.entity("Document").relationships.map(\.destination)
    #expect(links == (isReference ? ["Step", "Step"] : ["Step"]))
    #expect(try trial.differences() == [])
  }

  @Test func `that are keys in an object lead to those objects around it which they name`() throws {
    let trial = try InferenceTrial(
      """
      {"services": {
        "api": {"image": "a:1", "depends_on": {"db": {"condition": "healthy", "required": true}, "cache": {"condition": "started", "required": true}}},
        "web": {"image": "w:1", "depends_on": {"api": {"condition": "started", "required": false}}},
        "db": {"image": "d:1"}, "cache": {"image": "c:1"}}}
      """)
    let depend = try #require(trial.model.entities.first { $0.name.hasPrefix("Depend") })
    #expect(depend.relationships.map(\.destination) == ["Service"])
    #expect(try trial.differences() == [])
  }

  @Test func `make an identity of a member that they equal`() throws {
    let trial = try InferenceTrial(Self.modules { "src/\($0).js" })
    #expect(try trial.entity("Module").identity == ["source"])
    #expect(try trial.relationship("Dependency", "resolved") == "→ Module by identifier")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    (["[]", #"["src/a.js"]"#, #"["src/a.js", "src/b.js"]"#, #"["src/c.js"]"#], true),
    // Each has its own names.
    ([#"["src/a.js"]"#, #"["src/b.js"]"#, #"["src/c.js"]"#, #"["src/d.js"]"#], false),
  ])
  func `make an identity of a member that lists of others have`(
    lists: [String], isTold: Bool
  )
    throws
  {
    let modules = zip(["a", "b", "c", "d"], lists).map {
      #"{"source": "src/\#($0).js", "orphan": false, "needs": \#($1)}"#
    }
    let trial = try InferenceTrial(#"{"modules": [\#(modules.joined(separator: ","))]}"#)
    #expect(try trial.entity("Module").identity == (isTold ? ["source"] : nil))
    if isTold { #expect(try trial.relationship("Module", "needs") == "⇉ Module by identifier") }
    #expect(try trial.differences() == [])
  }

  @Test func `are no evidence where they are words, or where one leads nowhere`() throws {
    let words = try InferenceTrial(Self.modules { ["a", "b", "c", "d", "e", "f", "g"][$0] })
    #expect(try words.entity("Module").identity ?? [] == [])
    let other = try InferenceTrial(Self.modules(unknown: "lib/x.js") { "src/\($0).js" })
    #expect(try other.entity("Module").identity ?? [] == [])
  }

  @Test func `make an identity of the key that they equal`() throws {
    let trial = try InferenceTrial(Self.blocks { "block-\($0 + 1)" })
    #expect(try trial.entity("Block").identity == ["key"])
    #expect(try trial.relationship("Block", "next") == "→ Block by identifier")
    #expect(try trial.differences() == [])
    // Each block is named by its own key.
    let other = try InferenceTrial(Self.blocks { "block-\($0)" })
    #expect(try other.entity("Block").identity ?? [] == [])
  }

  @Test(arguments: [("affected_components", true), ("notes", false)])
  func `that identify objects of the same name refer to those that have more to them`(
    key: String, isReference: Bool
  ) throws {
    let components = (0..<5).map {
      #"{"id": "comp-\#($0)", "name": "c\#($0)", "status": "ok", "position": \#($0), "page": "p", "group": false}"#
    }
    let incidents = (0..<6).map {
      #"{"id": "in-\#($0)", "text": "t\#($0)", "\#(key)": [{"code": "comp-\#($0 % 5)", "name": "c\#($0 % 5)"}, {"code": "comp-\#(($0 + 1) % 5)", "name": "c\#(($0 + 1) % 5)"}]}"#
    }
    let trial = try InferenceTrial(
      #"{"components": [\#(components.joined(separator: ","))], "incidents": [\#(incidents.joined(separator: ","))]}"#
    )
    let links = trial.model.entities.flatMap(\.relationships)
      .filter { $0.destination == "Component" && $0.policies.export == .identifier }
    #expect(links.isEmpty != isReference)
    #expect(try trial.differences() == [])
  }

  @Test func `that are days lead to no day unless they are called so`() throws {
    let days = (1...3).map { day in
      #"{"date": "2024-06-0\#(day)", "games": [{"id": \#(day), "officialDate": "2024-06-0\#(day)"}, {"id": \#(day + 7), "officialDate": "2024-06-0\#(day)"}]}"#
    }
    let trial = try InferenceTrial(#"{"dates": [\#(days.joined(separator: ","))]}"#)
    #expect(try trial.entity("Game").relationships.isEmpty)
    #expect(try trial.differences() == [])
  }

  @Test func `are none in a member that is called as its own objects`() throws {
    let buffs = (1...8).map { #"{"buff": \#($0), "stack_count": \#(9 - $0)}"# }
    let trial = try InferenceTrial(#"{"buffs": [\#(buffs.joined(separator: ","))]}"#)
    #expect(try trial.entity("Buff").relationships.isEmpty)
    #expect(try trial.entity("Buff").identity != ["stackCount"])
    let layers = (1...8).map { #"{"ind": \#($0), "parent": \#(max($0 - 1, 1))}"# }
    let other = try InferenceTrial(#"{"layers": [\#(layers.joined(separator: ","))]}"#)
    #expect(try other.entity("Layer").identity == ["ind"])
  }

  @Test func `are none where they repeat the identity of an object inside`() throws {
    let records = (0..<5).map {
      #"{"id": \#($0), "doi": "10.5281/\#($0)", "metadata": {"doi": "10.5281/\#($0)", "title": "t\#($0)", "kind": "x", "note": null, "a": 1, "b": 2, "c": 3, "d": 4, "e": 5}}"#
    }
    let cited = #"{"id": 9, "doi": "10.5281/1", "metadata": null}"#
    let trial = try InferenceTrial("[\((records + [cited]).joined(separator: ","))]")
    let links = trial.model.entities.flatMap(\.relationships)
    #expect(!links.contains { $0.policies.export == .identifier })
    #expect(try trial.differences() == [])
  }

  /// A document of two targets with a dictionary of seven blocks each.
  private static func blocks(_ next: (Int) -> String) -> String {
    let blocks = (0..<14).map { number in
      let next = number % 7 == 6 ? "null" : #""\#(next(number))""#
      return #""block-\#(number)": {"opcode": "move", "next": \#(next), "at": \#(number)}"#
    }
    let targets = [blocks[..<7], blocks[7...]].map {
      #"{"isStage": true, "blocks": {\#($0.joined(separator: ","))}}"#
    }
    return #"{"targets": [\#(targets.joined(separator: ","))]}"#
  }

  /// A document of seven modules, of which each of the last six depends on two others.
  private static func modules(unknown: String? = nil, _ name: (Int) -> String) -> String {
    let modules = (0..<7).map { number in
      let needed = number == 0 ? [] : [name(number - 1), name((number + 2) % 7)]
      let unknown = number == 3 ? unknown.map { [$0] } ?? [] : []
      let dependencies = (needed + unknown).map { #"{"resolved": "\#($0)", "valid": true}"# }
      let list = dependencies.joined(separator: ",")
      return #"{"source": "\#(name(number))", "orphan": false, "dependencies": [\#(list)]}"#
    }
    return #"{"modules": [\#(modules.joined(separator: ","))]}"#
  }

  @Test func `name objects by the keys of a dictionary`() throws {
    let trial = try InferenceTrial(
      """
      {"nodes": [{"id": "a-1", "name": "Webhook", "kind": 1}, {"id": "b-2", "name": "Filter", "kind": 2}, {"id": "c-3", "name": "Merge", "kind": 2}],
       "connections": {"Webhook": {"main": 1}, "Filter": {"main": 2}, "Merge": {"main": 3}}}
      """)
    #expect(try trial.relationship("Connection", "node") == "→ Node by identifier")
    #expect(try trial.differences() == [])
  }

  @Test func `under the keys of a dictionary lead to objects, and are written again`() throws {
    let trial = try InferenceTrial(
      """
      {"packages": {"yargs@17": {"integrity": "x1", "dependencies": {"cliui": "cliui@8", "y18n": "y18n@5"}},
                    "cliui@8": {"integrity": "x2", "dependencies": {"y18n": "y18n@5", "wrap-ansi": "wrap-ansi@7"}},
                    "wrap-ansi@7": {"integrity": "x4", "dependencies": {}},
                    "y18n@5": {"integrity": "x3", "dependencies": {}}}}
      """)
    #expect(try trial.relationship("Dependency", "package") == "→ Package by identifier")
    #expect(try trial.differences() == [])
  }

  @Test func `that are paths to objects are told, and stay strings`() throws {
    let document = """
      {"definitions": {"Pet": {"title": "a", "n": 1}, "Owner": {"title": "b", "n": 2}, "Visit": {"title": "c", "n": 3}},
       "routes": [{"no": 1, "schema": "#/definitions/Pet"}, {"no": 2, "schema": "#/definitions/Owner"}]}
      """
    let trial = try InferenceTrial(document)
    let found = trial.inferred.findings.filter { $0.subject == "Route.schema → Definition" }
    #expect(found.count == 1, "\(trial.inferred.findings)")
    #expect(try trial.type("Route", "schema") == .string)
    let other = try InferenceTrial(
      document.replacingOccurrences(of: "definitions/Owner", with: "definitions/Other"))
    #expect(!other.inferred.findings.contains { $0.subject.contains("Route.schema →") })
    #expect(try trial.differences() == [])
  }

  @Test func `name no other object where each is the name of its own`() throws {
    func moves(_ shift: Int) throws -> [String] {
      let names = ["gravity", "roost", "mudsport", "trickroom", "fairylock", "iondeluge"]
      let moves = names.enumerated().map { number, name in
        let effect = number > 3 ? "null" : #""\#(names[number + shift])""#
        return #""\#(name)": {"no": \#(number), "power": \#(number * 7 % 5), "effect": \#(effect)}"#
      }
      let trial = try InferenceTrial(#"{"moves": {\#(moves.joined(separator: ","))}}"#)
      #expect(try trial.differences() == [])
      return try trial.entity("Move").relationships.map(\.name)
    }
    #expect(try moves(0) == [])
    #expect(try moves(1) == ["effect"])
  }

  @Test func `are none where they are small numbers without a fitting name`() throws {
    func networks(_ decimals: (Int) -> Int) throws -> [String] {
      let networks = (0..<40).map { number in
        let id = number < 30 ? number + 1 : number * 100_000
        return
          #"{"id": \#(id), "title": "n\#(number)", "networkId": \#(id), "decimals": \#(decimals(number))}"#
      }
      let trial = try InferenceTrial("[\(networks.joined(separator: ","))]")
      #expect(try trial.differences() == [])
      return trial.model.entities[0].relationships.map(\.name)
    }
    #expect(try networks { 8 + $0 % 12 } == [])
    #expect(try networks { (30 + $0 % 10) * 100_000 } == ["decimals"])
  }

  @Test(arguments: [(48000, 977, true), (1, 1, false)])
  func `lead from each object of a chain to the next, unless they are small`(
    first: Int, step: Int, isReference: Bool
  ) throws {
    let numbers = [3, 1, 4, 2, 0, 7, 8, 5, 11, 10, 9, 6].map { $0 * step + first }
    let plants = zip(numbers, numbers.dropFirst() + [12 * step + first]).map {
      #"{"id": \#($0), "parent_id": \#($1), "name": "n\#($0)"}"#
    }
    let trial = try InferenceTrial(#"{"plants": [\#(plants.joined(separator: ","))]}"#)
    #expect(try trial.entity("Plant").relationships.count == (isReference ? 1 : 0))
    #expect(try trial.differences() == [])
  }

  @Test func `are what others refer to, where only some of them are known there`() throws {
    func types(_ unknown: Int) throws -> [String] {
      let types = (0..<12).map { number in
        #"{"type": "rule_\#(number)", "named": true, "fields": \#(number), "children": {"many": \#(number % 2 == 0), "types": [{"type": "rule_\#(number % (12 - unknown))", "named": true}, {"type": "rule_\#((number + 1) % (12 - unknown))", "named": true}]}}"#
      }
      let trial = try InferenceTrial("[\(types.joined(separator: ","))]")
      #expect(try trial.differences() == [])
      return trial.model.entities[0].relationships.map(\.name)
    }
    #expect(try !types(5).contains("type"))
  }

  @Test func `lead where those of the same key lead, and one in a list to what that is called`()
    throws
  {
    func trial(_ role: String) throws -> InferenceTrial {
      let roles = ["admin", "auditor", "user", "guest"].enumerated().map {
        #"{"id": "\#(7_000_000 + $0 * 7919)", "name": "\#($1)", "text": "t\#($0)"}"#
      }
      return try InferenceTrial(
        """
        {"roles": {"realm": [\(roles.joined(separator: ","))]},
         "users": [{"id": "11111111", "realmRoles": ["admin", "user"]}, {"id": "22222222", "realmRoles": ["auditor", "user"]}],
         "groups": [{"path": "/a", "realmRoles": ["\(role)"]}, {"path": "/b", "realmRoles": ["\(role)"]}]}
        """)
    }
    let one = try trial("guest")
    #expect(try one.relationship("Group", "realmRoles").hasPrefix("⇉ "))
    #expect(try one.differences() == [])
    let unknown = try trial("nobody")
    #expect(try unknown.entity("Group").relationships.isEmpty)
  }

  @Test func `lead to no object that has nothing else`() throws {
    func events(_ creator: (Int) -> String) throws -> [RelationshipDescription] {
      let events = (0..<8).map { number in
        let mail = "u\(number % 3)@x.org"
        return
          #"{"id": "event-\#(number)", "creator": {\#(creator(number % 3))}, "attendees": [{"email": "\#(mail)", "status": "s\#(number)", "optional": true}]}"#
      }
      return try InferenceTrial("[\(events.joined(separator: ","))]").entity("Attendee")
        .relationships
    }
    #expect(try events { #""email": "u\#($0)@x.org""# }.isEmpty)
    #expect(try !events { #""email": "u\#($0)@x.org", "name": "n\#($0)", "age": \#($0)"# }.isEmpty)
  }

  @Test func `are the names of objects in a member that is called like them`() throws {
    func checks(_ key: String) throws -> [String] {
      let entries = (0..<6).map { number in
        #"""
        {"node": {"id": "cfd66c1d-\#(number % 3)", "node": "host-\#(number % 3)", "address": "10.9.0.\#(number % 3)"}, "checks": [{"\#(key)": "host-\#(number % 3)", "name": "alive", "status": "ok\#(number)", "note": "n"}]}
        """#
      }
      let trial = try InferenceTrial("[\(entries.joined(separator: ","))]")
      #expect(try trial.differences() == [])
      return try trial.entity("Check").relationships.map(\.destination)
    }
    #expect(try checks("node") == ["Node"])
  }

  @Test func `are no references in the name of a tag that is counted elsewhere`() throws {
    let tags = (0..<5).map {
      #"{"id": "0\#($0)0a8f", "name": "tag-\#($0)", "state": "active", "display": "d"}"#
    }
    let counts = (0..<5).map { #"{"name": "tag-\#($0)", "count": \#($0 * 7)}"# }
    let trial = try InferenceTrial(
      #"{"tags": [\#(tags.joined(separator: ","))], "facets": {"items": [\#(counts.joined(separator: ","))]}}"#
    )
    #expect(try trial.entity("Tag").relationships.isEmpty)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("parent_id", 2, true), ("order_id", 5, true), ("product_id", 2, false)])
  func `lead to the objects around them, where they are parents or all of these`(
    key: String, distinct: Int, isReference: Bool
  ) throws {
    let orders = (0..<5).map { number in
      let value = key == "product_id" ? 11 + number % distinct : 11 + number
      let note =
        key == "parent_id" && number > 1
        ? "" : #"{"\#(key)": \#(value), "text": "t\#(number)", "at": 7}"#
      return
        #"{"id": \#(11 + number), "notes": [\#(note)], "payment": {"id": \#(11 + number), "kind": "k", "sum": null}}"#
    }
    let trial = try InferenceTrial(#"{"items": [\#(orders.joined(separator: ","))]}"#)
    #expect(try trial.entity("Note").relationships.isEmpty != isReference)
    #expect(try trial.differences() == [])
  }

  @Test func `are no chance because one of many is short`() throws {
    let names = [
      "go", "envo", "foodon", "uberon", "chebi", "pato", "ncbitaxon", "obi", "bfo", "ro",
    ]
    let ontologies = names.enumerated().map { number, name in
      let (one, other) = (names[(number + 3) % 10], names[(number + 5) % 10])
      return #""\#(name)": {"no": \#(number), "appears_in": ["\#(one)", "\#(other)"]}"#
    }
    let trial = try InferenceTrial(
      #"{"ontologies": {\#(ontologies.joined(separator: ","))}}"#)
    #expect(try trial.relationship("Ontology", "appearsIn") == "⇉ Ontology by identifier")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("arn:aws:policy/", true), ("ssm", false)])
  func `refer by one value if it is long`(prefix: String, isReference: Bool) throws {
    func user(_ name: String, _ attached: String) -> String {
      #"{"user": "\#(name)", "attached": [\#(attached)]}"#
    }
    let attached = #"{"policyArn": "\#(prefix)1", "scope": "x"}"#
    let trial = try InferenceTrial(
      """
      {"policies": [{"id": "P-71A6", "arn": "\(prefix)1", "path": "/job"}, {"id": "P-80BE", "arn": "\(prefix)2", "path": "/"}],
       "groups": [{"title": "g", "attached": [\(attached)]}],
       "users": [\(user("ann", attached)), \(user("ben", attached)), \(user("eve", ""))]}
      """)
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.policies.export == .identifier
    }
    #expect(links.map(\.destination) == (isReference ? ["Policy"] : []))
    #expect(try trial.differences() == [])
  }
}

@Suite struct `An identity without a fitting name` {
  private static func releases(_ member: (Int) -> String) -> String {
    let releases = (0..<30).map {
      #"{"stable": \#($0 % 2 == 0), "modules": \#($0 / 3), \#(member($0))}"#
    }
    return "[\(releases.joined(separator: ","))]"
  }

  @Test func `is the only member by which all objects differ`() throws {
    let trial = try InferenceTrial(Self.releases { #""version": "v16.\#($0)""# })
    #expect(trial.model.entities[0].identity == ["version"])
  }

  @Test(arguments: [("frameNum", ["frameNum"]), ("height", nil)] as [(String, [String]?)])
  func `is a number of which the name says so`(key: String, identity: [String]?) throws {
    let trial = try InferenceTrial(Self.releases { #""\#(key)": \#(4226 + $0 * 3)"# })
    #expect(trial.model.entities[0].identity ?? [] == identity ?? [])
  }

  @Test(
    arguments: [
      (6, "qname", ["qname"]), (2, "qname", nil),
      // A value belongs to its label.
      (6, "value", nil),
    ] as [(Int, String, [String]?)])
  func `in the lists of others needs many objects`(
    count: Int, key: String, identity: [String]?
  ) throws {
    let classes = (0..<count).map { number in
      let members = (0..<4).map {
        #"{"\#(key)": "C\#(number):m\#($0)", "label": "m \#($0)", "type": "t\#($0 % 3)"}"#
      }
      return #"{"id": "C\#(number)", "members": [\#(members.joined(separator: ","))]}"#
    }
    let trial = try InferenceTrial(#"{"classes": [\#(classes.joined(separator: ","))]}"#)
    #expect(try trial.entity("Member").identity ?? [] == identity ?? [])
  }

  @Test(
    arguments: [
      // Two such members.
      #""version": "v#", "checksum": "d#""#,
      // Free text.
      #""note": "fixed number #""#,
      // Times.
      #""at": "2024-01-01T00:00:##Z""#,
    ])
  func `is none of two, no text and no time`(member: String) throws {
    let trial = try InferenceTrial(
      Self.releases { number in
        member.replacingOccurrences(of: "##", with: number < 10 ? "0\(number)" : "\(number)")
          .replacingOccurrences(of: "#", with: "\(number)")
      })
    #expect(trial.model.entities[0].identity ?? [] == [])
  }

  @Test func `is the only code of a few objects`() throws {
    func devices(_ member: (Int) -> String) throws -> [String] {
      let devices = (0..<6).map {
        #"{"friendly": "lamp \#($0)", "on": \#($0 % 2), \#(member($0))}"#
      }
      return try InferenceTrial("[\(devices.joined(separator: ","))]").model.entities[0].identity
        ?? []
    }
    #expect(try devices { #""ieee_address": "0x00295f5085a5644\#($0)""# } == ["ieeeAddress"])
    #expect(try devices { #""ieee_address": "lamp-number-00000\#($0)""# } == [])
  }

  @Test(
    arguments: [
      // Identifiers of one word, and after their objects.
      (#"{"safetyreportid": "1000~", "serious": "~"}"#, ["safetyreportid"]),
      (#"{"invalid": "1000~", "serious": "~"}"#, []),
      (#"{"itemArn": "arn:aws:x:~", "itemName": "n"}"#, ["itemArn"]),
      (#"{"itemName": "n~", "size": ~}"#, ["itemName"]),
      (#"{"ownerName": "n~", "size": ~}"#, []),
      // An identifier in an object of its own.
      (#"{"_id": {"$oid": "5f1c000~"}, "n": ~}"#, ["id"]),
      (#"{"_id": {"$oid": "5f1c000~", "at": 7}, "n": ~}"#, []),
      // A UUID of its own, or two of them.
      (
        #"{"deck_uuid": "6424f1ee-bc26-46d4-ab1d-b52ad23c38c~", "name": "n"}"#, ["deckUUID"]
      ),
      (
        #"{"deck_uuid": "6424f1ee-bc26-46d4-ab1d-b52ad23c38c~", "note_uuid": "7424f1ee-bc26-46d4-ab1d-b52ad23c38c~"}"#,
        []
      ),
      (#"{"entity_id": ~, "store_id": 7, "name": "n"}"#, ["entityID"]),
      // A note that identifies too.
      (#"{"@odata.id": "items(~)", "itemID": ~, "n": "x~"}"#, ["itemID"]),
    ])
  func `is found by what its key says`(object: String, identity: [String]) throws {
    let objects = (0..<8).map { object.replacingOccurrences(of: "~", with: "\($0)") }
    let trial = try InferenceTrial(#"{"items": [\#(objects.joined(separator: ","))]}"#)
    #expect(try trial.entity("Item").identity ?? [] == identity)
    #expect(try trial.differences() == [])
  }

  @Test func `is the member that repeats the key of its object`() throws {
    let flags = ["dark", "beta", "fast", "calm"].map {
      #""\#($0)-mode": {"key": "\#($0)-mode", "on": true, "n": \#($0.count)}"#
    }
    let trial = try InferenceTrial(#"{"flags": {\#(flags.joined(separator: ","))}}"#)
    let identity = try #require(try trial.entity("Flag").identity?.first)
    let attribute = try trial.entity("Flag").attributes.first { $0.name == identity }
    #expect(attribute?.paths?.annotation ?? identity == "key")
  }

  @Test func `is none where objects of one small number have nothing else in common`() throws {
    func tiles(_ second: String) throws -> [String] {
      try InferenceTrial(
        """
        {"sets": [{"name": "a", "tiles": [{"id": 0, "solid": true}, {"id": 1, "solid": true}]},
                  {"name": "b", "tiles": [{"id": 0, \(second)}, {"id": 2, "solid": false}]}]}
        """
      ).entity("Tile").identity ?? []
    }
    #expect(try tiles(#""type": "frost""#) == [])
    #expect(try tiles(#""solid": true, "type": "frost""#) == ["id"])
  }

  @Test func `is none of a part of what has one`() throws {
    let contacts = (0..<12).map {
      #"{"id": "\#(500 + $0)", "properties": {"email": "u\#($0)@x.org", "name": "n", "city": "c", "zip": "z", "age": \#($0)}}"#
    }
    let trial = try InferenceTrial("[\(contacts.joined(separator: ","))]")
    #expect(trial.model.entities.count == 1)
    #expect(try trial.differences() == [])
  }

  @Test func `is no name beside an identifier that means two things`() throws {
    func taxa(_ last: String) -> String {
      let taxa = (0..<6).map { #"{"taxon": {"identifier": "t\#($0 % 3)", "name": "n\#($0 % 3)"}}"# }
      let other = #"{"taxon": {"identifier": "\#(last)", "name": "other"}}"#
      return "[\((taxa + [other]).joined(separator: ","))]"
    }
    let one = try InferenceTrial(taxa("t9"))
    #expect(one.model.entities.first { $0.name == "Taxon" }?.identity == ["identifier"])
    let two = try InferenceTrial(taxa("t1"))
    #expect(two.model.entities.first { $0.name == "Taxon" }?.identity ?? [] == [])
  }

  @Test func `is no name with its version, where one of them tells few objects apart`() throws {
    func platforms(_ names: [String]) throws -> [String] {
      let platforms = names.enumerated().map {
        #"{"systemName": "\#($1)", "version": "1\#($0).0", "options": \#($0 % 2)}"#
      }
      let document = #"{"platforms": [\#(platforms.joined(separator: ","))]}"#
      return try InferenceTrial(document).entity("Platform").identity ?? []
    }
    #expect(try platforms(["macos", "ios", "tvos", "watchos"]) == [])
    func releases(_ versions: [String]) throws -> [String] {
      let releases = versions.enumerated().map {
        #"{"packageName": "p\#($0 / 2)", "version": "\#($1)", "size": \#($0)}"#
      }
      let document = #"{"releases": [\#(releases.joined(separator: ","))]}"#
      return try InferenceTrial(document).entity("Release").identity ?? []
    }
    #expect(try releases(["1", "2", "1", "3"]) == ["packageName", "version"])
  }

  @Test func `is the name of an object, and not the version of something else`() throws {
    func tasks(_ key: String) throws -> [String] {
      let trial = try InferenceTrial(
        """
        [{"id": "a", "\(key)": "1", "n": 1}, {"id": "a", "\(key)": "2", "n": 2}, {"id": "b", "\(key)": "1", "n": 3},
         {"id": "b", "\(key)": "2", "n": 4}]
        """)
      return trial.model.entities[0].identity ?? []
    }
    #expect(try tasks("version") == ["id", "version"])
    #expect(try tasks("minimumAgentVersion") == [])
  }

  @Test func `is no count of the things that its plural name says`() throws {
    let objects = (0..<8).map {
      #"{"number": "R-10\#($0)", "guestId": \#(5500 + $0 % 3), "children": \#($0 % 3)}"#
    }
    let trial = try InferenceTrial(
      #"{"reservations": [\#(objects.joined(separator: ","))]}"#)
    #expect(try trial.entity("Reservation").relationships.isEmpty)
    #expect(try trial.type("Reservation", "children") == .integer64)
    #expect(try trial.entity("Reservation").identity == ["number"])
  }

  @Test(arguments: [3, 12])
  func `leads to a sub-entity only if many do`(count: Int) throws {
    let messages = (0..<24).map { number in
      let kind =
        number % 2 == 0
        ? #""kind": "text", "body": "b\#(number)""# : #""kind": "call", "seconds": \#(number)"#
      return #"{"id": \#(48_200 + 7 * number), \#(kind)}"#
    }
    let pins = (0..<count).map { "\(48_200 + 14 * $0)" }
    let trial = try InferenceTrial(
      #"{"messages": [\#(messages.joined(separator: ","))], "pins": [\#(pins.joined(separator: ","))], "id": 1}"#
    )
    let pinned = trial.model.entities.flatMap(\.relationships).first { $0.name == "pins" }
    #expect(pinned?.destination == (count > 10 ? "Text" : "Message"))
    #expect(try trial.differences() == [])
  }

  @Test func `is told where it is the end of a fragment`() throws {
    let trial = try InferenceTrial(
      """
      {"persons": [{"id": "p_101", "n": "a"}, {"id": "p_102", "n": "b"}, {"id": "p_103", "n": "c"}],
       "links": [{"person": "#p_101"}, {"person": "#p_103"}]}
      """)
    #expect(
      trial.inferred.findings.contains {
        $0.subject == "Link.person → Person"
      },
      "\(trial.inferred.findings)")
    #expect(try trial.type("Link", "person") == .string)
  }

  @Test(arguments: ["layerUid", "layerDefUid", "layerDefId"])
  func `may be that of a definition`(key: String) throws {
    let layers = (0..<4).map { #"{"uid": \#(13 + 7 * $0), "grid": 16}"# }
    let instances = (0..<6).map { #"{"no": \#($0), "\#(key)": \#(13 + 7 * ($0 % 4))}"# }
    let trial = try InferenceTrial(
      #"{"layers": [\#(layers.joined(separator: ","))], "instances": [\#(instances.joined(separator: ","))]}"#
    )
    #expect(try trial.entity("Instance").relationships.map(\.destination) == ["Layer"])
  }
}

@Suite struct `An identifier with the initial of its objects` {
  private static func cards(_ isReference: Bool, known: Int = 4) -> String {
    func code(_ number: Int) -> String { "\(number)c6a5-3877-0bdb-d721" }
    let things = (0..<8).map { #"{"id": "\#(code($0))", "floor": \#($0 % 3)}"# }
    let cards = (0..<7).map { number in
      let card = number % 5
      let value = isReference && card < known ? code(card) : "x" + code(card)
      return #"{"card": {"cid": "\#(value)", "kind": "k\#(card % 2)"}, "n": \#(number)}"#
    }
    return
      #"{"things": [\#(things.joined(separator: ","))], "holders": [\#(cards.joined(separator: ","))]}"#
  }

  @Test(arguments: [4, 5]) func `refers to others if it is theirs`(known: Int) throws {
    let trial = try InferenceTrial(Self.cards(true, known: known))
    #expect(try trial.entity("Card").identity == nil)
    #expect(try trial.entity("Card").relationships.map(\.destination) == ["Thing"])
    #expect(try trial.differences() == [])
  }

  @Test func `is their identity if nothing else has it`() throws {
    let trial = try InferenceTrial(Self.cards(false))
    #expect(try trial.entity("Card").identity == ["cid"])
    #expect(try trial.differences() == [])
  }
}

@Suite struct `An identifier of an object itself` {
  private static func document(_ key: String, _ values: [String]) -> String {
    let systems = values.enumerated().map {
      #"{"\#(key)": "\#($1)", "index": \#($0), "type": "WGS84"}"#
    }
    return """
      {"layers": [{"id": "standard", "name": "Standard map", "index": 0}, {"id": "nautical", "name": "Sea map", "index": 1}],
       "grids": [{"layerId": "nautical", "x": 1}, {"layerId": "standard", "x": 2}],
       "coordinateSystems": [\(systems.joined(separator: ","))]}
      """
  }

  @Test(arguments: [
    ("id", ["standard"], nil), ("id", ["standard", "nautical"], "Layer"),
    ("coordinateSystemId", ["standard"], nil),
    ("layerId", ["standard"], "Layer"), ("layer", ["nautical", "standard"], "Layer"),
  ])
  func `is no reference to a neighbour with the same one, unless its name says so`(
    key: String, values: [String], target: String?
  ) throws {
    let trial = try InferenceTrial(Self.document(key, values))
    let system = try trial.entity("CoordinateSystem")
    #expect(system.relationships.first?.destination == target)
    #expect(try trial.differences() == [])
  }
}

@Suite struct `A second identifier` {
  private static func document(_ reference: String) -> String {
    """
    {"layers": [{"id": "Ground", "uid": 13}, {"id": "Sky", "uid": 34}, {"id": "Water", "uid": 1}],
     "first": {"layerId": "Sky", "nextLayerId": "Ground", "on": true},
     "instances": [{"iid": "a0", "\(reference)": 13}, {"iid": "a1", "\(reference)": 34},
                   {"iid": "a2", "\(reference)": 13}]}
    """
  }

  @Test(arguments: ["layerUid", "layer_uid", "layerDefUid"])
  func `is what a number refers to that is named after both`(key: String) throws {
    let trial = try InferenceTrial(Self.document(key))
    let relationship = try #require(trial.entity("Instance").relationships.first)
    #expect(relationship.destination == "Layer")
    #expect(relationship.relatedBy == "uid")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("PolicyArn", "Policy"), ("OwnerArn", nil)])
  func `is a resource name that others repeat under a name of the objects`(
    key: String, target: String?
  ) throws {
    func arn(_ number: Int) -> String { "arn:aws:iam::1:policy/p\(number)" }
    let policies = (0..<3).map {
      #"{"PolicyId": "ANPA\#($0)X", "Arn": "\#(arn($0))", "Document": "d\#($0)"}"#
    }
    let users = (0..<4).map {
      #"{"UserId": "AIDA\#($0)X", "\#(key)": "\#(arn($0 % 2))", "Path": "/"}"#
    }
    let trial = try InferenceTrial(
      #"{"Policies": [\#(policies.joined(separator: ","))], "Users": [\#(users.joined(separator: ","))]}"#
    )
    #expect(try trial.entity("Policy").identity == ["policyID"])
    #expect(try trial.entity("User").relationships.first?.destination == target)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: ["level", "x", "layer", "layers"])
  func `is not what any number is`(key: String) throws {
    let trial = try InferenceTrial(Self.document(key))
    #expect(try trial.entity("Instance").relationships.isEmpty)
  }
}

@Suite struct `A reference to objects that are not all there` {
  private static func document(_ key: String, _ values: [String]) -> String {
    let objects = (0..<6).map {
      #"{"uuid": "5c06620\#($0)-f5dc-469e-aab3-d447950d210f", "no": \#($0 + 3), "name": "x"}"#
    }
    let references = values.enumerated().map {
      #"{"type": "in", "rank": \#($0 % 3), "\#(key)": \#($1)}"#
    }
    return
      #"{"objects": [\#(objects.joined(separator: ","))], "references": [\#(references.joined(separator: ","))]}"#
  }

  private static func uuids(_ numbers: [Int]) -> [String] {
    numbers.map { #""5c06620\#($0)-f5dc-469e-aab3-d447950d210f""# }
  }

  @Test(
    arguments: [
      ([0, 1, 2, 3, 4, 4, 9], "→ Object by identifier"), ([0, 1, 7, 8, 9, 9, 8], nil),
      ([0, 1, 2, 7, 8, 9, 0], nil),
    ] as [([Int], String?)])
  func `is found where most of them are`(numbers: [Int], reference: String?) throws {
    let trial = try InferenceTrial(Self.document("referenced_uuid", Self.uuids(numbers)))
    let link = try trial.entity("Reference").relationships.first
    #expect((link == nil) == (reference == nil))
    if let reference, let link {
      #expect(try trial.relationship("Reference", link.name) == reference)
    }
    #expect(try trial.differences() == [])
  }

  @Test func `is a guess where half of them are`() throws {
    let trial = try InferenceTrial(Self.document("kind_uuid", Self.uuids([0, 1, 2, 7, 8, 9, 0])))
    let guesses = trial.inferred.findings.filter { $0.certainty == .guess }.map(\.evidence)
    #expect(
      guesses.contains { $0.hasPrefix("3 of 6 values are identities") }, "\(guesses)")
  }

  @Test func `is doubtful where the values may be other numbers`() throws {
    let categories = (1...2).map { #"{"id": \#($0), "name": "c\#($0)"}"# }
    let notes = [1, 2, 3, 1, 2].enumerated().map {
      #"{"id": \#($0 + 70), "category_id": \#($1)}"#
    }
    let document =
      #"{"categories": [\#(categories.joined(separator: ","))], "notes": [\#(notes.joined(separator: ","))]}"#
    let trial = try InferenceTrial(document)
    #expect(try trial.entity("Note").relationships.isEmpty)
    var options = InferenceOptions()
    options.minimumCertainty = .guess
    let guessed = try InferenceTrial(document, options: options)
    #expect(try guessed.entity("Note").relationships.map(\.destination) == ["Category"])
    #expect(try guessed.differences() == [])
    #expect(
      trial.inferred.findings.contains {
        $0.certainty == .guess && $0.evidence.contains("2 of 3 values are identities")
      })
  }

  @Test func `is not even doubtful where what it would lead to is kept as JSON`() throws {
    let trial = try InferenceTrial(
      #"{"symbols": {"C": [], "D": [141], "L": [53]}, "nodes": [{"canonicalName": "L"}, {"canonicalName": "C"}]}"#
    )
    #expect(try trial.type("Document", "symbols") == .transformable)
    #expect(!trial.inferred.findings.contains { $0.subject.contains("→") })
  }
}

@Suite struct `A reference between the kinds of a list` {
  @Test func `is found by the name of a kind, and leads to it`() throws {
    let trial = try InferenceTrial(
      #"""
      [{"type": "lib.author", "id": 7100, "name": "Ann"}, {"type": "lib.author", "id": 7200, "name": "Ben"},
       {"type": "lib.author", "id": 7300, "name": "Cy"},
       {"type": "lib.book", "id": 1111, "author": 7100, "pages": 120},
       {"type": "lib.book", "id": 1222, "author": 7300, "pages": 80},
       {"type": "lib.book", "id": 1333, "author": 7200, "pages": 8}]
      """#)
    #expect(trial.model.entities.map(\.name).sorted() == ["Author", "Book", "Item"])
    #expect(try trial.relationship("Book", "author") == "→ Author by identifier")
    #expect(trial.inferred.findings.contains { $0.subject == "Item.author → Author" })
    #expect(try trial.differences() == [])
  }

  /// Authors and books, each of which are counted from 1.
  private static func dump(authors: Int, books: Int, author: (Int) -> Int) -> String {
    let authors = (1...authors).map {
      #"{"model": "lib.author", "pk": \#($0), "fields": {"name": "A\#($0)"}}"#
    }
    let books = (1...books).map {
      #"{"model": "lib.book", "pk": \#($0), "fields": {"pages": \#($0 * 7), "author": \#(author($0))}}"#
    }
    return "[\((books + authors).joined(separator: ","))]"
  }

  @Test(arguments: [(3, 3), (9, 40), (400, 900)])
  func `is found where only the kind and an identifier are an identity`(
    authors: Int, books: Int
  ) throws {
    let trial = try InferenceTrial(
      Self.dump(authors: authors, books: books) { $0 * 7 % authors + 1 })
    #expect(try trial.entity("Item").identity == ["model", "pk"])
    #expect(try trial.relationship("Book", "author") == "→ Author by identifier")
    let author = try trial.entity("Book").relationships.first { $0.name == "author" }
    #expect(author?.relatedBy == "pk")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("entry", ["ShopProduct"]), ("product", [])])
  func `is named by a kind without its namespace, unless another kind ends alike`(
    kind: String, targets: [String]
  ) throws {
    func rows(_ model: String, _ fields: (Int) -> String) -> [String] {
      (1...6).map { #"{"model": "\#(model)", "pk": \#($0), "fields": {\#(fields($0))}}"# }
    }
    let all =
      rows("shop.product") { #""title": "P\#($0)", "price": \#($0).5"# }
      + rows("warehouse.stock") { #""product": \#(7 - $0), "size": \#($0)"# }
      + rows("blog.\(kind)") { #""text": "B\#($0)""# }
    let trial = try InferenceTrial("[\(all.joined(separator: ","))]")
    #expect(try trial.entity("Item").identity == ["model", "pk"])
    let links = trial.model.entities.flatMap(\.relationships).filter { $0.relatedBy == "pk" }
    #expect(Set(links.map(\.destination)) == Set(targets))
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      ("columnNumber", 1, 5, nil), ("nodeNumber", 1, 5, "Node"), ("columnId", 1, 5, "Node"),
      ("columnNumber", 104_729, 7919, "Node"),
    ] as [(String, Int, Int, String?)])
  func `is no small number of something else`(
    key: String, first: Int, step: Int, target: String?
  ) throws {
    func id(_ number: Int) -> Int { first + number * step }
    let nodes = (0..<40).map { #"{"id": \#(id($0)), "title": "n\#($0)"}"# }
    let marks = (0..<45).map { #"{"text": "t\#($0 % 3)", "\#(key)": \#(id($0 * 7 % 20))}"# }
    let trial = try InferenceTrial(
      #"{"nodes": [\#(nodes.joined(separator: ","))], "marks": [\#(marks.joined(separator: ","))]}"#
    )
    #expect(
      try trial.entity("Mark").relationships.map(\.destination) == [target].compactMap(\.self))
    #expect(try trial.differences() == [])
  }

  @Test func `leads to no kind that lacks one of the identifiers`() throws {
    let trial = try InferenceTrial(
      Self.dump(authors: 3, books: 5) { $0 })
    #expect(try trial.entity("Book").relationships.isEmpty)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: ["blockSequence", "next_order", "parentLevel"])
  func `is no number that counts or orders`(key: String) throws {
    let trips = (0..<8).map {
      #"{"name": "t\#($0 * 7 % 8)", "\#(key)": \#($0 / 2), "away": \#($0 * 31)}"#
    }
    let trial = try InferenceTrial(#"{"stops": [\#(trips.joined(separator: ","))]}"#)
    #expect(trial.relationshipPaths == ["stops"])
  }

  @Test func `in the lists of a dictionary leads to what has its keys`() throws {
    let nodes = (0..<12).map { #""model.x_\#($0)": {"name": "x\#($0)", "size": \#($0 * 7)}"# }
    let parents = (0..<12).map { #""model.x_\#($0)": ["model.x_\#(($0 + 5) % 12)"]"# }
    let trial = try InferenceTrial(
      #"{"nodes": {\#(nodes.joined(separator: ","))}, "parents": {\#(parents.joined(separator: ","))}}"#
    )
    let parent = try #require(trial.model.entities.first { $0.name == "Parent" })
    #expect(parent.relationships.map(\.destination) == ["Node", "Node"])
    #expect(try trial.differences() == [])
    // Without the nodes the keys are all there is.
    let alone = try InferenceTrial(#"{"parents": {\#(parents.joined(separator: ","))}}"#)
    let entity = try #require(alone.model.entities.first { $0.name == "Parent" })
    #expect(entity.relationships.map(\.destination) == ["Parent"])
  }

  @Test func `is no key among the numbers of a larger dictionary`() throws {
    let trial = try InferenceTrial(
      #"""
      {"path": "a.js", "statementMap": {"0": {"from": 1, "to": 2}, "1": {"from": 2, "to": 3}, "2": {"from": 4, "to": 4}},
       "branchMap": {"0": {"type": "if", "line": 2}, "1": {"type": "switch", "line": 4}}}
      """#)
    #expect(!trial.inferred.findings.contains { $0.subject.hasPrefix("BranchMap.@key →") })
  }

  // Each object lists itself, or another one.
  @Test(arguments: [(0, false), (1, true)])
  func `is none from an object to itself, in a list`(distance: Int, isReference: Bool) throws {
    let steps = ["start", "middle", "finish"]
    let objects = steps.indices.map {
      #"{"id": "\#(steps[$0])", "needs": ["\#(steps[($0 + distance) % 3])"], "title": "T\#($0)"}"#
    }
    let trial = try InferenceTrial(#"{"steps": [\#(objects.joined(separator: ","))]}"#)
    #expect(
      try trial.entity("Step").relationships.contains { $0.name == "needs" } == isReference)
    #expect(try trial.differences() == [])
  }

  // Under a plural the numbers are what the key says, and under a singular they count what the keys say.
  @Test(arguments: [
    ("state", "", false), ("states", "", true), ("state", #", "title": "T""#, true),
  ])
  func `is none to a count of the objects`(key: String, rest: String, isReference: Bool) throws {
    func count(_ number: Int) -> String {
      rest.isEmpty ? "\(number)" : #"{"n": \#(number)\#(rest)}"#
    }
    let flows = ["created", "finished", "confirmed", "finished", "created"].enumerated().map {
      #"{"no": \#($0), "state": "\#($1)"}"#
    }
    let trial = try InferenceTrial(
      """
      {"\(key)": {"created": \(count(400)), "confirmed": \(count(6)), "finished": \(count(931))},
       "flows": [\(flows.joined(separator: ","))]}
      """)
    #expect(
      try trial.entity("Flow").relationships.contains { $0.name == "state" } == isReference)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    (#""firstNodeIndex": 2, "#, 4, true), (#""firstPageIndex": 2, "#, 4, false), ("", 4, false),
    (#""firstNodeIndex": 2, "#, 9, false),
  ])
  func `leads from the ends of a link to positions, if the object around counts these`(
    first: String, end: Int, isReference: Bool
  ) throws {
    let nodes = ["Save", "Log", "Switch", "Call", "Script"].map { #"{"name": "\#($0)", "no": 1}"# }
    let trial = try InferenceTrial(
      """
      {\(first)"nodes": [\(nodes.joined(separator: ","))],
       "links": [{"fromIndex": 2, "toIndex": 0, "kind": "a"}, {"fromIndex": 2, "toIndex": 1, "kind": "b"},
                 {"fromIndex": 3, "toIndex": \(end), "kind": "c"}]}
      """)
    #expect(try trial.entity("Node").identity == (isReference ? ["index"] : ["name"]))
    let names = try trial.entity("Link").relationships.map(\.name)
    #expect(names.sorted() == (isReference ? ["fromIndex", "toIndex"] : []), "\(names)")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: ["index", "nr"])
  func `leads to a number that another key repeats, and to no position`(other: String) throws {
    let buses = (1...6).map { #"{"\#(other)": \#($0), "bus_i": \#($0), "pd": \#($0 % 4).5}"# }
    let trial = try InferenceTrial(
      """
      {"bus": [\(buses.joined(separator: ","))],
       "branch": [{"f_bus": 1, "t_bus": 2, "r": 0.0}, {"f_bus": 1, "t_bus": 3, "r": 0.1},
                  {"f_bus": 2, "t_bus": 4, "r": 0.2}]}
      """)
    #expect(try trial.entity("Bus").identity == [other == "index" ? "busI" : "nr"])
    #expect(try trial.entity("Branch").relationships.map(\.name).sorted() == ["fBus", "tBus"])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("CON west ", true), ("", false)])
  func `is one long value that begins as all identities do`(
    prefix: String, isReference: Bool
  )
    throws
  {
    let names = ["Aquila", "Orion", "Lepus"].map { #"{"id": "\#(prefix)\#($0)", "no": 1}"# }
    let trial = try InferenceTrial(
      #"{"highlight": "\#(prefix)Orion", "figures": [\#(names.joined(separator: ","))]}"#)
    #expect(
      trial.model.entities.flatMap(\.relationships).contains { $0.name == "highlight" }
        == isReference)
  }

  @Test func `is none from the objects of a dictionary to their dates`() throws {
    let keys = ["1.0.0", "1.0.1", "1.0.2", "1.1.0"]
    let versions = keys.map { #""\#($0)": {"version": "\#($0)", "main": "m\#($0)"}"# }
    let dates = keys.map { #""\#($0)": "2020-03-01T00:00:00Z""# }
    let trial = try InferenceTrial(
      """
      {"versions": {\(versions.joined(separator: ","))},
       "time": {"created": "2020-01-01T00:00:00Z", \(dates.joined(separator: ","))}}
      """)
    #expect(try trial.entity("Version").relationships.isEmpty)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    ("area", "filters", true),
    // Not all are keys.
    ("other", "filters", false),
    // The list is not beside that of the objects.
    ("area", "page", false),
  ])
  func `leads from a list of keys beside the objects that have them`(
    key: String, holder: String, isReference: Bool
  ) throws {
    let list = #"["land", "\#(key)"]"#
    let filters =
      holder == "filters"
      ? #""filters": \#(list)"#
      : #""pages": [{"no": 1, "filters": \#(list)}, {"no": 2, "filters": []}]"#
    let trial = try InferenceTrial(
      """
      {"colorings": [{"key": "land", "title": "Land"}, {"key": "date", "title": "Date"}, {"key": "area", "title": "Area"}],
       \(filters)}
      """)
    #expect(
      trial.model.entities.flatMap(\.relationships).contains { $0.name == "filters" }
        == isReference)
    #expect(try trial.differences() == [])
  }
}

@Suite struct `A name in an object that is alone in another` {
  /// The names of the goods by which the shelves around are called, or of others.
  @Test(arguments: [(0, false), (1, true)])
  func `is its own, unless two have the same`(shift: Int, isReference: Bool) throws {
    let names = ["Northern hall", "Eastern yard", "Southern quay", "Western mole", "Upper deck"]
    let shelves = names.enumerated().map { number, name in
      let stock = #"{"name": "\#(names[max(number - shift, 0)])", "sum": \#(number * 7 % 4)}"#
      return
        #"{"name": "\#(name)", "level": \#(number % 2)\#(number < 4 ? #", "stock": \#(stock)"# : "")}"#
    }
    let trial = try InferenceTrial(#"{"shelves": [\#(shelves.joined(separator: ","))]}"#)
    let stock = try trial.entity("Stock")
    #expect(stock.relationships.map(\.destination) == (isReference ? ["Shelf"] : []))
    #expect(try trial.differences() == [])
  }
}
