import Foundation
import Testing

@testable import Graft
@testable import GraftInference
@testable import GraftTestSupport

@Suite struct `An inferred entity` {
  @Test(arguments: [true, false])
  func `takes the name that its content has, and the object around it another`(
    isWrapped: Bool
  ) throws {
    let items = (0..<8).map { number in
      let icon = #"{"__typename": "Icon", "id": "ic\#(number % 4)", "name": "n\#(number % 4)"}"#
      let held = isWrapped ? #"{"id": "ic\#(number % 4)", "node": \#(icon)}"# : icon
      return #"{"id": "it\#(number)", "icon": \#(held)}"#
    }
    let trial = try InferenceTrial(#"{"items": [\#(items.joined(separator: ", "))]}"#)
    #expect(try trial.entity("Icon").attributes.contains { $0.name == "name" })
    #expect(
      trial.model.entities.map(\.name).sorted()
        == (isWrapped ? ["Document", "Icon", "Item", "ItemIcon"] : ["Document", "Icon", "Item"]))
    #expect(try trial.differences() == [])
  }

  @Test func `gathers objects of one identity and one content from several places`() throws {
    let trial = try InferenceTrial(
      """
      {"posts": [{"id": 1, "author": {"id": 7, "name": "Ann", "city": "Ulm"}},
                 {"id": 2, "author": {"id": 8, "name": "Ben", "city": "Bonn"}}],
       "admins": [{"id": 7, "name": "Ann", "city": "Ulm"}]}
      """)
    #expect(
      try trial.relationship("Post", "author")
        == trial.relationship("Document", "admins").replacing("⇉", with: "→"))
    #expect(trial.model.entities.count == 3)
    #expect(try trial.differences() == [])
  }

  @Test
  func `holds objects of its own kind under its own key, whatever else they say of the same id`()
    throws
  {
    let names = ["salt", "flour", "oat", "water", "cocoa"]
    func ingredient(_ name: Int, _ low: Int, _ inner: String = "") -> String {
      let name = names[name % names.count]
      return
        #"{"id": "en:\#(name)", "text": "\#(name)", "low": \#(low), "high": \#(low + 10)\#(inner)}"#
    }
    let products = (0..<4).map { number in
      let inner =
        #", "ingredients": [\#(ingredient(number + 1, number * 3)), \#(ingredient(number + 2, number * 5 + 1))]"#
      let all = [
        ingredient(number, number * 7, inner), ingredient(number + 1, number * 7 + 1),
        ingredient(number + 2, number * 7 + 2),
      ]
      return #"{"code": "p\#(number)", "ingredients": [\#(all.joined(separator: ","))]}"#
    }
    let trial = try InferenceTrial(#"{"products": [\#(products.joined(separator: ","))]}"#)
    #expect(try trial.relationship("Product", "ingredients") == "⇉ Ingredient")
    #expect(try trial.relationship("Ingredient", "ingredients") == "⇉ Ingredient")
    #expect(try trial.differences() == [])
  }

  @Test func `is another one where the same identity has another content`() throws {
    let trial = try InferenceTrial(
      """
      {"brands": [{"id": 1, "name": "Acme"}, {"id": 2, "name": "Volt"}],
       "things": [{"id": 50, "brand": 1, "colour": {"id": 1, "name": "red"}},
                  {"id": 51, "brand": 2, "colour": {"id": 2, "name": "blue"}}]}
      """)
    #expect(try trial.entity("Brand").identity == ["id"])
    #expect(try trial.entity("Colour").identity == ["id"])
    #expect(try trial.relationship("Thing", "brand") == "→ Brand by identifier")
  }

  @Test func `holds what is nested in itself`() throws {
    let trial = try InferenceTrial(
      """
      {"comments": [{"id": 1, "text": "a", "replies": [
        {"id": 2, "text": "b", "replies": [{"id": 3, "text": "c", "replies": []}]}]}]}
      """)
    #expect(trial.model.entities.map(\.name) == ["Document", "Comment"])
    #expect(try trial.relationship("Comment", "replies") == "⇉ Comment")
    #expect(try trial.differences() == [])
  }

  @Test func `is told by the contents of a wrapper that looks like others`() throws {
    let trial = try InferenceTrial(
      """
      {"posts": {"total": 1, "edges": [{"cursor": "a", "node": {"id": "p1", "title": "x",
         "tags": {"total": 2, "edges": [{"cursor": "b", "node": {"id": "t1", "colour": "red"}},
                                        {"cursor": "c", "node": {"id": "t2", "colour": "blue"}}]}}}]}}
      """)
    #expect(trial.model.entities.map(\.name) == ["Document", "PostEdge", "Post", "TagEdge", "Tag"])
    #expect(try trial.relationship("TagEdge", "node") == "→ Tag")
    #expect(try trial.differences() == [])
  }

  @Test func `takes in objects that only refer to others, at any number of places`() throws {
    let trial = try InferenceTrial(
      """
      {"users": [{"id": "u-71", "name": "Ann", "city": "Ulm"}, {"id": "u-82", "name": "Ben", "city": "Bonn"}],
       "pages": [{"no": 1, "created_by": {"object": "user", "id": "u-71"}, "edited_by": {"object": "user", "id": "u-82"}},
                 {"no": 2, "created_by": {"object": "user", "id": "u-82"}, "edited_by": {"object": "user", "id": "u-71"}}]}
      """)
    #expect(trial.model.entities.count == 3)
    #expect(try trial.relationship("Page", "createdBy") == "→ User by identifier")
    #expect(try trial.relationship("Page", "editedBy") == "→ User by identifier")
    #expect(try trial.differences() == [])
  }

  @Test func `gathers an object from a place that lacks one of its keys, and says so`() throws {
    let trial = try InferenceTrial(
      """
      {"owner": {"id": "ann", "uri": "u:ann", "href": "/ann", "kind": "p", "label": "Ann"},
       "items": [{"n": 1, "adder": {"id": "ann", "uri": "u:ann", "href": "/ann", "kind": "p"}},
                 {"n": 2, "adder": {"id": "ben", "uri": "u:ben", "href": "/ben", "kind": "p"}}]}
      """)
    let user = try trial.relationship("Document", "owner")
    #expect(try trial.relationship("Item", "adder") == user)
    let losses = trial.inferred.findings.filter { $0.certainty == .loss }.map(\.evidence)
    #expect(losses.contains { $0.hasPrefix("some have fewer keys") })
  }

  @Test func `says why what is called an identity is none`() throws {
    let trial = try InferenceTrial(
      #"{"media": [{"id": 7, "at": [1, 2]}, {"id": 7, "at": [3, 4]}]}"#)
    let finding = try #require(trial.inferred.findings.first { $0.subject == "Media" })
    #expect(
      finding.evidence
        == "2 objects, no identity: the same id occurs with different at, of which only the last would be kept"
    )
  }

  @Test(
    arguments: [
      // Most fields are strings, and two titles need not be one field.
      (#""type": "string""#, nil),
      // Two titles with the same label are.
      (#""type": "string", "label": "The KEY""#, ["id"]),
      // Nothing is lost where all else is the same everywhere.
      (#""type": "string", "text": null"#, ["id"]),
    ] as [(String, [String]?)])
  func `of an identifier in lists is none where its objects may be equal by chance`(
    members: String, identity: [String]?
  ) throws {
    func field(_ key: String, _ type: String = "string") -> String {
      let members = members.replacing("KEY", with: key)
      let isConstant = members.contains("null")
      return
        #"{"id": "\#(key)", \#(isConstant ? members : members.replacing("string", with: type))}"#
    }
    let trial = try InferenceTrial(
      #"{"forms": [{"id": "person", "fields": [\#(field("name")), \#(field("title"))]}, "#
        + #"{"id": "post", "fields": [\#(field("title")), \#(field("slug")), \#(field("body", "text"))]}]}"#
    )
    #expect(try trial.entity("Field").identity == identity)
    let reason =
      "5 objects, no identity: objects with the same id are equal, but so are some with another"
    #expect(trial.inferred.findings.contains { $0.evidence == reason } == (identity == nil))
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      // A name goes with its type, so that equal objects are no evidence.
      (#"{"name": "N", "type": "t#"}"#, [1, 2, 3, 4, 1, 2], nil),
      (#"{"name": "N", "born": 197N}"#, [1, 2, 3, 4, 1, 2], ["name"]),
      // Most names occur in one list only, and two that do not may be different things.
      (#"{"name": "N", "born": 197N}"#, [1, 2, 3, 4, 1, 5], nil),
      (#"{"name": "N"}"#, [1, 2, 3, 4, 1, 2], ["name"]),
    ] as [(String, [Int], [String]?)])
  func `in lists of others is identified by a name if most occur again, with other contents each`(
    object: String, numbers: [Int], identity: [String]?
  ) throws {
    let lists = [0, 2, 4].map { first in
      let objects = numbers[first..<first + 2].map {
        object.replacing("N", with: "\($0)").replacing("#", with: "\($0 % 2)")
      }
      return #"{"id": \#(first), "writers": [\#(objects.joined(separator: ","))]}"#
    }
    let trial = try InferenceTrial(#"{"posts": [\#(lists.joined(separator: ","))]}"#)
    #expect(try trial.entity("Writer").identity == identity)
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      // Each policy may count its own.
      (["v1", "v8"], nil), (["1", "8"], nil),
      // A number that means the same everywhere is long, or one of many.
      (["v-7f3a", "v-90bc"], ["versionId"]), (["v1", "v2", "v3", "v4", "v5"], ["versionId"]),
      (["DE", "ITA"], ["versionId"]),
      // Words are those of their list.
      (["draft", "final", "signed", "archived", "public"], nil),
      // One says nothing.
      (["v-7f3a", "v-7f3a"], nil),
    ] as [([String], [String]?)])
  func `in the lists of others is identified by a code that is known outside of them`(
    codes: [String], identity: [String]?
  ) throws {
    let policies = codes.enumerated().map {
      #"{"arn": "arn:\#($0)", "versions": [{"versionId": "\#($1)", "default": true}]}"#
    }
    let trial = try InferenceTrial(#"{"policies": [\#(policies.joined(separator: ","))]}"#)
    #expect(try trial.entity("Version").identity ?? [] == identity ?? [])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("v", nil), ("https://a.org/", ["label"])] as [(String, [String]?)])
  func `is not identified by short values of which each object around means its own`(
    prefix: String, identity: [String]?
  ) throws {
    let books = (1...3).map { book in
      let editions = (1...2).map {
        #"{"label": "\#(prefix)\#(book * 2 + $0)", "pages": \#($0 * 90)}"#
      }
      return
        #"{"chosenEdition": "\#(prefix)\#(book * 2 + 1)", "editions": [\#(editions.joined(separator: ","))]}"#
    }
    let trial = try InferenceTrial(#"{"books": [\#(books.joined(separator: ","))]}"#)
    #expect(try trial.entity("Edition").identity ?? [] == identity ?? [])
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      (#""ms": 100, "kind": "task""#, nil), (#""ms": 10#, "kind": "task""#, ["name"]),
    ] as [(String, [String]?)])
  func `in one list is not identified by a repeated name beside what is the same everywhere`(
    members: String, identity: [String]?
  ) throws {
    let steps = [1, 2, 3, 4, 5, 2, 3, 3].map {
      #"{"name": "step:\#($0)", \#(members.replacing("#", with: "\($0)"))}"#
    }
    let trial = try InferenceTrial(#"{"total": 1, "steps": [\#(steps.joined(separator: ","))]}"#)
    #expect(try trial.entity("Step").identity == identity)
    #expect(try trial.importedCount("Step") == (identity == nil ? 8 : 5))
  }

  @Test(arguments: [("amount", nil), ("label", ["code"])] as [(String, [String]?)])
  func `is not identified by the code of an amount`(key: String, identity: [String]?) throws {
    func fees(_ codes: [String]) -> String {
      codes.map { #"{"code": "\#($0)", "\#(key)": "\#($0.count).\#($0)"}"# }
        .joined(separator: ",")
    }
    let trial = try InferenceTrial(
      #"{"prices": [{"fees": [\#(fees(["CJ", "FRX", "Y"]))]}, {"fees": [\#(fees(["CJ", "FRX", "Y"]))]}, {"fees": [\#(fees(["Y"]))]}]}"#
    )
    #expect(try trial.entity("Fee").identity == identity)
    #expect(try trial.differences() == [])
  }

  @Test func `of a type and an identifier may have nothing else`() throws {
    let posts = (0..<6).map {
      #"{"title": "t\#($0)", "tags": [{"type": "tag", "id": "\#($0 % 3)"}, {"type": "kind", "id": "\#($0 % 2)"}]}"#
    }
    let trial = try InferenceTrial(#"{"posts": [\#(posts.joined(separator: ","))]}"#)
    #expect(try trial.entity("Tag").identity == ["id", "type"])
    #expect(try trial.differences() == [])
  }

  @Test func `takes in small objects that each has without fail`() throws {
    let trial = try InferenceTrial(
      #"[{"id": 1, "coord": {"lat": 52.5, "lon": 13.4}}, {"id": 2, "coord": {"lat": 1.5, "lon": 2}}]"#
    )
    #expect(trial.model.entities.count == 1)
    #expect(try trial.type("Item", "lat") == .double)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("title", true), ("href", false)])
  func `is one object with a name and lists, unless it only has an address`(
    key: String, isEntity: Bool
  ) throws {
    let trial = try InferenceTrial(
      #"{"version": 1, "conference": {"\#(key)": "https://a.org/c", "days": 2, "rooms": [{"id": 1, "seats": 90}, {"id": 2, "seats": 50}]}}"#
    )
    #expect((trial.model.entity(named: "Conference") != nil) == isEntity)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    ("RoleDetailList", "[%]", "RoleDetail"), ("versions_list", "[%]", "Version"),
    ("priceList", "%", "PriceList"),
  ])
  func `is named without the word for a list`(key: String, form: String, name: String) throws {
    let object = #"{"id": 7, "label": "a", "size": {"x": 1, "y": 2}}"#
    let value = form.replacing(
      "%", with: form == "%" ? object : object + "," + object.replacing("7", with: "8"))
    let trial = try InferenceTrial(#"{"page": 1, "\#(key)": \#(value)}"#)
    #expect(trial.model.entities.map(\.name).contains(name))
  }

  @Test(arguments: ["_type", "__type__"])
  func `is named by the type that it has under an annotation`(key: String) throws {
    let trial = try InferenceTrial(
      #"{"\#(key)": "Deck", "title": "t", "cards": [{"id": 1, "front": "a"}, {"id": 2, "front": "b"}]}"#
    )
    #expect(trial.model.entities.map(\.name) == ["Deck", "Card"])
  }

  @Test func `is named after the last words that its places have in common`() throws {
    let trial = try InferenceTrial(
      """
      [{"id": 1, "billing_address": {"street": "a", "city": "b", "zip": "1"},
        "shipping_address": {"street": "c", "city": "d", "zip": "2"}}]
      """)
    #expect(try trial.relationship("Item", "billingAddress") == "→ Address")
    #expect(try trial.relationship("Item", "shippingAddress") == "→ Address")
  }

  @Test(
    arguments: [
      (#"[{"id": 1, "n": "a"}, {"id": 2, "n": "b"}]"#, ["id"]),
      (#"[{"sku": "A-1", "n": 1}, {"sku": "A-2", "n": 1}]"#, ["sku"]),
      (#"[{"orderId": 1, "n": 1}, {"orderId": 2, "n": 1}]"#, ["orderId"]),
      (#"[{"n": 1}, {"n": 2}]"#, nil),
      (#"[{"id": 1}, {"id": null}]"#, nil),
      (#"[{"id": 1, "n": "a"}, {"id": 1, "n": "b"}]"#, nil),
      (
        #"[{"id": 505874924095815700, "id_str": "505874924095815681"}, {"id": 1, "id_str": "1"}]"#,
        ["idStr"]
      ),
      (#"[{"name": "a", "n": 1}, {"name": "b", "n": 1}, {"name": "c", "n": 1}]"#, ["name"]),
      (#"[{"name": "a", "value": 1}, {"name": "b", "value": 1}, {"name": "c", "value": 1}]"#, nil),
      (
        #"[{"type": "a", "id": 1, "n": 1}, {"type": "b", "id": 1, "n": 2}, {"type": "a", "id": 2, "n": 3}]"#,
        ["id", "type"]
      ),
      (
        #"[{"student_id": 1, "course_id": 7, "n": 1}, {"student_id": 1, "course_id": 8, "n": 2}, {"student_id": 2, "course_id": 7, "n": 3}]"#,
        ["courseID", "studentID"]
      ),
    ] as [(String, [String]?)])
  func `is identified by the values that tell its objects apart`(
    json: String, identity: [String]?
  ) throws {
    let trial = try InferenceTrial(json)
    #expect(trial.model.entities[0].identity == identity)
  }

  @Test(
    arguments: [
      (#""matchId": "m-REPEATED", "n": REPEATED"#, ["matchId"]),
      (#""matchId": "m-REPEATED", "n": NUMBER"#, nil),
      (#""fileId": "abcdefghijkNUMBER", "n": NUMBER"#, ["fileId"]),
      (#""fileId": "abcdefghijkNUMBER", "userId": NUMBER, "n": NUMBER"#, nil),
    ] as [(String, [String]?)])
  func `is identified by an identifier of another name where the data proves it`(
    members: String, identity: [String]?
  ) throws {
    let photos = (10..<20).map { number in
      let text = members.replacing("NUMBER", with: "\(number)")
      return "{\(text.replacing("REPEATED", with: "\(number % 6)"))}"
    }
    let trial = try InferenceTrial("{\"photos\": [\(photos.joined(separator: ","))]}")
    #expect(try trial.entity("Photo").identity == identity)
  }

  @Test
  func `is identified by keys of several dictionaries, where none is repeated and they are many`()
    throws
  {
    func repository(_ key: (Int) -> String, _ count: Int) -> String {
      let packages = (0..<count).map { #""\#(key($0))": {"name": "n\#($0 % 3)", "size": \#($0)}"# }
      let half = count / 2
      return
        #"{"packages": {\#(packages[..<half].joined(separator: ","))}, "removed_packages": {\#(packages[half...].joined(separator: ","))}}"#
    }
    let many = try InferenceTrial(repository({ "lib-\($0).tar" }, 10))
    #expect(try many.entity("Package").identity == ["key"])
    #expect(try many.differences() == [])
    let few = try InferenceTrial(repository({ "lib-\($0).tar" }, 6))
    #expect(few.model.entities.allSatisfy { $0.identity != ["key"] })
    let repeated = try InferenceTrial(repository({ "lib-\($0 % 9).tar" }, 10))
    #expect(repeated.model.entities.allSatisfy { $0.identity != ["key"] })
  }

  @Test(
    arguments: [
      (10, 30, ["key"]), (10, 9, nil), (3, 9, nil),
    ] as [(Int, Int, [String]?)])
  func `is identified by keys of the dictionaries of many, where many are never repeated`(
    count: Int, keyCount: Int, identity: [String]?
  ) throws {
    let lines = (0..<count).map { line in
      let segments = (0..<3).map {
        #""\#(100 + (line * 3 + $0) % keyCount)": {"from": \#(line), "to": \#($0)}"#
      }
      return #"{"id": \#(line), "segments": {\#(segments.joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial(#"{"lines": [\#(lines.joined(separator: ","))]}"#)
    #expect(try trial.entity("Segment").identity ?? [] == identity ?? [])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("F", nil), ("US", ["stateCode"])] as [(String, [String]?)])
  func `is not identified by one letter that is the same everywhere`(
    code: String, identity: [String]?
  ) throws {
    let games = (0..<5).map {
      #"{"no": \#($0), "state": {"stateCode": "\#(code)", "text": "Final", "reason": "x"}}"#
    }
    let trial = try InferenceTrial(#"{"games": [\#(games.joined(separator: ","))]}"#)
    let state = trial.model.entities.first { $0.name == "State" }
    #expect(state?.identity == identity)
  }

  @Test func `is one for all links that are nothing but an address`() throws {
    let trial = try InferenceTrial(
      """
      [{"id": 1, "links": {"self": {"href": "/1"}, "venues": [{"href": "/v/1"}, {"href": "/v/2"}]}},
       {"id": 2, "links": {"self": {"href": "/2"}, "venues": [{"href": "/v/1"}]}}]
      """)
    let links = trial.model.entities.filter { $0.attributes.map(\.name) == ["href"] }
    #expect(links.count <= 1)
    let names = try InferenceTrial(
      """
      [{"id": 1, "street": [{"name": "a"}, {"name": "b"}], "teams": [{"name": "c"}, {"name": "d"}]},
       {"id": 2, "street": [{"name": "e"}], "teams": [{"name": "f"}]}]
      """)
    #expect(names.model.entities.count == 3)
    #expect(try trial.differences() == [])
    #expect(try names.differences() == [])
  }

  @Test(arguments: [("sources", false), ("photos", false), ("source", true), ("images", true)])
  func `is one for addresses in lists of any objects, unless two plurals say of what`(
    key: String, isOne: Bool
  ) throws {
    let people = (0..<4).map {
      #"{"id": "p\#($0)", "name": "n\#($0)", "images": [{"url": "https://a.org/\#($0).jpg"}]}"#
    }
    let posts = (0..<4).map {
      #"{"id": "m\#($0)", "role": "r\#($0 % 2)", "\#(key)": [{"url": "https://b.org/\#($0)"}]}"#
    }
    let trial = try InferenceTrial(
      #"{"people": [\#(people.joined(separator: ","))], "posts": [\#(posts.joined(separator: ","))]}"#
    )
    let addresses = trial.model.entities.filter { $0.attributes.map(\.name) == ["url"] }
    #expect(addresses.count == (isOne ? 1 : 2))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("placeL", "lineL", "firmL", 3), ("mainLine", "sideLine", "nextLine", 1)])
  func `is one for lists that end alike, unless they end with a mark of lists`(
    first: String, second: String, third: String, count: Int
  ) throws {
    let places = (0..<6).map {
      #"{"name": "S\#($0)", "icon": \#($0 % 2), "lid": "L\#($0)", "state": "F"}"#
    }
    let lines = (0..<6).map {
      #"{"name": "B\#($0)", "icon": \#($0 % 2), "class": 8, "zone": "x\#($0)"}"#
    }
    let trial = try InferenceTrial(
      """
      {"\(first)": [\(places.joined(separator: ","))], "\(second)": [\(lines.joined(separator: ","))],
       "\(third)": [{"name": "DB", "icon": 1}]}
      """)
    let entities = trial.model.entities.filter { $0.attributes.contains { $0.name == "icon" } }
    #expect(entities.count == count)
    #expect(try trial.differences() == [])
  }

  @Test func `is one for a folder under a key and the folders in it, if each has an identifier`()
    throws
  {
    func roots(_ id: (Int) -> String) -> String {
      let roots = ["bar", "other", "synced"].enumerated().map { number, key in
        #""\#(key)": {\#(id(number))"name": "\#(key)", "added": "\#(number)", "children": [{\#(id(number + 7))"name": "x\#(number)", "added": "2", "children": []}]}"#
      }
      return #"{"roots": {\#(roots.joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial(roots { #""id": "\#($0)", "# })
    #expect(trial.model.entities.count == 2)
    #expect(try trial.differences() == [])
    let other = try InferenceTrial(roots { _ in "" })
    #expect(other.model.entities.count == 3)
    #expect(try other.differences() == [])
  }

  @Test(arguments: [
    ("author", "editor", #""family": "A", "given": "B""#, 2),
    ("author", "title", #""family": "A", "given": "B""#, 3),
    ("author", "editor", #""name": "A", "url": "B""#, 3),
  ])
  func `is one for people with the same telling members`(
    first: String, second: String, members: String, count: Int
  ) throws {
    let books = (0..<4).map { number in
      let one = members.replacing("A", with: "a\(number)").replacing("B", with: "b\(number)")
      let other = members.replacing("A", with: "c\(number)").replacing("B", with: "d\(number)")
      return #"{"id": \#(number), "\#(first)": [{\#(one)}], "\#(second)": [{\#(other)}]}"#
    }
    let trial = try InferenceTrial("[\(books.joined(separator: ","))]")
    #expect(trial.model.entities.count == count)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("styles", 3), ("more_components", 2)])
  func `is another one in a dictionary that is named after another thing`(
    key: String, count: Int
  ) throws {
    let members = { (kind: String) in
      (1...3).map {
        #""\#($0):2": {"key": "\#(kind)\#($0)", "name": "n", "about": "", "remote": false, "\#(kind)": 1}"#
      }.joined(separator: ",")
    }
    let trial = try InferenceTrial(
      #"{"components": {\#(members("a"))}, "\#(key)": {\#(members("b"))}}"#)
    #expect(trial.model.entities.count == count)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("hero_id", nil), ("ban_id", ["banID"])] as [(String, [String]?)])
  func `is not identified by what several others have`(key: String, identity: [String]?) throws {
    let bans = (0..<9).map { #"{"is_pick": true, "\#(key)": \#(100 + $0 * 7), "turn": \#($0)}"# }
    let players = (0..<9).map { #"{"name": "p\#($0)", "hero_id": \#($0 % 3), "kills": \#($0)}"# }
    let trial = try InferenceTrial(
      #"{"bans": [\#(bans.joined(separator: ","))], "players": [\#(players.joined(separator: ","))]}"#
    )
    #expect(try trial.entity("Ban").identity == identity)
  }

  @Test(arguments: [("1", nil), ("NUMBER", ["accountID", "matchID"])] as [(String, [String]?)])
  func `is identified by no pair of which one is the same everywhere`(
    match: String, identity: [String]?
  ) throws {
    let players = (0..<8).map { number in
      let match = match.replacing("NUMBER", with: "\(number % 3)")
      return #"{"match_id": \#(match), "account_id": \#(number % 4), "n": \#(number)}"#
    }
    let trial = try InferenceTrial(#"{"players": [\#(players.joined(separator: ","))]}"#)
    #expect(try trial.entity("Player").identity == identity)
  }

  @Test(arguments: [("name", nil), ("login", ["name"])] as [(String, [String]?)])
  func `is not identified by the name of what it mentions`(
    key: String, identity: [String]?
  ) throws {
    let tracks = (0..<6).map {
      #"{"id": "t\#($0)", "credits": [{"name": "Ann\#($0 % 3)", "join": "", "artist": {"id": "a\#($0 % 3)", "\#(key)": "Ann\#($0 % 3)", "rank": 1, "kind": "x"}}]}"#
    }
    let trial = try InferenceTrial(#"{"tracks": [\#(tracks.joined(separator: ","))]}"#)
    #expect(try trial.entity("Credit").identity ?? [] == identity ?? [])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("0x", ["address"]), ("ab", ["name"])])
  func `is identified by a long code before a name, if it begins as those of networks do`(
    prefix: String, identity: [String]
  ) throws {
    let tokens = (0..<8).map {
      #"{"name": "Token \#($0)", "address": "\#(prefix)5eb561a4216363698b5\#($0)", "size": \#($0 % 3)}"#
    }
    let trial = try InferenceTrial(#"{"tokens": [\#(tokens.joined(separator: ","))]}"#)
    #expect(try trial.entity("Token").identity == identity)
  }

  @Test(
    arguments: [
      (#""uic": 850#120"#, ["uic"]), (#""height": 4#7"#, ["name"]),
      (#""residents": #004120"#, ["name"]), (#""md5": "83a9787d4cb6f3b#.wav""#, ["md5"]),
      (#""sign": "Zone #""#, ["name"]),
    ] as [(String, [String])])
  func `is identified by a code before a name, if both mean the same objects`(
    member: String, identity: [String]
  ) throws {
    let calls = [3, 1, 2, 3, 5, 1, 2].map { number in
      let member = member.replacing("#", with: "\(number)")
      return #"{"stop": {"name": "Stop \#(number)", \#(member), "open": \#(number > 2)}}"#
    }
    let trial = try InferenceTrial(#"{"calls": [\#(calls.joined(separator: ","))]}"#)
    #expect(try trial.entity("Stop").identity == identity)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("namespace", ["name"]), ("title", nil)] as [(String, [String]?)])
  func `alone in others is identified by its name if that is in a namespace`(
    key: String, identity: [String]?
  ) throws {
    let runs = (0..<6).map { number in
      let facets = number % 2 == 0 ? #", "sql": "s\#(number)""# : ""
      return
        #"{"no": \#(number), "job": {"\#(key)": "food", "name": "job-\#(number / 2)"\#(facets)}}"#
    }
    let trial = try InferenceTrial("[\(runs.joined(separator: ","))]")
    #expect(trial.model.entity(named: "Job")?.identity == identity)
    if identity != nil { #expect(try trial.importedCount("Job") == 3) }
  }

  @Test(arguments: [("[%]", 1), ("[%, %]", 1), (#"{"kind": "x"}"#, 2)])
  func `is one beside a list of the same records of lists`(other: String, count: Int) throws {
    let party = #"{"address": [{"city": "A", "zip": "1"}], "phones": [{"kind": "x", "no": 7}]}"#
    let trial = try InferenceTrial(
      #"{"parties": {"others": \#(other.replacing("%", with: party)), "shipTo": \#(party)}}"#)
    #expect(
      trial.model.entities.filter { $0.name != "Document" && $0.relationships.count == 2 }.count
        == (count == 1 ? 1 : 0))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("instanceType", "Code"), ("label", "ArmType")])
  func `is named by the type of its objects, if several keys or a reserved word name it`(
    key: String, name: String
  ) throws {
    let lists = ["arms", "epochs"].map { list in
      let objects = (0..<3).map {
        #"{"id": "\#(list)\#($0)", "type": {"id": "c\#(list)\#($0)", "code": "\#($0)", "text": "b", "\#(key)": "Code"}}"#
      }
      return #""\#(list)": [\#(objects.joined(separator: ","))]"#
    }
    let trial = try InferenceTrial("{\(lists.joined(separator: ","))}")
    #expect(try trial.relationship("Arm", "type") == "→ \(name)")
    #expect(try trial.relationship("Epoch", "type") == "→ \(name)")
  }

  // A journey is the same record beside the journeys and inside of others.
  @Test(arguments: [("line", 1), ("train", 0)])
  func `is one wherever it consists of the same records`(key: String, count: Int) throws {
    func pair(_ number: Int, _ key: String) -> String {
      #"{"trip": {"day": "d\#(number)", "sign": "s\#(number)"}, "\#(key)": {"no": \#(number)}}"#
    }
    let trial = try InferenceTrial(
      """
      {"cars": [{"next": \(pair(1, "line")), "before": \(pair(2, "line"))},
                {"next": \(pair(3, "line")), "before": \(pair(1, "line"))}],
       "relations": [{"kind": "W", "other": \(pair(3, key))}, {"kind": "V", "other": \(pair(2, key))}]}
      """)
    let relation = try trial.entity("Relation")
    #expect(relation.relationships.count { $0.name == "other" } == count)
    #expect(try trial.differences() == [])
  }

  @Test func `is a person who sends, and one of those who receive`() throws {
    let trial = try InferenceTrial(
      """
      {"sender": {"id": "NIS", "title": "Institute", "place": "Bern"},
       "receivers": [{"id": "IMF", "title": "Fund", "place": "Rome"}, {"id": "ECB", "title": "Bank", "place": "Oslo"}]}
      """)
    #expect(try trial.relationship("Document", "sender") == "→ Person")
    #expect(try trial.relationship("Document", "receivers") == "⇉ Person")
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [1, 3, 5])
  func `in lists of others is identified by an identifier that is repeated, however few are`(
    others: Int
  ) throws {
    func genes(_ numbers: Range<Int>) -> String {
      let genes = numbers.map { #"{"hub_id": "b\#(2000 + $0)", "name": "b\#(2000 + $0)"}"# }
      return #"{"genes": [\#(genes.joined(separator: ","))]}"#
    }
    let reactions =
      [genes(0..<5), genes(0..<5)] + (1...others).map { genes(5 * $0..<(5 * $0 + 5)) }
    let trial = try InferenceTrial(#"{"reactions": [\#(reactions.joined(separator: ","))]}"#)
    #expect(try trial.entity("Gene").identity == ["hubID"])
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("vid", ["vid"]), ("mid", nil)] as [(String, [String]?)])
  func `is identified by a short identifier that proves to be one`(
    key: String, identity: [String]?
  ) throws {
    let contacts = (0..<9).map { #"{"\#(key)": \#(100 + $0 * 7), "age": \#($0 % 2)}"# }
    let trial = try InferenceTrial(#"{"contacts": [\#(contacts.joined(separator: ","))]}"#)
    #expect(try trial.entity("Contact").identity == identity)
  }

  @Test(arguments: [(#""plan": {}, "#, nil), ("", ["id"])])
  func `has no identity where an object that is empty has none`(
    plan: String, identity: [String]?
  )
    throws
  {
    let rest = #""name": "n", "size": 7, "form": "f", "place": "p", "grade": 1"#
    let trial = try InferenceTrial(
      """
      {"lead": {"id": "u7", "plan": {"id": "p1", "title": "t", "until": 3}, \(rest)},
       "members": [{"id": "u9", \(plan)\(rest)}, {"id": "u8", \(plan)\(rest)}]}
      """)
    #expect(trial.model.entity(named: "Plan")?.identity == identity)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    (#""amount": 5N, "currency": "GBP""#, true),
    (#""value": 5N, "unit": {"id": "mg", "label": "m"}"#, true),
    // A number and a title may be anything.
    (#""count": 5N, "label": "x""#, false), (#""partyId": 70N, "name": "N""#, false),
  ])
  func `is one for all numbers with their unit`(members: String, isOne: Bool) throws {
    func part(_ number: Int) -> String {
      "{" + members.replacing("N", with: "\(number)") + "}"
    }
    let trial = try InferenceTrial(
      #"{"tender": {"name": "t", "least": \#(part(1)), "rest": [1]}, "awards": [{"size": 3, "sum": \#(part(2))}, {"size": 4, "sum": \#(part(3))}]}"#
    )
    let holders = ["least", "sum"].map { name in
      trial.model.entities.flatMap(\.relationships).first { $0.name == name }?.destination
    }
    #expect((holders[0] != nil && holders[0] == holders[1]) == isOne)
    #expect(try trial.differences() == [])
  }

  @Test func `is one of two that only a game tells apart`() throws {
    let trial = try InferenceTrial(
      """
      [{"no": 1, "white": {"uuid": "a", "name": "Ann", "url": "/ann", "rating": 5}, "black": {"uuid": "b", "name": "Ben", "url": "/ben", "rating": 6}},
       {"no": 2, "white": {"uuid": "a", "name": "Ann", "url": "/ann", "rating": 7}, "black": {"uuid": "b", "name": "Ben", "url": "/ben", "rating": 8}},
       {"no": 3, "white": {"uuid": "b", "name": "Ben", "url": "/ben", "rating": 9}, "black": {"uuid": "a", "name": "Ann", "url": "/ann", "rating": 4}}]
      """)
    #expect(trial.model.entities.count == 2)
    #expect(try trial.differences() == [])
  }

  @Test func `keeps its identity where only counters change`() throws {
    let trial = try InferenceTrial(
      """
      [{"id": 1, "a": "x", "b": "y", "c": "z", "d": "w", "followers_count": 3},
       {"id": 1, "a": "x", "b": "y", "c": "z", "d": "w", "followers_count": 4}]
      """)
    #expect(trial.model.entities[0].identity == ["id"])
  }

  @Test(arguments: [(1, 48000, true), (3, 48000, false), (1, 1, false)])
  func `keeps its identity where a list rarely differs, unless it is a small number`(
    others: Int, first: Int, hasIdentity: Bool
  ) throws {
    func plants(_ others: Int) -> String {
      (0..<5).map { number in
        let path = (0...number).map { "\($0 * 7 + first)" } + (number < others ? ["9"] : [])
        return
          #"{"id": \#(number * 7 + first), "name": "n\#(number)", "rank": "r\#(number)", "extinct": false, "note": "o\#(number)", "path": [\#(path.joined(separator: ","))]}"#
      }.joined(separator: ",")
    }
    let trial = try InferenceTrial(
      #"{"lists": [{"no": 1, "plants": [\#(plants(0))]}, {"no": 2, "plants": [\#(plants(others))]}]}"#
    )
    #expect((try trial.entity("Plant").identity == ["id"]) == hasIdentity)
    #expect(
      trial.inferred.findings.contains {
        $0.evidence.contains("equal but for what changes (1 of 5 repeated ones)")
      } == hasIdentity)
  }

  @Test(arguments: [(30, true), (6, false)])
  func `is identified by numbers of which a few are strings`(count: Int, isOne: Bool) throws {
    let objects = (1...count).map { number in
      let model = number % 2 == 0 ? "shop.item" : "shop.kind"
      let fields =
        number % 2 == 0
        ? #""kind": \#(number / 2), "size": 3"# : #""name": "K\#(number)""#
      return #"{"model": "\#(model)", "pk": \#((number + 1) / 2), "fields": {\#(fields)}}"#
    }
    let trial = try InferenceTrial(
      #"[\#(objects.joined(separator: ",")), {"model": "shop.kind", "pk": "a1-f9", "fields": {"name": "K"}}]"#
    )
    #expect(try trial.type("Item", "pk") == (isOne ? .string : .transformable))
    #expect(try trial.entity("Item").identity == (isOne ? ["model", "pk"] : nil))
    #expect(trial.relationshipPaths.contains("fields.kind") == isOne)
    let notes = trial.inferred.findings.filter { $0.subject == "Item.pk" }.map(\.evidence)
    #expect(
      notes == ["strings and numbers; " + (isOne ? "an export writes strings" : "kept as JSON")])
  }

  @Test(arguments: [(20, true), (5, false)])
  func `has an object of which a few are empty strings`(count: Int, isEntity: Bool) throws {
    let objects = (1...count).map {
      #"{"no": \#($0), "note": {"time": \#($0), "text": "t\#($0)"}}"#
    }
    let trial = try InferenceTrial(
      #"[\#(objects.joined(separator: ",")), {"no": 0, "note": ""}]"#)
    #expect(trial.relationshipPaths.contains("note") == isEntity)
    let losses = trial.inferred.findings.filter { $0.certainty == .loss }.map(\.evidence)
    #expect(
      losses == (isEntity ? ["an empty string in 1 of \(count + 1); an export writes null"] : []))
  }

  @Test func `is divided by a tag that decides the other keys`() throws {
    let trial = try InferenceTrial(
      """
      [{"id": 1, "type": "photo", "width": 640}, {"id": 2, "type": "video", "duration": 3.5},
       {"id": 3, "type": "photo", "width": 320}, {"id": 4, "type": "video", "duration": 1.5}]
      """)
    #expect(try trial.entity("Item").isAbstract)
    #expect(try trial.entity("Photo").superentity == "Item")
    #expect(try trial.type("Photo", "width") == .integer64)
    #expect(try trial.type("Video", "duration") == .double)
    #expect(try trial.differences() == [])
  }

  @Test func `is divided by a tag that decides what a key holds`() throws {
    let trial = try InferenceTrial(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}},
        {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[1, 2], [3, 4]]]}},
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [5, 6]}},
        {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[1, 2], [5, 4]]]}}]}
      """)
    #expect(
      trial.model.entities.map(\.name) == [
        "FeatureCollection", "Feature", "Geometry", "Point", "Polygon",
      ])
    #expect(try trial.differences() == [])
  }
}

@Suite struct `An inferred dictionary` {
  @Test(arguments: [
    #"{"events": {"138586341": {"name": "a", "n": 1}, "138586345": {"name": "b", "n": 2}}}"#,
    #"{"events": {"2026-01-02": {"name": "a", "n": 1}}}"#,
    #"{"events": {"first": {"name": "a", "n": 1}, "second": {"name": "b", "n": 2}}}"#,
    #"{"events": {"/a/{b}": {"name": "a", "n": 1}, "/c": {"name": "b", "n": 2}}}"#,
  ])
  func `has keys that are data`(json: String) throws {
    let trial = try InferenceTrial(json)
    #expect(try trial.relationship("Document", "events") == "⇉ Event")
    #expect(try trial.entity("Event").identity != nil)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    #"{"user": {"name": "a", "city": "b"}}"#,
    #"[{"stats": {"likes": 1, "views": 2}}, {"stats": {"likes": 3, "views": 4}}]"#,
  ])
  func `is none where the keys are names`(json: String) throws {
    let trial = try InferenceTrial(json)
    #expect(trial.model.entities.allSatisfy { $0.relationships.allSatisfy { !$0.isToMany } })
    #expect(try trial.differences() == [])
  }

  @Test func `of names is what codes elsewhere refer to`() throws {
    let trial = try InferenceTrial(
      """
      {"languages": {"en": "English", "de": "German"},
       "books": [{"id": 1, "language": "en"}, {"id": 2, "language": "de"}]}
      """)
    #expect(try trial.relationship("Book", "language") == "→ Language by identifier")
    #expect(try trial.differences() == [])
  }

  @Test func `of arrays leads to what its identifiers mean`() throws {
    let trial = try InferenceTrial(#"{"follows": {"1": [2, 3], "2": [1], "3": []}}"#)
    #expect(try trial.relationship("Follow", "follows") == "⇉ Follow by identifier")
    #expect(try trial.differences() == [])
  }
}

@Suite struct `An inferred reference` {
  private let document = """
    {"teams": [{"id": 50, "name": "A"}, {"id": 51, "name": "B"}, {"id": 52, "name": "C"}],
     "players": [{"id": 900, "n": 1}, {"id": 901, "n": 2}],
     "matches": [{"no": 1, "homeTeamId": 50, "awayTeamId": 51, "goals": 51, "playerIds": [900, 901]},
                 {"no": 2, "homeTeamId": 52, "awayTeamId": 50, "goals": 50, "playerIds": [901]}]}
    """

  @Test(arguments: [
    ("homeTeam", "→ Team by identifier"), ("awayTeam", "→ Team by identifier"),
    ("players", "⇉ Player by identifier"),
  ])
  func `has identities for values`(name: String, relationship: String) throws {
    let trial = try InferenceTrial(document)
    #expect(try trial.relationship("Match", name) == relationship)
    #expect(try trial.differences() == [])
  }

  @Test func `leads from one end to the other`() throws {
    let trial = try InferenceTrial(
      """
      {"nodes": [{"id": "a", "n": 1}, {"id": "b", "n": 2}, {"id": "c", "n": 3}],
       "links": [{"source": "a", "target": "b", "w": 1}, {"source": "b", "target": "c", "w": 2}],
       "spans": [{"from": 1, "to": 2}, {"from": 2, "to": 3}], "levels": [{"id": 1}, {"id": 2}, {"id": 3}]}
      """)
    #expect(try trial.relationship("Link", "source") == "→ Node by identifier")
    #expect(try trial.relationship("Link", "target") == "→ Node by identifier")
    #expect(try trial.type("Span", "from") == .integer64)
  }

  @Test func `is none where a number is among the identities by chance`() throws {
    #expect(try InferenceTrial(document).type("Match", "goals") == .integer64)
  }

  @Test func `may hold another attribute than the identity`() throws {
    let trial = try InferenceTrial(
      """
      {"posts": [{"id": 1, "author": "ann"}, {"id": 2, "author": "ben"}],
       "users": [{"id": 7, "login": "ann"}, {"id": 8, "login": "ben"}, {"id": 9, "login": "cy"}]}
      """)
    #expect(try trial.relationship("Post", "author") == "→ User by identifier")
    #expect(try trial.entity("Post").relationships[0].relatedBy == "login")
    #expect(try trial.differences() == [])
  }

  @Test func `is an object that has nothing that the one of its identity lacks`() throws {
    let trial = try InferenceTrial(
      """
      {"cards": [{"id": "c1", "name": "A", "n": 1}, {"id": "c2", "name": "B", "n": 2}],
       "actions": [{"id": "a1", "card": {"id": "c1", "name": "A"}}, {"id": "a2", "card": {"id": "c2", "name": "B"}}]}
      """)
    #expect(try trial.relationship("Action", "card") == "→ Card by identifier")
    #expect(try trial.differences() == [])
  }

  @Test func `is an object of type and identifier, where both are the identity`() throws {
    let trial = try InferenceTrial(
      """
      {"data": {"id": "1", "author": {"type": "people", "id": "9"}},
       "included": [{"type": "people", "id": "9", "n": "a"}, {"type": "people", "id": "8", "n": "b"},
                    {"type": "tags", "id": "9", "n": "c"}]}
      """)
    #expect(try trial.relationship("Item", "author") == "→ Resource by identifier")
    #expect(try trial.entity("Resource").identity == ["id", "type"])
    #expect(try trial.differences() == [])
  }

  @Test func `is the inverse of the list that each is in once`() throws {
    let document = """
      {"teams": [{"id": 50, "playerIds": [7, 8]}, {"id": 60, "playerIds": [9]}],
       "players": [{"id": 7, "teamId": 50}, {"id": 8, "teamId": 50}, {"id": 9, "teamId": 60}]}
      """
    let trial = try InferenceTrial(document)
    #expect(try trial.entity("Player").relationships.map(\.inverse) == ["players"])
    #expect(try trial.entity("Team").relationships.map(\.inverse) == ["team"])
    #expect(try trial.differences() == [])
    let other = try InferenceTrial(document.replacing("[9]", with: "[9, 7]"))
    #expect(try other.entity("Team").relationships.map(\.inverse) == [nil])
  }

  @Test func `may lead to objects of its own kind`() throws {
    let trial = try InferenceTrial(
      #"{"categories": [{"id": 1, "parent_id": null}, {"id": 2, "parent_id": 1}, {"id": 3, "parent_id": 1}]}"#
    )
    #expect(try trial.relationship("Category", "parent") == "→ Category by identifier")
    #expect(try trial.differences() == [])
  }
}

@Suite struct `An inferred attribute` {
  @Test func `is written as a number though its key ends like one of strings`() throws {
    let trial = try InferenceTrial(
      #"[{"base_str": 14, "id_str": "7"}, {"base_str": 9, "id_str": "8"}]"#)
    #expect(try trial.type("Item", "baseStr") == .integer64)
    #expect(try trial.differences() == [])
  }

  @Test(
    arguments: [
      ("1", .integer64), ("1.5", .double), ("true", .boolean), (#""a""#, .string),
      ("-0.0012345678901234567", .double), ("0.12345678901234567891", .decimal),
      ("null", .string),
      ("18446744073709551616", .decimal), ("[1, 2]", .transformable), ("{}", .transformable),
      (#""2026-01-02""#, .date), (#""2026-01-02T03:04:05Z""#, .date),
      (#""Sun Aug 31 00:29:15 +0000 2014""#, .date), (#""https://example.org/a?b=c""#, .uri),
      (#""https://example.org/a#b""#, .uri), (#""https://example.org/a#b#c""#, .string),
      (#""12.50""#, .string), (#""2015""#, .string), (#""""#, .string),
      (#""C0DEED00-1234-4321-ABCD-0123456789AB""#, .uuid),
      (#""c0deed00-1234-4321-abcd-0123456789ab""#, .string),
    ] as [(String, AttributeType)])
  func `has the type by which its values come back as they were`(
    value: String, type: AttributeType
  ) throws {
    let trial = try InferenceTrial(#"[{"x": \#(value)}]"#)
    #expect(try trial.type("Item", "x") == type)
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [#"1"#, #"{"a": 1}"#, "[1]", "true"])
  func `keeps values of several kinds as JSON`(other: String) throws {
    let trial = try InferenceTrial(#"[{"x": "a"}, {"x": \#(other)}]"#)
    #expect(try trial.type("Item", "x") == .transformable)
    #expect(try trial.differences() == [])
  }

  @Test func `of few values says which, and takes others all the same`() throws {
    let objects = (0..<40).map {
      #"{"n": \#($0), "state": "\#(["open", "paid", "sent"][$0 % 3])"}"#
    }
    let trial = try InferenceTrial("[\(objects.joined(separator: ","))]")
    let finding = try #require(trial.inferred.findings.first { $0.subject == "Item.state" })
    #expect(finding.evidence == "one of open, paid, sent")
    let state = try #require(trial.model.entities[0].attributes.first { $0.name == "state" })
    #expect(state.values == nil)
  }

  @Test func `keeps parts of a second that no date would bring back`() throws {
    for text in ["2026-05-04T22:46:52.633241040Z", "2026-05-04 22:46:52.633241"] {
      let trial = try InferenceTrial(#"[{"at": "\#(text)"}]"#)
      #expect(try trial.type("Item", "at") == .string)
      let finding = try #require(trial.inferred.findings.first { $0.subject == "Item.at" })
      #expect(finding.evidence.hasPrefix("dates with more digits than milliseconds"))
    }
    let other = try InferenceTrial(#"[{"at": "2026-05-04T22:46:52.633241Z"}, {"at": "today"}]"#)
    #expect(!other.inferred.findings.contains { $0.subject == "Item.at" })
  }

  @Test(arguments: [
    ("start", 1_372_701_600_000, "unix-ms"), ("created_utc", 1_700_000_000, "unix"),
  ])
  func `is a time where its name and its numbers say so`(
    key: String, value: Int, format: String
  ) throws {
    let trial = try InferenceTrial(#"[{"\#(key)": \#(value)}]"#)
    #expect(trial.model.entities[0].attributes[0].dateFormat == format)
    #expect(try trial.differences() == [])
  }

  @Test func `lacks only what its kind can have, in one look too`() throws {
    let parts = [
      #""width": 1, "lens": "x", "marks": [{"x": 1, "y": 2}], "sizes": {"a1": {"w": 1}, "b2": {"w": 2}, "c3": {"w": 3}}"#,
      #""width": 2, "marks": [{"x": 3, "y": 4}], "sizes": {"d4": {"w": 4}, "e5": {"w": 5}, "a1": {"w": 1}}"#,
      #""width": 3"#,
    ].enumerated().map { #"{"type": "photo", "alt": "p\#($0)", \#($1)}"# }
    let songs = (1...5).map { #"{"type": "song", "alt": "s\#($0)", "length": \#($0)}"# }
    let trial = try InferenceTrial(
      #"{"parts": [\#((parts + songs).joined(separator: ","))]}"#)
    let losses = trial.inferred.findings.filter { $0.certainty == .loss }
    #expect(
      losses.map { "\($0.subject): \($0.evidence)" } == [
        "Part.lens: absent in 2 of 3 whose type is photo; an export writes null",
        "Part.marks: null or absent in 1 of 3 whose type is photo; an export writes []",
        "Part.sizes.*: null or absent in 1 of 3 whose type is photo; an export writes {}",
      ])
  }

  @Test func `tells which numbers are taken for times, and of which days`() throws {
    let document = #"[{"start": 1372701600000, "end": 1372788000000, "seats": 1372701600}]"#
    let trial = try InferenceTrial(document)
    let findings = trial.inferred.findings.filter { $0.evidence.contains("since 1970") }
    #expect(
      findings.map { "\($0.subject): \($0.evidence)" } == [
        "Item.start: dates, in milliseconds since 1970: 2013-07-01; --keep Item.start keeps the numbers",
        "Item.end: dates, in milliseconds since 1970: 2013-07-02; --keep Item.end keeps the numbers",
      ])
    let kept = try InferenceTrial(document, options: InferenceOptions(kept: ["Item.start"]))
    #expect(try kept.type("Item", "start") == .integer64)
    #expect(
      !kept.inferred.findings.contains {
        $0.subject == "Item.start" && $0.evidence.contains("1970")
      })
  }
}

@Suite struct `A decision of the user` {
  private let document = """
    {"statuses": [{"id": 1, "lang": "en", "userId": 7, "at": "2026-01-02"}],
     "users": [{"id": 7, "login": "ann"}]}
    """

  private func trial(_ options: InferenceOptions) throws -> InferenceTrial {
    try InferenceTrial(document, options: options)
  }

  @Test func `keeps a property as the document has it`() throws {
    let trial = try trial(InferenceOptions(kept: ["Status.userId", "Status.at"]))
    #expect(try trial.type("Status", "user") == .integer64)
    #expect(try trial.type("Status", "at") == .string)
  }

  @Test func `leaves a property out`() throws {
    let trial = try trial(InferenceOptions(omitted: ["Status.lang"]))
    #expect(try !trial.entity("Status").attributes.contains { $0.name == "lang" })
  }

  @Test func `renames entities and properties`() throws {
    let trial = try trial(
      InferenceOptions(
        renames: ["Status": "Tweet", "Status.lang": "language"], entityNames: ["users": "Person"]))
    #expect(try trial.relationship("Tweet", "user") == "→ Person by identifier")
    #expect(try trial.type("Tweet", "language") == .string)
    #expect(try trial.differences() == [])
  }

  @Test func `decides the identity`() throws {
    #expect(
      try trial(InferenceOptions(identities: ["User": ["login"]])).entity("User").identity == [
        "login"
      ])
    #expect(try trial(InferenceOptions(identities: ["User": []])).entity("User").identity == nil)
    #expect(
      try trial(InferenceOptions(identities: ["User": ["id", "login"]])).entity("User").identity
        == ["id", "login"])
  }

  @Test func `is an error where it names what there is not`() throws {
    #expect(throws: InferenceError("there is no entity \"Usr\", did you mean \"User\"?")) {
      try trial(InferenceOptions(identities: ["Usr": ["id"]]))
    }
  }

  @Test(arguments: [
    (
      InferenceOptions(kept: ["Sttus.lang"]), #"there is no entity "Sttus", did you mean "Status"?"#
    ),
    (InferenceOptions(kept: ["Status.lng"]), #"Status has no "lng", did you mean "lang"?"#),
    (InferenceOptions(omitted: ["User.logn"]), #"User has no "logn", did you mean "login"?"#),
    (InferenceOptions(omitted: ["lang"]), #""lang" is no property: expected ENTITY.PROPERTY"#),
    (
      InferenceOptions(renames: ["Usr": "Person"]),
      #"there is no entity "Usr", did you mean "User"?"#
    ),
    (
      InferenceOptions(renames: ["User.lgin": "name"]),
      #"User has no "lgin", did you mean "login"?"#
    ),
    (
      InferenceOptions(renames: ["Status": "a b"]),
      #""a b" is no name: expected letters, digits and _, and no digit at the beginning"#
    ),
    (
      InferenceOptions(entityNames: ["users": "T,U@x"]),
      #""T,U@x" is no name: expected letters, digits and _, and no digit at the beginning"#
    ),
    (
      InferenceOptions(entityNames: ["user": "Person"]),
      #"there are no objects at "user", did you mean "users"?"#
    ),
  ])
  func `is an error with the nearest name where it means nothing`(
    options: InferenceOptions, message: String
  ) {
    #expect(throws: InferenceError(message)) { try trial(options) }
  }

  @Test(arguments: ["statuses.user", "statuses[*].user", "$.statuses.user"])
  func `names objects by their path, with or without the elements on the way`(
    path: String
  ) throws {
    let document =
      #"{"statuses": [{"id": 1, "user": {"id": 7, "name": "a"}}, {"id": 2, "user": {"id": 8, "name": "b"}}]}"#
    let trial = try InferenceTrial(
      document, options: InferenceOptions(entityNames: [path: "Person"]))
    #expect(try trial.relationship("Status", "user").contains("Person"))
    #expect(
      throws: InferenceError(
        "Status.user has objects in it; name attributes by which Status is identified")
    ) {
      try InferenceTrial(document, options: InferenceOptions(identities: ["Status": ["user"]]))
    }
  }

  @Test func `names an entity by its new name or by its own`() throws {
    for entity in ["Status", "Tweet"] {
      let trial = try trial(
        InferenceOptions(
          kept: ["\(entity).at"], renames: ["Status": "Tweet", "\(entity).lang": "language"]))
      #expect(try trial.type("Tweet", "language") == .string)
      #expect(try trial.type("Tweet", "at") == .string)
    }
    let trial = try trial(
      InferenceOptions(renames: ["Person.login": "name"], entityNames: ["users": "Person"]))
    #expect(try trial.type("Person", "name") == .string)
  }
}

@Suite struct `An object around a typed value` {
  @Test func `is a part of the object that has it, and names the attribute`() throws {
    let trial = try InferenceTrial(
      #"""
      {"Catalog": [{"Id": {"N": "101"}, "ISBN": {"S": "111-1"}},
                   {"Id": {"N": "201"}, "Brand": {"S": "A"}, "Tags": {"L": [{"S": "x"}, {"S": "y"}]}}],
       "Threads": [{"Id": {"N": "7"}, "Tags": {"L": [{"S": "x"}]}}]}
      """#)
    #expect(trial.model.entities.map(\.name).sorted() == ["Catalog", "Document", "Tag", "Thread"])
    #expect(try trial.entity("Catalog").identity == ["id"])
    #expect(try trial.type("Catalog", "isbn") == .string)
    #expect(try trial.differences() == [])
  }

  @Test func `that may be another type stays an object of its own`() throws {
    let trial = try InferenceTrial(
      #"[{"id": 1, "size": {"S": "x"}}, {"id": 2}, {"id": 3, "size": {"N": "7"}}]"#)
    #expect(trial.model.entities.map(\.name).sorted() == ["Item", "Size"])
    #expect(try trial.differences() == [])
  }

  @Test func `is an object of its own if its key names a thing`() throws {
    let trial = try InferenceTrial(
      #"[{"id": 1, "license": {"name": "MIT"}}, {"id": 2}, {"id": 3, "license": {"name": "BSD"}}]"#)
    #expect(trial.model.entities.map(\.name).sorted() == ["Item", "License"])
  }
}

@Suite struct `Objects alone in another one` {
  /// Numbers that other objects mention identify both; those that they do not are measures.
  @Test(arguments: [("teamId", ["teamId"]), ("otherId", nil)] as [(String, [String]?)])
  func `are identified by what others call the same`(key: String, identity: [String]?) throws {
    let events = (0..<8).map {
      #"{"id": \#(9000 + $0 * 7), "\#(key)": \#($0 % 2 == 0 ? 272 : 267), "minute": \#($0)}"#
    }
    let trial = try InferenceTrial(
      """
      {"home": {"teamId": 272, "name": "Empoli", "rating": 6.5}, "away": {"teamId": 267, "name": "Chievo", "rating": 6.1},
       "events": [\(events.joined(separator: ","))]}
      """)
    let event = try trial.entity("Event")
    let team = try #require(
      event.relationships.first?.destination
        ?? trial.model.entities.first { $0.identity == nil && $0.name != "Document" }?.name)
    #expect(try trial.entity(team).identity == identity)
    #expect(event.relationships.count == (identity == nil ? 0 : 1))
    #expect(try trial.differences() == [])
  }

  /// Minutes are counted in each of two dictionaries; codes are not.
  @Test(arguments: [("", false), ("700", true)])
  func `count the keys of their dictionaries`(prefix: String, isIdentity: Bool) throws {
    func corners(_ minutes: [Int]) -> String {
      let corners = minutes.map { #""\#(prefix)\#(10 + $0)": {"x": \#($0), "y": 1}"# }
      return #"{"name": "n\#(minutes[0])", "corners": {\#(corners.joined(separator: ","))}}"#
    }
    let trial = try InferenceTrial(
      #"{"home": \#(corners([3, 9, 17, 22, 40, 51])), "away": \#(corners([4, 8, 31, 44, 60, 71]))}"#
    )
    #expect(trial.model.entities.contains { $0.identity != nil } == isIdentity)
  }
}

@Suite struct `An identifier of numbers` {
  @Test(arguments: [(1, true), (8, false)])
  func `may have a fraction in a few`(count: Int, isIdentity: Bool) throws {
    let events = (0..<8).map {
      #"{"id": \#(9000 + $0 * 7)\#($0 < count ? ".5" : ""), "minute": \#($0), "type": "Pass"}"#
    }
    let trial = try InferenceTrial(#"{"events": [\#(events.joined(separator: ","))]}"#)
    #expect(try trial.entity("Event").identity == (isIdentity ? ["id"] : nil))
    #expect(try trial.differences() == [])
  }
}

@Suite struct `A result with steps` {
  @Test(arguments: [(#""uuid": "27a3ba4a-82dd-4534-8196-02bc5e49e3ea", "#, true), ("", false)])
  func `is no step if it alone has an identifier`(uuid: String, areTwo: Bool) throws {
    let steps = ["Open", "Create", "Close"].enumerated().map {
      #"{"name": "\#($1)", "status": "passed", "start": \#($0), "stop": \#($0 + 1), "steps": []}"#
    }
    let trial = try InferenceTrial(
      #"{\#(uuid)"name": "Adding", "fullName": "t.X", "status": "failed", "start": 1, "stop": 9, "steps": [\#(steps.joined(separator: ","))]}"#
    )
    #expect(trial.model.entities.count == (areTwo ? 2 : 1))
    #expect(try trial.differences() == [])
  }
}

@Suite struct `Lists of one name in two places` {
  /// An identifier that means two objects at one place contradicts nothing at another.
  @Test(arguments: [("1", true), ("2", false)])
  func `hold one kind of object`(second: String, isOne: Bool) throws {
    let trial = try InferenceTrial(
      """
      {"lines": [{"id": 10, "sku": "A", "taxes": [{"id": 1, "total": "1.2", "subtotal": "2"}]},
                 {"id": 11, "sku": "B", "taxes": [{"id": \(second), "total": "0", "subtotal": "0.4"}]}],
       "shipments": [{"id": 30, "method": "usps", "taxes": [{"id": 1, "total": "0.6", "subtotal": ""}]}]}
      """)
    let places = trial.model.entities.flatMap(\.relationships).filter {
      $0.paths?.annotation ?? $0.name == "taxes"
    }
    #expect(Set(places.map(\.destination)).count == (isOne ? 1 : 2))
    #expect(try trial.differences() == [])
  }
}

@Suite struct `A record beside a dictionary` {
  @Test(arguments: [("types", true), ("unit", false)])
  func `is of the kind of those in it`(key: String, isOne: Bool) throws {
    func record(_ key: String, _ number: Int) -> String {
      #"{"multiple": false, "required": \#(number > 2), "\#(key)": ["x\#(number)"]}"#
    }
    let nodes = (0..<5).map { number in
      let child = number % 2 == 0 ? #", "children": \#(record(key, number))"# : ""
      return
        #"{"type": "a\#(number)", "fields": {"body": \#(record("types", number)), "f\#(number)": \#(record("types", 3))}\#(child)}"#
    }
    let trial = try InferenceTrial("[\(nodes.joined(separator: ","))]")
    let item = try trial.entity("Item")
    #expect(Set(item.relationships.map(\.destination)).count == (isOne ? 1 : 2))
    #expect(try trial.differences() == [])
  }
}

@Suite struct `Objects with nothing but an address` {
  @Test(arguments: [1, 2])
  func `are not divided by what only one object has`(count: Int) throws {
    let kinds = [
      "Other", "Other", "Payload", "Payload", "Artifacts", "Artifacts", "Other", "Payload",
    ]
    let plain = kinds.enumerated().map {
      #"{"id": "a\#($0)", "type": "\#($1)", "value": "v\#($0)"}"#
    }
    let others = (0..<count).map {
      #"{"id": "b\#($0)", "type": "External", "value": "x\#($0)", "data": "PHN\#($0)", "size": \#($0)}"#
    }
    let trial = try InferenceTrial(
      #"{"attributes": [\#((plain + others).joined(separator: ","))]}"#)
    #expect(trial.model.entities.contains { $0.superentity != nil } == (count > 1))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [("parent_id", true), ("other_id", false)])
  func `are of the kind of those that they name as their parents`(
    key: String, areOne: Bool
  ) throws {
    let trial = try InferenceTrial(
      """
      {"origin": {"id": "488bba2a", "text": "msg", "type": "regular", "replies": 61, "silent": false, "lang": {"code": "fr"}},
       "latest": [
         {"id": "5468d7b8", "text": "a", "type": "reply", "\(key)": "488bba2a", "replies": 0, "silent": false},
         {"id": "64add738", "text": "b", "type": "reply", "\(key)": "488bba2a", "replies": 0, "silent": false}]}
      """)
    let root = try trial.entity(#require(trial.inferred.roots[0]?.entity))
    #expect(Set(root.relationships.map(\.destination)).count == (areOne ? 1 : 2))
    #expect(try trial.differences() == [])
  }

  @Test(arguments: [
    ("distances", "durations", false), ("departure", "arrival", true),
  ])
  func `are numbers with the same names, unless each of two plurals says of what`(
    first: String, second: String, areOne: Bool
  ) throws {
    let trial = try InferenceTrial(
      """
      {"journeys": [
        {"no": 1, "\(first)": {"car": 7, "bike": 0, "walk": 12}, "\(second)": {"car": 3, "bike": 0, "walk": 5, "all": 8}},
        {"no": 2, "\(first)": {"car": 0, "bike": 4, "walk": 3}, "\(second)": {"car": 0, "bike": 9, "walk": 6, "all": 15}}]}
      """)
    let journey = try trial.entity("Journey")
    #expect(journey.relationships.count == (areOne ? 2 : 0))
    #expect(try trial.differences() == [])
  }

  @Test func `are two kinds in lists of different names`() throws {
    let persons = (0..<5).map {
      #"{"id": "x\#($0)", "images": [{"url": "http://e.org/i\#($0)"}], "sources": [{"url": "http://e.org/s\#($0)"}]}"#
    }
    let trial = try InferenceTrial("[\(persons.joined(separator: ","))]")
    #expect(try trial.relationship("Item", "images") == "⇉ Image")
    #expect(try trial.relationship("Item", "sources") == "⇉ Source")
  }
}

@Suite struct `Objects of one kind` {
  @Test func `are under names that end alike, whatever type each has`() throws {
    func message(_ id: String, _ type: String) -> String {
      #"{"id": "\#(id)", "text": "t\#(id)", "type": "\#(type)", "silent": false, "pinned": false}"#
    }
    let trial = try InferenceTrial(
      #"""
      {"message": \#(message("488bba2a-193d", "regular")),
       "latest_messages": [\#(message("5468d7b8-639a", "reply")), \#(message("64add738-a860", "reply"))]}
      """#)
    #expect(trial.model.entities.map(\.name).sorted() == ["Document", "Message"])
  }

  @Test func `are not those that have nothing but equal small numbers`() throws {
    let lessons = [(26, 5), (2, 26), (5, 2)].enumerated().map {
      #"{"id": 44454\#($0), "ro": [{"id": \#($1.0)}], "su": [{"id": \#($1.1)}]}"#
    }
    let trial = try InferenceTrial("[\(lessons.joined(separator: ","))]")
    #expect(try trial.relationship("Item", "ro") == "⇉ Ro")
    #expect(try trial.relationship("Item", "su") == "⇉ Su")
  }

  @Test func `may be of two types with most in common`() throws {
    let trial = try InferenceTrial(
      #"""
      [{"type": "a", "id": "2e734bf5", "x": 1, "y": 2, "z": 3}, {"type": "b", "id": "73dd8d81", "x": 1, "y": 2, "w": 7},
       {"type": "b", "id": "ae5a5635", "x": 2, "y": 2, "w": 7}, {"type": "c", "id": "4af3c69d", "x": 1, "y": 2},
       {"type": "b", "id": "0e734bf5", "x": 2, "y": 1, "w": 9}]
      """#)
    #expect(trial.model.entities.map(\.name) == ["Item"])
  }

  @Test func `have no identity if its values are strings and numbers, and a finding says so`()
    throws
  {
    let trial = try InferenceTrial(
      #"[{"id": "1", "t": "a"}, {"id": 2, "t": "b"}, {"id": "3", "t": "c"}, {"id": 4, "t": "d"}]"#)
    #expect(
      trial.inferred.findings.contains {
        $0.subject == "Item" && $0.evidence.contains("id is a string in 2 and a number in 2")
      })
  }
}

@Suite struct `Records of one name` {
  /// Two records, of which one has less.
  @Test(arguments: [
    (#""time": "1:03""#, #""time": "1:04", "millis": 6400"#, true),
    (#""steps": ["a"]"#, #""steps": ["b"], "parts": ["c"]"#, false),
    (#""name": "a""#, #""name": "b", "millis": 6400"#, false),
    (#""time": "1:03""#, #""hours": 3, "millis": 6400"#, false),
  ])
  func `are one entity if they have half of the keys in common and a value`(
    first: String, second: String, areOne: Bool
  ) throws {
    let results = (0..<4).map { number in
      let time = number < 3 ? #", "time": {\#(second)}"# : ""
      return
        #"{"no": \#(number), "lap": {"rank": \#(number % 3), "time": {\#(first)}, "car": {"fuel": 3}}\#(time)}"#
    }
    let trial = try InferenceTrial("[\(results.joined(separator: ","))]")
    let links = trial.model.entities.flatMap(\.relationships).filter {
      ($0.paths?.annotation ?? $0.name).hasSuffix("time")
    }
    #expect(links.count == (areOne ? 2 : 1))
    #expect(Set(links.map(\.destination)).count == 1)
    #expect(try trial.differences() == [])
  }

  /// The end of a span.
  @Test(arguments: [(#"{"line": 4, "column": 7}"#, true), (#"{"page": 4, "mark": 7}"#, false)])
  func `are one in a list and alone, if they consist of the same ones`(
    end: String, areOne: Bool
  ) throws {
    let start = #"{"line": 1, "column": 2}"#
    let branches = (0..<3).map { number in
      #"{"no": \#(number), "paths": [{"start": \#(start), "end": \#(end)}, {"start": \#(start), "end": \#(end)}]}"#
    }
    let functions = (0..<3).map { number in
      #"{"name": "f\#(number)", "extent": {"start": \#(start), "end": \#(start)}}"#
    }
    let trial = try InferenceTrial(
      #"{"branches": [\#(branches.joined(separator: ","))], "functions": [\#(functions.joined(separator: ","))]}"#
    )
    let links = trial.model.entities.flatMap(\.relationships).filter {
      ["extent", "paths"].contains($0.paths?.annotation ?? $0.name)
    }
    #expect(links.map(\.destination) == Array(repeating: "Path", count: areOne ? 2 : 1))
    #expect(try trial.differences() == [])
  }
}
