import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `A tagged union` {
  /// Types of parameters and of results, which have one kind in common.
  private static func types(common: String, _ member: String) -> String {
    """
    {"requests": [
      {"no": 1, "params": {"kind": "name", "name": "Position"}, "result": {"kind": "array", "length": 4}},
      {"no": 2, "params": {"kind": "and", "left": "A", "right": "B"}, "result": {"kind": "\(common)", "\(member)": "C"}},
      {"no": 3, "params": {"kind": "name", "name": "Range"}, "result": {"kind": "\(common)", "\(member)": "D"}}]}
    """
  }

  @Test func `is one entity where a kind is found at several places, whatever else is there`()
    throws
  {
    let trial = try InferenceTrial(Self.types(common: "name", "name"))
    let request = try trial.entity("Request")
    #expect(Set(request.relationships.map(\.destination)).count == 1)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("map", "name"), ("name", "size")])
  func `is another one without a common kind, or with other members of it`(
    kind: String, member: String
  ) throws {
    let trial = try InferenceTrial(Self.types(common: kind, member))
    let request = try trial.entity("Request")
    let found = ["params", "result"].compactMap { name in
      request.relationships.first { $0.name == name }?.destination
    }
    #expect(Set(found).count == 2, "\(found)")
    #expect(try trial.differences() == [])
  }

  @Test func `may have a kind of the name that all its objects have`() throws {
    let trial = try InferenceTrial(
      """
      {"users": [
        {"id": 1, "type": "User", "site_admin": true}, {"id": 2, "type": "Bot", "app": "x"},
        {"id": 3, "type": "User", "site_admin": false}, {"id": 4, "type": "Bot", "app": "y"}],
       "issues": [{"number": 7, "author": 1}, {"number": 8, "author": 2}, {"number": 9, "author": 3}]}
      """)
    let user = try trial.entity("User")
    #expect(user.attributes.map(\.name) == ["id"])
    #expect(try trial.differences() == [])
  }

  /// A stack of tracks of clips, each of which has the same keys and names its schema.
  private static func stack(_ key: String) -> String {
    func object(_ schema: String, _ name: String, _ rest: String) -> String {
      #"{"\#(key)": "\#(schema)", "name": "\#(name)", "enabled": true, "effects": [], "range": null, \#(rest)}"#
    }
    func clips(_ track: Int) -> String {
      let clips = (0..<3).map {
        object("Clip.1", "c\(track)\($0)", #""children": [], "media": "m\#($0)""#)
      }
      return clips.joined(separator: ",")
    }
    let tracks = (0..<3).map {
      object("Track.1", "t\($0)", #""children": [\#(clips($0))], "muted": false"#)
    }
    let list = tracks.joined(separator: ",")
    return #"{"date": "today", "stack": \#(object("Stack.1", "s", #""children": [\#(list)]"#))}"#
  }

  @Test func `is none where the types tell nothing`() throws {
    let people = (0..<6).map { number in
      #"""
      {"id": "person-\#(number)", "emails": [{"type": "work", "value": "\#(number)@x.org", "primary": true}, {"type": "home", "value": "\#(number)@y.org"}], "phones": [{"type": "work", "value": "\#(number)"}, {"type": "mobile", "value": "0\#(number)"}]}
      """#
    }
    let trial = try InferenceTrial("[\(people.joined(separator: ","))]")
    #expect(try trial.relationship("Item", "emails") == "⇉ Email")
    #expect(try trial.relationship("Item", "phones") == "⇉ Phone")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: ["qtype", "cellKind", "prototype", "group", "mode"])
  func `has a tag whose key ends like one`(key: String) throws {
    let objects = (0..<6).map { number in
      let rest = number % 2 == 0 ? #""answers": ["a"], "single": true"# : #""tolerance": 0.5"#
      return
        #"{"id": \#(800 + number), "\#(key)": "\#(number % 2 == 0 ? "choice" : "numerical")", \#(rest)}"#
    }
    let trial = try InferenceTrial("[\(objects.joined(separator: ","))]")
    #expect(trial.model.entities.count == (key == "mode" ? 1 : 3))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("zone", "state", false), ("title", "level", true)])
  func `is not made of what all objects of a standard are called`(
    first: String, second: String, isOne: Bool
  ) throws {
    func feature(_ id: String, _ properties: String) -> String {
      #"{"type": "Feature", "id": "\#(id)", "geometry": null, "properties": {\#(properties)}}"#
    }
    let alerts = (1...4).map { feature("a\($0)", #""title": "A\#($0)", "level": \#($0)"#) }
    let zones = (1...4).map { feature("z\($0)", #""\#(first)": "Z\#($0)", "\#(second)": \#($0)"#) }
    let trial = try InferenceTrial(
      #"{"features": [\#(alerts.joined(separator: ","))], "zones": {"features": [\#(zones.joined(separator: ","))]}}"#
    )
    let links = trial.model.entities.flatMap(\.relationships).filter {
      $0.isToMany && $0.policies.export != .identifier
    }
    #expect(Set(links.map(\.destination)).count == (isOne ? 1 : 2))
    #expect(try trial.differences() == [])
  }

  @Test func `has a tag that is called its type, before one that is not`() throws {
    let objects = (0..<6).map { number in
      let isText = number % 2 == 0
      let rest = isText ? #""answers": ["a"], "single": true"# : #""tolerance": 0.5"#
      return
        #"{"id": \#(800 + number), "group": "\#(isText ? "g1" : "g2")", "type": "\#(isText ? "choice" : "numerical")", \#(rest)}"#
    }
    let trial = try InferenceTrial("[\(objects.joined(separator: ","))]")
    #expect(
      trial.model.entities.first { $0.discriminator != nil }?.discriminator?.annotation == "type")
  }

  @Test func `is called by its kinds without their versions`() throws {
    func root(_ kinds: [String]) throws -> [String] {
      let objects = kinds.enumerated().flatMap { number, kind in
        (0..<3).map { #"{"type": "\#(kind)", "k\#(number)": \#($0)}"# }
      }
      return try InferenceTrial("[\(objects.joined(separator: ","))]").model.entities.map(\.name)
    }
    #expect(try root(["clip.1", "gap.1"])[0] == "Item")
    #expect(try root(["clip.node", "gap.node"])[0] == "Node")
  }
}

@Suite struct `A key that is not called a tag` {
  @Test(arguments: [("topic", 2), ("type", 5)])
  func `divides no objects`(key: String, entityCount: Int) throws {
    let kinds = [
      ("click", #""x": 3, "y": 4"#), ("key", #""code": "a""#), ("said", #""text": "b""#),
    ]
    let objects = (0..<12).map { number in
      #"{"at": \#(number), "\#(key)": "\#(kinds[number % 3].0)", \#(kinds[number % 3].1)}"#
    }
    let trial = try InferenceTrial(#"{"log": [\#(objects.joined(separator: ","))]}"#)
    #expect(trial.model.entities.count == entityCount)
    #expect(try trial.differences() == [])
  }
}

@Suite struct `The type of a value` {
  @Test(arguments: [("value", false), ("content", true)])
  func `is no kind of thing`(key: String, isDivided: Bool) throws {
    let values = [
      ("Int", "3"), ("String", #""x""#), ("Point", #"{"x": 1}"#), ("Int", "4"), ("String", #""y""#),
      ("Point", #"{"x": 2}"#),
    ]
    let fields = values.enumerated().map {
      #"{"no": \#($0), "type": "\#($1.0)", "\#(key)": \#($1.1)}"#
    }
    let trial = try InferenceTrial(#"{"fields": [\#(fields.joined(separator: ","))]}"#)
    #expect((trial.model.entities.count > 2) == isDivided)
    #expect(try trial.differences() == [])
  }
}

@Suite struct `Objects beside each other` {
  private static func formats(_ member: String) -> String {
    """
    {"id": 1,
     "ORDER_FORMATS": {"pay": [{"name": "sum", "\(member)": 1}, {"name": "day", "\(member)": 0}], "send": [{"name": "to", "\(member)": 1}]},
     "BILL_FORMATS": {"open": [{"name": "no", "\(member)": 1}, {"name": "on", "\(member)": 0}], "done": [{"name": "by", "\(member)": 1}]}}
    """
  }

  @Test func `are of one kind where their keys end alike and their members are the same`() throws {
    func kinds(_ document: String) throws -> Int {
      let trial = try InferenceTrial(document)
      #expect(try trial.differences() == [])
      let groups = trial.model.entities.filter { entity in
        entity.relationships.contains { $0.paths?.annotation == "[*]" }
      }
      return Set(groups.flatMap(\.relationships).map(\.destination)).count
    }
    #expect(try kinds(Self.formats("optionality")) == 1)
    // Any object may have a name and a value.
    #expect(try kinds(Self.formats("value")) == 2)
    #expect(
      try kinds(
        Self.formats("optionality").replacingOccurrences(of: "BILL_FORMATS", with: "BILL_RATES"))
        == 2)
  }

  /// Steps of a flow, of two types, each of which names the next ones.
  private static func flow(_ steps: [String]) -> String {
    #"{"start": "ask-name", "steps": [\#(steps.joined(separator: ","))], "#
      + #""runs": [{"no": 1, "stepIds": ["ask-age", "send-mail", "ask-name"]}, {"no": 2, "stepIds": ["send-mail", "log-out"]}]}"#
  }

  private static let steps = [
    #"{"id": "ask-name", "type": "question", "prompt": "Who?", "next": "send-mail"}"#,
    #"{"id": "send-mail", "type": "task", "command": "mail", "retries": 2, "next": "ask-age"}"#,
    #"{"id": "ask-age", "type": "question", "prompt": "How old?", "next": "log-out"}"#,
    #"{"id": "log-out", "type": "task", "command": "exit", "retries": 0, "next": null}"#,
  ]

  @Test func `is referred to by identifiers, which are written as they were`() throws {
    let trial = try InferenceTrial(Self.flow(Self.steps))
    #expect(try trial.entity("Question").superentity == "Step")
    #expect(try trial.relationship("Step", "next") == "→ Step by identifier")
    #expect(try trial.relationship("Run", "steps") == "⇉ Step by identifier")
    #expect(try trial.differences() == [])
  }

  @Test func `is referred to by keys of a dictionary`() throws {
    let trial = try InferenceTrial(
      """
      {"version": 3, "nodes": {
        "n0001": {"type": "text", "text": "Hello", "size": 3, "next": "n0002"},
        "n0002": {"type": "image", "source": "a.png", "width": 7, "next": "n0003"},
        "n0003": {"type": "text", "text": "Bye", "size": 4, "next": "n0004"},
        "n0004": {"type": "image", "source": "b.png", "width": 9, "next": null}}}
      """)
    #expect(try trial.relationship("Node", "next") == "→ Node by identifier")
    #expect(try trial.entity("Image").superentity == "Node")
    #expect(try trial.differences() == [])
  }

  @Test func `is one entity where nodes of all types hold each other under one key`() throws {
    func text(_ text: String) -> String { #"{"type": "text", "text": "\#(text)"}"# }
    func paragraph(_ content: String) -> String {
      #"{"type": "paragraph", "content": [\#(content)]}"#
    }
    let item = #"{"type": "item", "content": [\#(paragraph(text("one")))]}"#
    let trial = try InferenceTrial(
      """
      {"type": "doc", "content": [
        {"type": "heading", "attrs": {"level": 1}, "content": [\(text("Title"))]},
        \(paragraph(text("Hello") + "," + text("world"))),
        {"type": "list", "content": [\(item), \(item)]}]}
      """)
    let root = try #require(trial.inferred.roots.first ?? nil)
    #expect(try trial.relationship(root.entity, "content") == "⇉ \(root.entity)")
    #expect(try trial.differences() == [])
  }

  @Test func `is several entities where each level is of one type`() throws {
    let pages = (0..<3).map {
      #"{"type": "page", "height": 3, "items": [{"type": "note", "items": ["a\#($0)"], "text": "n"}]}"#
    }
    let trial = try InferenceTrial(
      #"{"type": "book", "label": "b", "items": [\#(pages.joined(separator: ","))]}"#)
    let root = try #require(trial.inferred.roots.first ?? nil)
    #expect(try trial.relationship(root.entity, "items") != "⇉ \(root.entity)")
    #expect(try trial.differences() == [])
  }
}

@Suite struct `Kinds that a tag tells apart` {
  /// Returns whether kinds are told apart among objects, each of which has a tag and other members.
  private func areFound(_ objects: [String]) throws -> Bool {
    let trial = try InferenceTrial("[\(objects.joined(separator: ","))]")
    #expect(try trial.differences() == [])
    return trial.model.entities.contains { $0.superentity != nil }
  }

  /// The key of a state is optional; two keys go with a kind.
  @Test(arguments: [("", false), (#", "reason": "x""#, true)])
  func `have more than one key of their own`(more: String, areKinds: Bool) throws {
    let objects = (0..<12).map {
      $0 % 4 == 0
        ? #"{"id": "m\#($0)", "type": "deleted", "text": "t", "deleted_at": "d\#($0)"\#(more)}"#
        : #"{"id": "m\#($0)", "type": "regular", "text": "t"\#($0 == 1 ? #", "args": "c""# : "")}"#
    }
    #expect(try areFound(objects) == areKinds)
  }

  @Test(arguments: [
    (["sad", "wow", "haha", "like", "love", "angry", "cry", "yay"], false),
    (["sad", "wow", "haha"], true),
  ])
  func `differ in half of them`(names: [String], areKinds: Bool) throws {
    let objects = (names + names).map { name in
      let image = ["sad", "wow"].contains(name) ? #", "image": "i""# : ""
      let user = name == "sad" ? #", "user": "u""# : ""
      return #"{"type": "\#(name)", "score": 1\#(image)\#(user)}"#
    }
    #expect(try areFound(objects) == areKinds)
  }

  @Test(arguments: [("0000003E-0000-1000-8000-0026BB76529", false), ("lamp", true)])
  func `are not called by UUIDs`(prefix: String, areKinds: Bool) throws {
    let objects = (0..<8).map {
      #"{"type": "\#(prefix)\#($0 % 2)", "at": \#($0), \#($0 % 2 == 0 ? #""a": 1"# : #""b": 2"#)}"#
    }
    #expect(try areFound(objects) == areKinds)
  }
}
