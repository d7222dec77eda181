import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `A kind of thing` {
  @Test func `is the same where the addresses differ in their last part`() throws {
    let trial = try InferenceTrial(
      """
      {"issues": [{"no": 1, "parent": {"id": "7", "self": "https://x.example/api/issue/7", "title": "a"}},
                  {"no": 2, "parent": {"id": "8", "self": "https://x.example/api/issue/8", "title": "b"}}],
       "blockers": [{"id": "9", "self": "https://x.example/api/issue/9", "title": "c"}],
       "sprints": [{"id": "5", "self": "https://x.example/api/sprint/5", "title": "d"}]}
      """)
    #expect(try trial.relationship("Issue", "parent") == "→ Blocker")
    #expect(try trial.relationship("Document", "blockers") == "⇉ Blocker")
    #expect(try trial.relationship("Document", "sprints") == "⇉ Sprint")
    #expect(try trial.differences() == [])
  }

  @Test func `is not another one because a third place holds both`() throws {
    let trial = try InferenceTrial(
      """
      {"incidents": [
        {"no": 1, "service": {"id": "S1", "type": "service", "label": "Mail"},
         "assignee": {"id": "U1", "type": "user", "label": "Ann"},
         "changedBy": {"id": "U1", "type": "user", "label": "Ann"}},
        {"no": 2, "service": {"id": "S2", "type": "service", "label": "Shop"},
         "assignee": {"id": "U2", "type": "user", "label": "Ben"},
         "changedBy": {"id": "S2", "type": "service", "label": "Shop"}}]}
      """)
    #expect(try trial.relationship("Incident", "service") == "→ Service")
    #expect(try trial.relationship("Incident", "assignee") == "→ Assignee")
    #expect(try trial.differences() == [])
  }

  @Test func `is told by the collection that has its addresses`() throws {
    let trial = try InferenceTrial(
      """
      {"classes": [
        {"no": 1, "skills": [{"index": "a", "name": "A", "url": "/api/skills/a"}, {"index": "b", "name": "B", "url": "/api/skills/b"}],
         "feats": [{"index": "x", "name": "X", "url": "/api/feats/x"}, {"index": "y", "name": "Y", "url": "/api/feats/y"}],
         "first": {"index": "b", "name": "B", "url": "/api/skills/b"}},
        {"no": 2, "skills": [{"index": "c", "name": "C", "url": "/api/skills/c"}],
         "feats": [{"index": "z", "name": "Z", "url": "/api/feats/z"}],
         "first": {"index": "c", "name": "C", "url": "/api/skills/c"}}]}
      """)
    #expect(try trial.relationship("Class", "skills") == "⇉ Skill")
    #expect(try trial.relationship("Class", "feats") == "⇉ Feat")
    #expect(try trial.relationship("Class", "first") == "→ Skill")
    #expect(try trial.differences() == [])
  }

  @Test func `is told by the type that it says, at each level of lists`() throws {
    let trial = try InferenceTrial(
      """
      {"id": "m", "type": "Manifest", "items": [
        {"id": "c1", "type": "Canvas", "items": [{"id": "p1", "type": "Page", "items": []}]},
        {"id": "c2", "type": "Canvas", "items": [{"id": "p2", "type": "Page", "items": []}]}]}
      """)
    #expect(trial.model.entities.map(\.name) == ["Document", "Canvas", "Page"])
    let tree = try InferenceTrial(
      """
      {"id": "m", "kind": 1, "items": [
        {"id": "c1", "kind": 2, "items": [{"id": "p1", "kind": 3, "items": []}]},
        {"id": "c2", "kind": 2, "items": [{"id": "p2", "kind": 3, "items": []}]}]}
      """)
    #expect(tree.model.entities.count == 1)
    #expect(try trial.differences() == [])
    #expect(try tree.differences() == [])
  }

  @Test func `is another one in a list beside it of another name`() throws {
    func list(_ key: String, _ ids: [Int], _ rest: String) -> String {
      let objects = ids.map {
        #"{"id": \#($0), "name": "n\#($0)", "speed": 1, "range": 2, "space": 3, "levels": 4, "info": "x"\#(rest)}"#
      }
      return "\"\(key)\": [\(objects.joined(separator: ","))]"
    }
    let heroes = list("heroes", [1, 2, 3], #", "village": "a""#)
    let trial = try InferenceTrial("{\(heroes), \(list("pets", [7, 8], ""))}")
    #expect(trial.model.entities.map(\.name) == ["Document", "Hero", "Pet"])
    // People in two lists are people.
    let members = list("members", [1, 2, 3], #", "village": "a""#)
    let people = try InferenceTrial("{\(members), \(list("owners", [7, 8], ""))}")
    #expect(people.model.entities.count == 2)
  }

  @Test func `is not the same because a part occurs anywhere`() throws {
    func event(_ id: String, _ rest: String) -> String {
      #"{\#(rest), "at": {"seconds": \#(id), "nanos": 5}}"#
    }
    let trial = try InferenceTrial(
      """
      [{"caseStarted": \(event("1", #""id": "a", "caseId": "c""#))}, {"stepStarted": \(event("2", #""startId": "a", "stepId": "s""#))},
       {"caseFinished": \(event("3", #""startId": "a", "retry": false"#))}]
      """)
    let names = trial.model.entities.map(\.name)
    #expect(names.contains("CaseStarted"), "\(names)")
    #expect(names.contains("StepStarted"), "\(names)")
    #expect(try trial.differences() == [])
  }

  @Test func `is not what a vocabulary says of keys`() throws {
    let document = """
      {"@context": {"items": {"@id": "catalog:item", "@container": "@set"}, "parent": {"@id": "catalog:parent", "@type": "@id"}},
       "items": [{"@id": "a", "n": 1}, {"@id": "b", "n": 2}]}
      """
    let trial = try InferenceTrial(document)
    #expect(trial.model.entities.count == 2)
    #expect(trial.model.entities[0].attributes.map(\.type) == [.transformable])
    let other = try InferenceTrial(document.replacingOccurrences(of: "@context", with: "context"))
    #expect(other.model.entities.count > 2)
    #expect(try trial.differences() == [])
  }

  @Test func `is not what it holds in a list called values`() throws {
    let trial = try InferenceTrial(
      """
      {"enumerations": [
        {"name": "Kind", "documentation": "k", "since": "1", "type": "string", "values": [{"name": "a", "documentation": "x", "since": "2", "code": 1}]},
        {"name": "Mode", "documentation": "m", "since": "1", "type": "string", "values": [{"name": "b", "documentation": "y", "since": "3", "code": 2}]}]}
      """)
    #expect(try trial.relationship("Enumeration", "values") != "⇉ Enumeration")
    #expect(try trial.differences() == [])
  }

  @Test func `has a name of its own where two entities are divided alike`() throws {
    func nodes(_ key: String, _ more: String) -> String {
      let one = #"{"type": "canvas", "width": 1\#(more)}, {"type": "range", "start": 2\#(more)}"#
      return "\"\(key)\": [\(one), \(one)]"
    }
    let parts = nodes("parts", #", "a": 1, "b": 2, "c": 3, "d": 4"#)
    let views = nodes("views", #", "e": 1, "f": 2, "g": 3, "h": 4"#)
    let trial = try InferenceTrial("{\(parts), \(views)}")
    let names = trial.model.entities.filter { $0.superentity != nil }.map(\.name)
    #expect(Set(names).count == 4, "\(names)")
    #expect(try trial.differences() == [])
  }

  @Test func `may be one of many, of which half occur twice`() throws {
    func resources(_ counts: [Int]) -> String {
      let all = counts.enumerated().flatMap { kind, count in
        (0..<count).map {
          #"{"type": "Kind\#(kind)", "name": "n\#(kind)x\#($0)", "of\#(kind)": \#($0)}"#
        }
      }
      return "[\(all.joined(separator: ","))]"
    }
    let many = try InferenceTrial(resources([2, 2, 2, 2, 2, 1, 1, 1, 1]))
    #expect(many.model.entities.count == 10)
    let single = try InferenceTrial(resources([2, 1, 1, 1, 1, 1, 1, 1, 1]))
    #expect(single.model.entities.count == 1)
  }

  @Test func `is the same under one name where all that one place lacks may be absent`() throws {
    func document(_ rest: String) -> String {
      func value(_ number: Int, _ value: String) -> String {
        #"{"key": "k\#(number)", "value": {\#(value)}}"#
      }
      let one = (0..<3).map { value($0, #""text": "t\#($0)""#) }
      let two = [value(4, #""text": "u""#), value(5, rest), value(6, #""size": 3"#)]
      return
        #"{"host": {"marks": [\#(one.joined(separator: ","))]}, "spans": [{"no": 1, "marks": [\#(two.joined(separator: ","))]}]}"#
    }
    let trial = try InferenceTrial(document(#""size": 4"#))
    let marks = trial.model.entities.flatMap(\.relationships).filter { $0.name == "marks" }
    #expect(Set(marks.map(\.destination)) == ["Mark"])
    #expect(try trial.differences() == [])
    // All values of one place have a unit.
    let other = try InferenceTrial(
      #"{"host": {"marks": [{"key": "a", "value": {"text": "t"}}, {"key": "b", "value": {"text": "u"}}]}, "spans": [{"no": 1, "marks": [{"key": "c", "value": {"text": "v", "unit": "s", "step": 1}}, {"key": "d", "value": {"text": "w", "unit": "m", "step": 1}}]}]}"#
    )
    let links = other.model.entities.flatMap(\.relationships).filter { $0.name == "marks" }
    #expect(Set(links.map(\.destination)).count == 2)
    #expect(try other.differences() == [])
  }

  @Test(arguments: [(#", "package_uid": "zlib-1""#, #", "package_uid": "mini-2""#, 2), ("", "", 1)])
  func `is another one where all objects of one place have an identifier, and others have none`(
    first: String, second: String, count: Int
  ) throws {
    let (zlib, mini) = (#""name": "zlib", "size": 1"#, #""name": "mini", "size": 2"#)
    let trial = try InferenceTrial(
      """
      {"packages": [{\(zlib)\(first)}, {\(mini)\(second)}],
       "files": [{"path": "a", "uses": ["zlib-1"], "package": [{\(zlib)}]},
                 {"path": "b", "uses": ["zlib-1", "mini-2"], "package": [{\(zlib)}, {\(mini)}]}]}
      """)
    let packages = trial.model.entities.filter { $0.attributes.contains { $0.name == "size" } }
    #expect(packages.count == count)
    #expect(trial.relationshipPaths.contains("uses") == (count == 2))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("instanceType", 2), ("label", 1)])
  func `is another one where its objects say so`(key: String, count: Int) throws {
    func objects(_ name: String) -> String {
      (1...3).map {
        #"{"id": "\#(name)\#($0)", "name": "n\#($0)", "text": "t\#($0)", "note": "", "\#(key)": "\#(name)", "size": 1}"#
      }.joined(separator: ",")
    }
    let trial = try InferenceTrial(
      #"{"criteria": [\#(objects("Criterion"))], "plan": {"endpoints": [\#(objects("Endpoint"))]}}"#
    )
    let found = trial.model.entities.filter { $0.superentity == nil && $0.identity == ["id"] }
    #expect(found.count == count)
    #expect(try trial.differences() == [])
  }

  @Test func `is the same where names and a part agree`() throws {
    let trial = try InferenceTrial(
      """
      {"results": [{"rule": "a", "locations": [{"physicalLocation": {"uri": "a.c", "line": 3}, "names": ["f"]}],
         "relatedLocations": [{"note": "x", "physicalLocation": {"uri": "b.c", "line": 4}}]}]}
      """)
    #expect(try trial.relationship("Result", "locations") == "⇉ Location")
    #expect(try trial.relationship("Result", "relatedLocations") == "⇉ Location")
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      // Lists beside each other whose keys end alike; the objects of one lack a member.
      (
        #"{"study": {"primaryOutcomes": [{"measure": "a", "frame": "w", "text": "x"}], "secondaryOutcomes": [{"measure": "b", "frame": "m"}, {"measure": "c", "frame": "y"}]}}"#,
        2
      ),
      // Lists in an object with a name in the plural.
      (
        #"{"transactions": {"booked": [{"no": "a1", "sum": 1, "day": "x"}, {"no": "a2", "sum": 2, "day": "y"}], "pending": [{"no": "a3", "sum": 3, "due": "z"}]}}"#,
        2
      ),
      // They are called after other things.
      (
        #"{"resources": {"users": [{"no": "a1", "sum": 1, "day": "x"}, {"no": "a2", "sum": 2, "day": "y"}], "teams": [{"no": "a3", "sum": 3}]}}"#,
        3
      ),
      // They have a part and a few more keys in common.
      (
        #"{"mash": {"grain_additions": [{"name": "a", "amount": {"unit": "kg", "value": 1}, "color": 2, "group": "x"}], "hop_additions": [{"name": "b", "amount": {"unit": "g", "value": 3}, "acid": 4}]}}"#,
        4
      ),
      (
        #"{"mash": {"grain_additions": [{"name": "a", "amount": {"unit": "kg", "value": 1}, "day": 2}], "hop_additions": [{"name": "b", "amount": {"unit": "g", "value": 3}, "day": 4}]}}"#,
        2
      ),
      // The words of containers name nothing: a `fnMap` and a `branchMap` hold other things.
      (
        #"{"file": {"fnMap": {"0": {"name": "f", "line": 1, "at": {"row": 1, "col": 2}}}, "branchMap": {"0": {"kind": "if", "line": 2, "at": {"row": 3, "col": 4}}}}}"#,
        4
      ),
      // Nor do general ones.
      (
        #"[{"no": 1, "category": {"data": {"id": 5, "attributes": {"name": "a", "slug": "b"}}}, "cover": {"data": {"id": 6, "attributes": {"url": "u", "width": 3, "slug": "x"}}}}, {"no": 2, "category": {"data": {"id": 7, "attributes": {"name": "d", "slug": "e"}}}, "cover": null}]"#,
        4
      ),
    ])
  func `is told by the last word of its lists, or by the plural around them`(
    document: String, count: Int
  ) throws {
    let trial = try InferenceTrial(document)
    #expect(trial.model.entities.count == count, "\(trial.model.entities.map(\.name))")
    #expect(try trial.differences() == [])
  }

  @Test func `stays one where it is found twice, alone in objects around it`() throws {
    func invoice(_ number: Int) -> String {
      let parties = ["seller", "buyer"].map { key in
        #""\#(key)": {"party": {"endpoint": "\#(key)\#(number)", "city": "c", "tax": {"company": "x\#(number)", "scheme": "VAT"}}}"#
      }
      return #"{"id": "invoice-\#(number)", \#(parties.joined(separator: ","))}"#
    }
    let trial = try InferenceTrial("[\((0..<5).map(invoice).joined(separator: ","))]")
    #expect(trial.model.entities.contains { $0.name == "Party" })
    #expect(try trial.differences() == [])
  }

  @Test func `is not that of the values that an object with an identity has`() throws {
    let trial = try InferenceTrial(
      """
      {"attributes": {"series": [{"id": "UNIT", "name": "Unit", "values": [{"id": "EUR", "name": "Euro"}]},
        {"id": "STATUS", "name": "Status", "values": [{"id": "A", "name": "Normal"}, {"id": "E", "name": "Estimated"}]}]}}
      """)
    #expect(try trial.relationship("Series", "values") == "⇉ Value")
    #expect(try trial.differences() == [])
  }

  @Test func `is told by the objects in its nodes, and not by that word`() throws {
    let trial = try InferenceTrial(
      """
      {"discussions": {"total": 2, "nodes": [
        {"id": "d1", "url": "u1", "at": 1, "by": "a", "title": "x", "locked": false, "votes": 3,
         "comments": {"total": 1, "nodes": [{"id": "c1", "url": "v1", "at": 2, "by": "b", "isAnswer": true,
           "replies": {"total": 1, "nodes": [{"id": "c2", "url": "v2", "at": 3, "by": "a"}]}}]}}]}}
      """)
    #expect(try trial.relationship("Document", "discussions") == "⇉ Discussion")
    #expect(try trial.relationship("Discussion", "comments") == "⇉ Comment")
    #expect(try trial.relationship("ReplyList", "nodes") == "⇉ Comment")
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      (
        #"{"credits": {"cast": [{"id": 71, "name": "a", "born": 1}, {"id": 72, "name": "b", "born": 2}], "crew": [{"id": 73, "name": "c", "born": 3}, {"id": 74, "name": "d", "born": 4}]}}"#,
        ["Document", "Cast", "Crew"]
      ),
      (
        #"{"annotations": {"list": [{"name": "a", "colour": "red"}, {"name": "b", "colour": "blue"}]}}"#,
        ["Document", "Annotation"]
      ),
    ])
  func `is not each of the lists that a program has named`(
    document: String, entities: [String]
  ) throws {
    let trial = try InferenceTrial(document)
    #expect(trial.model.entities.map(\.name) == entities)
    #expect(try trial.differences() == [])
  }

  @Test func `is the member of a dictionary that has one member, beside larger ones`() throws {
    let many = (0..<12).map {
      #""set\#($0)": {"url": "u\#($0)", "rows": \#($0), "name": "n\#($0)"}"#
    }
    let trial = try InferenceTrial(
      """
      {"geoda": {\(many.joined(separator: ","))},
       "ny": {"bb": {"url": "d", "rows": 4, "name": "ny.bb"}},
       "eea": {"rivers": {"url": "e", "rows": 5, "name": "eea.rivers"}}}
      """)
    #expect(trial.model.entities.count == 2)
    #expect(try trial.differences() == [])
  }

  @Test func `is not made of a report with one dictionary among its parts`() throws {
    let trial = try InferenceTrial(
      """
      {"meta": {"format": 3, "branches": false},
       "files": {"a.py": {"lines": [1], "sum": {"n": 1}}, "b.py": {"lines": [2], "sum": {"n": 2}},
                 "c.py": {"lines": [3], "sum": {"n": 3}}},
       "totals": {"n": 6, "percent": 1.5}}
      """)
    #expect(try trial.relationship("Document", "files") == "⇉ File")
    #expect(try trial.differences() == [])
  }

  @Test func `has an excerpt that stays one, where only a slug is told`() throws {
    let trial = try InferenceTrial(
      """
      [{"id": 71, "project": {"id": 5, "slug": "shop", "name": "Shop", "platform": "js"},
        "release": {"id": 9, "projects": [{"slug": "shop", "name": "Shop"}]}},
       {"id": 72, "project": {"id": 6, "slug": "admin", "name": "Admin", "platform": "js"},
        "release": {"id": 9, "projects": [{"slug": "shop", "name": "Shop"}]}}]
      """)
    #expect(try trial.differences() == [])
  }

  @Test func `is the same under two keys of one object that say its type`() throws {
    let trial = try InferenceTrial(
      """
      [{"id": 1, "created": {"type": "/datetime", "value": "a"}, "modified": {"type": "/datetime", "value": "b"}},
       {"id": 2, "created": {"type": "/datetime", "value": "c"}}]
      """)
    #expect(trial.model.entities.count == 2)
    #expect(try trial.differences() == [])
  }

  @Test func `keeps the way back to what it is found in`() throws {
    let trial = try InferenceTrial(
      """
      {"teams": [{"id": 51, "players": [{"id": 7, "teamId": 51}, {"id": 9, "teamId": 51}]},
                 {"id": 52, "players": [{"id": 8, "teamId": 52}]}]}
      """)
    #expect(try trial.relationship("Player", "team") == "→ Team by identifier")
    #expect(try trial.differences() == [])
  }

  @Test func `is the member of a dictionary beside empty objects`() throws {
    let trial = try InferenceTrial(
      """
      {"rooms": {"join": {"!726:x.example": {"unread": 1}, "!727:x.example": {"unread": 2}},
                 "invite": {}, "leave": {}}}
      """)
    #expect(trial.model.entities.count == 2)
    #expect(try trial.differences() == [])
  }

  @Test func `is no wrapper around a single value, at any number of places`() throws {
    let trial = try InferenceTrial(
      """
      [{"id": 1, "_links": {"self": {"href": "/a/1"}}, "owner": {"id": 7, "_links": {"self": {"href": "/o/7"}}}},
       {"id": 2, "_links": {"self": {"href": "/a/2"}}, "owner": {"id": 8, "_links": {"self": {"href": "/o/8"}}}}]
      """)
    #expect(trial.model.entities.map(\.name) == ["Item", "Owner"])
    #expect(try trial.type("Owner", "href") == .string)
    #expect(try trial.differences() == [])
  }

  @Test func `is called as what refers to it, where nothing else tells`() throws {
    let trial = try InferenceTrial(
      """
      [{"id": 12345678, "name": "a", "km": 1, "at": 2, "up": 3, "level": 3,
        "laps": [{"id": 1, "activity": {"id": 12345678, "level": 1}}]},
       {"id": 12345699, "name": "b", "km": 4, "at": 5, "up": 6, "level": 3,
        "laps": [{"id": 2, "activity": {"id": 12345699, "level": 1}}]}]
      """)
    #expect(try trial.relationship("Activity", "laps") == "⇉ Lap")
    #expect(try trial.relationship("Lap", "activity") == "→ Activity by identifier")
    #expect(try trial.differences() == [])
  }
}

@Suite struct `Records of one kind` {
  /// A user of GitHub's with as many members as are given.
  private static func user(_ id: Int, _ type: String, _ members: Int) -> String {
    let more = (0..<members).map { #""m\#($0)": "v\#(id)\#($0)""# }.joined(separator: ", ")
    return #"{"id": \#(id), "type": "\#(type)", \#(more)}"#
  }

  @Test(arguments: [(6, true), (3, false)])
  func `may name other types where they have many members and all in common`(
    members: Int, isOne: Bool
  ) throws {
    let trial = try InferenceTrial(
      """
      {"actor": \(Self.user(71_001, "User", members)), "creator": \(Self.user(71_002, "Bot", members))}
      """)
    #expect(trial.model.entities.count == (isOne ? 2 : 3))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("details", true), ("other", false)])
  func `are siblings with the same objects in them`(key: String, isOne: Bool) throws {
    func tire(_ key: String) -> String {
      #"{"\#(key)": {"size": 18, "made": "x"}, "status": {"pressure": 240, "isLow": false}}"#
    }
    let trial = try InferenceTrial(
      #"{"tires": {"left": \#(tire("details")), "right": \#(tire(key)), "unit": "kPa"}}"#)
    let links = trial.model.entities.flatMap(\.relationships).filter {
      ["left", "right"].contains($0.name)
    }
    #expect((links.count == 2 && Set(links.map(\.destination)).count == 1) == isOne)
    #expect(try trial.differences() == [])
  }

  @Test func `are siblings of which one object has other values each time`() throws {
    let games = [("ann", 1500, "ben"), ("cid", 1400, "ann"), ("ben", 1490, "ann")].enumerated().map
    {
      number, game in
      #"""
      {"no": \#(number), "white": {"@id": "/\#(game.0)", "name": "\#(game.0)", "rating": \#(game.1), "result": "win"},
       "black": {"@id": "/\#(game.2)", "name": "\#(game.2)", "rating": \#(game.1 + number), "result": "lost"}}
      """#
    }
    let trial = try InferenceTrial(#"{"games": [\#(games.joined(separator: ","))]}"#)
    let links = try trial.entity("Game").relationships
    #expect(links.count == 2 && Set(links.map(\.destination)).count == 1)
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      ("/api/gear-categories/@", "/api/gear/@", false), ("/api/gear/@", "/api/gear/@", true),
      ("/ann/@", "/ben/@", true), ("/api/classes/@", "/api/classes/@/levels/1", false),
    ])
  func `have addresses in one collection`(first: String, second: String, isOne: Bool) throws {
    func form(_ name: String, _ address: String) -> String {
      #"{"index": "\#(name)", "name": "N \#(name)", "url": "\#(address.replacing("@", with: name))"}"#
    }
    let things = ["club", "sling", "spear"].map { name in
      #"{"weight": \#(name.count), "group": \#(form(name, first)), "content": \#(form(name + "s", second))}"#
    }
    let trial = try InferenceTrial("[\(things.joined(separator: ","))]")
    // What is neither repeated nor of a kind with others becomes a part of the object.
    let kinds = trial.model.entities.flatMap(\.relationships).map(\.destination)
    #expect((kinds.count == 2 && Set(kinds).count == 1) == isOne)
    #expect(try trial.differences() == [])
  }

  @Test func `are none where one is inside the other`() throws {
    let tile = #"{"tileset": 7, "x": 1, "y": 2}"#
    let fields = #"{"label": "load", "kind": 3, "tile": \#(tile), "isSet": true}"#
    let trial = try InferenceTrial(
      """
      {"entityInstances": [
        {"uid": "e1", "label": "Crane", "tile": \(tile), "grid": 4, "width": 3, "height": 9, "fieldInstances": [\(fields)]},
        {"uid": "e2", "label": "Boat", "tile": \(tile), "grid": 5, "width": 4, "height": 8, "fieldInstances": [\(fields)]}]}
      """)
    #expect(try trial.entity("EntityInstance").identity == ["uid"])
    #expect(try trial.relationship("EntityInstance", "fieldInstances") == "⇉ FieldInstance")
    #expect(try trial.differences() == [])
  }
}

@Suite struct `An inferred identity` {
  @Test func `is an identifier of one letter, which is that of the objects`() throws {
    let objects = (0..<5).map { #"{"rid": "R00\#($0)", "age": \#(20 + $0 / 2), "glad": true}"# }
    let trial = try InferenceTrial(
      #"{"respondents": [\#(objects.joined(separator: ","))], "n": 5}"#)
    #expect(try trial.entity("Respondent").identity == ["rid"])
  }

  @Test func `is a number that is called so in short`() throws {
    let trial = try InferenceTrial(
      """
      {"customers": [{"no": "C001", "name": "Ann", "city": "Ulm"}, {"no": "C002", "name": "Ben", "city": "Bonn"},
                     {"no": "C003", "name": "Eve", "city": "Ulm"}],
       "orders": [{"id": 17, "customerNo": "C001"}, {"id": 18, "customerNo": "C003"}, {"id": 19, "customerNo": "C001"}]}
      """)
    #expect(try trial.entity("Customer").identity == ["no"])
    #expect(try trial.relationship("Order", "customerNo") == "→ Customer by identifier")
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      (#"[{"iso_3166_1": "DE", "n": 1}, {"iso_3166_1": "US", "n": 1}]"#, ["iso31661"]),
      (
        #"[{"fips": "01001", "n": 1}, {"fips": "01003", "n": 1}, {"fips": "01005", "n": 1}]"#,
        ["fips"]
      ),
      (
        #"[{"year": "1903", "category": "a", "n": 3}, {"year": "1903", "category": "b", "n": 1}, {"year": "1904", "category": "a", "n": 1}]"#,
        ["category", "year"]
      ),
      (
        #"[{"thing": "A101", "n": 1}, {"thing": "B202", "n": 1}, {"thing": "C303", "n": 1}]"#,
        ["thing"]
      ),
      // A pair is no identity if each of its members is one by itself.
      (
        "[\((1...6).map { #"{"leftId": "l\#($0)", "rightId": "r\#($0)", "x": \#($0 % 2)}"# }.joined(separator: ","))]",
        nil
      ),
    ] as [(String, [String]?)])
  func `is what people would name`(document: String, identity: [String]?) throws {
    let trial = try InferenceTrial(#"{"things": \#(document)}"#)
    #expect(try trial.entity("Thing").identity == identity)
    #expect(try trial.differences() == [])
  }

  @Test func `is proved by large objects that are equal wherever its value is`() throws {
    let advisories = ["1", "1", "2", "2", "3", "4"].map {
      #"{"advisory": {"ghsa_id": "G-\#($0)", "cve_id": null, "text": "t\#($0)", "level": "low", "at": "x"}}"#
    }
    let trial = try InferenceTrial(#"{"alerts": [\#(advisories.joined(separator: ","))]}"#)
    #expect(try trial.entity("Advisory").identity == ["ghsaID"])
    #expect(try trial.differences() == [])
  }

  @Test func `is not the name of a person that is described elsewhere`() throws {
    let trial = try InferenceTrial(
      """
      {"users": [{"id": 71, "login": "ann", "a": 1, "b": 2, "c": 3, "d": 4},
                 {"id": 72, "login": "ben", "a": 2, "b": 3, "c": 4, "d": 5}],
       "credits": [{"login": "ann", "type": "analyst"}, {"login": "ben", "type": "analyst"},
                   {"login": "ann", "type": "analyst"}]}
      """)
    #expect(try trial.entity("Credit").identity == nil)
    #expect(try trial.relationship("Credit", "login") == "→ User by identifier")
    #expect(try trial.differences() == [])
  }

  @Test func `is a long hash, though each object is alone where it is found`() throws {
    let blocks = (1...4).map {
      #"{"no": \#($0), "block": {"hash": "0x88e96d4537bea4d9c05d12549907b32\#($0)", "size": 7, "parent": null}}"#
    }
    let trial = try InferenceTrial(#"{"answers": [\#(blocks.joined(separator: ","))]}"#)
    #expect(try trial.entity("Block").identity == ["hash"])
    #expect(try trial.differences() == [])
  }

  @Test func `is an identifier that is written as one word, where the data proves it`() throws {
    let tests = (1...6).map { #"{"nodeid": "a.py::t\#($0)", "line": \#($0)}"# }
    let trial = try InferenceTrial(#"{"tests": [\#(tests.joined(separator: ","))]}"#)
    #expect(try trial.entity("Test").identity == ["nodeid"])
  }

  @Test func `is referred to by whom it was made`() throws {
    let trial = try InferenceTrial(
      """
      {"users": [{"id": "u0", "name": "Ann"}, {"id": "u1", "name": "Ben"}, {"id": "u2", "name": "Cy"}],
       "quizzes": [{"id": "q1", "createdBy": "u1"}, {"id": "q2", "createdBy": "u2"}]}
      """)
    #expect(try trial.relationship("Quiz", "createdBy") == "→ User by identifier")
    #expect(try trial.differences() == [])
  }

  @Test func `is the code of a standard, which makes no dictionary`() throws {
    let trial = try InferenceTrial(
      #"[{"n": 1, "admins": [{"iso_3166_1": "DE", "iso_3166_1_alpha3": "DEU"}]}, {"n": 2, "admins": [{"iso_3166_1": "AT", "iso_3166_1_alpha3": "AUT"}]}]"#
    )
    #expect(try trial.relationship("Item", "admins") == "⇉ Admin")
    #expect(try trial.differences() == [])
  }

  @Test func `is referred to by one large number that says so`() throws {
    let trial = try InferenceTrial(
      #"{"tickets": [{"id": 35436, "problem_id": null}, {"id": 35437, "problem_id": 35436}]}"#)
    #expect(try trial.relationship("Ticket", "problem") == "→ Ticket by identifier")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    ("eventType", "", false), ("category", "", false), ("cellType", "", true),
    // Each has a key of its own.
    ("eventType", #", "code": 0"#, true),
  ])
  func `is no state or category of which one goes with fewer keys`(
    tag: String, rest: String, isDivided: Bool
  ) throws {
    let runs = (0..<4).map {
      #"{"\#(tag)": "start", "run": \#($0), "query": {"sql": "s\#($0)"}}, {"\#(tag)": "end", "run": \#($0)\#(rest)}"#
    }
    let trial = try InferenceTrial("[\(runs.joined(separator: ","))]")
    #expect(trial.model.entities.contains { $0.superentity != nil } == isDivided)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    ("pitch", "sort", "Tone"), ("tone", "sort", "Tone"), ("pitch", "id", "Pitch"),
    ("item", "sort", "Tone"),
  ])
  func `is what a list is called after, if that has one part and no other identifier`(
    part: String, key: String, entity: String
  ) throws {
    func tone(_ number: Int) -> String {
      #"{"\#(part)": {"\#(key)": "s\#(number)", "octave": \#(number)}}"#
    }
    let trial = try InferenceTrial(
      #"{"bars": [{"at": 1, "tones": [\#(tone(1)), \#(tone(2))]}, {"at": 2, "tones": [\#(tone(3))]}]}"#
    )
    #expect(trial.model.entities.map(\.name).sorted() == ["Bar", "Document", entity].sorted())
    let path = part == "pitch" && key == "sort" ? "tones" : "tones[*].\(part)"
    #expect(trial.relationshipPaths.contains(path))
    #expect(try trial.differences() == [])
  }

  @Test func `is no reference besides, and nothing says that it is`() async throws {
    func entity(_ names: String...) -> String {
      #"{"properties": {\#(names.map { #""\#($0)": {"matchable": true, "type": "entity"}"# }.joined(separator: ","))}}"#
    }
    func numbers(_ names: String...) -> String {
      #"{"properties": {\#(names.map { #""\#($0)": {"type": "number"}"# }.joined(separator: ","))}}"#
    }
    let data = Data(
      #"""
      {"schemata": {"Asset": \#(entity("owner")), "Note": \#(entity("about")), "Value": \#(numbers("low", "high", "mean"))},
       "types": {"number": {"length": 250}, "entity": {"length": 9}, "string": {}}}
      """#.utf8)
    let inference = ModelInference()
    try await inference.readDocument(from: .data(data))
    let model = try await inference.finish(readingAgain: [.data(data)])
    #expect(!model.findings.contains { $0.evidence.hasPrefix("0 of 0") })
    let names = Set(
      model.entities.flatMap { entity in entity.relationships.map { "\(entity.name).\($0.name)" } })
    for finding in model.findings where finding.subject.contains(" → ") {
      #expect(names.contains(String(finding.subject.split(separator: " ")[0])))
    }
  }
}
