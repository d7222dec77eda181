import Testing

@testable import Graft
@testable import GraftTestSupport

/// Checks where a property is read in an object's JSON.
@Suite struct `A path` {
  private func read(_ path: String, _ json: String, chunk: Int? = nil) throws -> String {
    let trial = try ImportTrial([
      .make("Box", identity: "", [.make("v", .string, ["JSONKeyPath": path])])
    ])
    try trial.load(json, chunk: chunk)
    return try #require(trial.lines.first)
  }

  @Test(arguments: [
    ("a", #"{"a":"x"}"#), ("a.b", #"{"a":{"c":1,"b":"x"}}"#), ("a.b.c", #"{"a":{"b":{"c":"x"}}}"#),
    ("a[0]", #"{"a":["x","y"]}"#), ("a[1].b", #"{"a":[{"b":"y"},{"b":"x"},{"b":"z"}]}"#),
    ("a[1][2]", #"{"a":[[1],["y","z","x"]]}"#), ("$.a.b", #"{"a":{"b":"x"}}"#),
    ("['a.b']", #"{"a.b":"x","a":{"b":"y"}}"#), (#"a["b[0]"].c"#, #"{"a":{"b[0]":{"c":"x"}}}"#),
    (#"['it\'s']"#, #"{"it's":"x"}"#), ("größe", #"{"gr\u00f6\u00dfe":"x"}"#),
    ("a | b", #"{"b":"y","a":"x"}"#), ("a | b", #"{"a":"x","b":"y"}"#), ("a | b", #"{"b":"x"}"#),
    ("a.b | c | d[0]", #"{"d":["x"],"a":{"c":"y"}}"#),
    ("a.b | c | d[0]", #"{"d":["y"],"c":"x","a":[]}"#),
    ("a", #"{"b":{"a":"y"},"a":"x","c":[{"a":"z"}]}"#),
  ])
  func `leads to a value`(path: String, json: String) throws {
    for chunk in [1, 1000] {
      #expect(try read(path, json, chunk: chunk) == #"Box/1 v: "x""#)
    }
  }

  @Test(arguments: [
    ("a.b", #"{"a":1}"#), ("a.b", #"{"a":null}"#), ("a.b", #"{"a":[{"b":"x"}]}"#),
    ("a.b", #"{"a.b":"x"}"#), ("a[1]", #"{"a":["x"]}"#), ("a[0]", #"{"a":{"0":"x"}}"#),
    ("a[0]", #"{"a":"x"}"#), ("a", #"{"A":"x","a ":"x","aa":"x","":"x"}"#), ("a", "{}"),
    ("a | b", #"{"a":null,"b":"y"}"#), ("-", #"{"v":"x","-":"x"}"#),
  ])
  func `that is not there leaves the value away`(path: String, json: String) throws {
    #expect(try read(path, json) == "Box/1")
  }

  @Test func `may be read by two properties`() throws {
    let trial = try ImportTrial([
      .make(
        "Box", identity: "",
        [
          .make("number", .integer64, ["JSONKeyPath": "v"]), .make("v"),
          .make("at", .date, ["JSONKeyPath": "v"]),
        ])
    ])
    try trial.load(#"{"v":"60"}"#)
    #expect(trial.lines == [#"Box/1 at: "1970-01-01T00:01:00Z", number: 60, v: "60""#])
  }

  @Test func `may lead through the object of a relationship`() throws {
    let trial = try ImportTrial([
      .make(
        "Tweet",
        [
          .make("author_name", .string, ["JSONKeyPath": "author.name"]),
          .make("city", .string, ["JSONKeyPath": "author.places[0].city"]),
        ],
        [.make("author", to: "User"), .make("home", to: "Place", ["JSONKeyPath": "author.home"])]),
      .make("User", [.make("name")], [.make("places", to: "Place", many: true)]),
      .make("Place", identity: "city", [.make("city")]),
    ])
    for json in [
      #"{"id":1,"author":{"id":2,"name":"Ada","home":{"city":"Ulm"},"places":[{"city":"Bonn"}]}}"#,
      #"{"author":{"places":[{"city":"Bonn"}],"home":"Ulm","name":"Ada","id":2},"id":1}"#,
    ] {
      try trial.load(json, chunk: 3)
      #expect(
        trial.lines.contains(
          #"Tweet/1 author: User/1, author_name: "Ada", city: "Bonn", home: Place/1, id: 1"#)
          || trial.lines.contains(
            #"Tweet/1 author: User/1, author_name: "Ada", city: "Bonn", home: Place/2, id: 1"#)
      )
      #expect(try trial.store.graph.count(of: "Place") == 2)
    }
  }

  private static func members(_ path: String, _ child: [AttributeDescription]) throws -> ImportTrial
  {
    try ImportTrial([
      .make(
        "Box", identity: "",
        [],
        [
          RelationshipDescription(
            name: "parts", destination: "Part", isToMany: true, isOrdered: true,
            userInfo: ["JSONKeyPath": path])
        ]), .make("Part", identity: "", child),
    ])
  }

  @Test(arguments: [
    ("p", #"{"p":[{"n":"x"},{"n":"y"}]}"#), ("p[*]", #"{"p":[{"n":"x"},{"n":"y"}]}"#),
    ("a.b[*].c", #"{"a":{"b":[{"c":{"n":"x"}},{},{"c":{"n":"y"}}]}}"#),
    ("p.*", #"{"p":{"one":{"n":"x"},"two":{"n":"y"}}}"#),
    ("p.*.q", #"{"p":{"one":{"q":{"n":"x"}},"no":{},"two":{"q":{"n":"y"}}}}"#),
    ("p[*][*]", #"{"p":[[{"n":"x"}],[],[{"n":"y"}]]}"#),
    ("p.*[*]", #"{"p":{"a":[{"n":"x"},{"n":"y"}],"b":[]}}"#),
    ("p[*].q", #"{"p":[{"q":[{"n":"x"},{"n":"y"}]},{"q":[]}]}"#),
    ("q.r | p", #"{"p":[{"n":"z"}],"q":{"r":[{"n":"x"},{"n":"y"}]}}"#),
  ])
  func `with wildcards leads to many objects`(path: String, json: String) throws {
    let trial = try Self.members(path, [.make("n")])
    try trial.load(json, chunk: 2)
    let box = try #require(try trial.store.graph.objects("Box").first)
    #expect(box.objects("parts").map { $0["n"] } == [.string("x"), .string("y")])
  }

  @Test(arguments: [
    (
      "p.*", #"{"p":{"a":{"n":7},"b":{"n":8}}}"#, #"index: 0, key: "a", n: 7"#,
      #"index: 1, key: "b", n: 8"#
    ),
    ("p[*]", #"{"p":[{"n":7},{"n":8}]}"#, "index: 0, n: 7", "index: 1, n: 8"),
    (
      "p.*", #"{"p":{"a":7,"b":8}}"#, #"index: 0, key: "a", value: 7"#,
      #"index: 1, key: "b", value: 8"#
    ),
    ("p[*]", #"{"p":[7,null,8]}"#, "index: 0, value: 7", "index: 2, value: 8"),
  ])
  func `may read the name, the position and the value of an element`(
    path: String, json: String, first: String, second: String
  ) throws {
    let trial = try Self.members(
      path,
      [
        .make("key", .string, ["JSONKeyPath": "@key"]),
        .make("index", .integer64, ["JSONKeyPath": "@index"]),
        .make("value", .integer64, ["JSONKeyPath": "@value"]), .make("n", .integer64),
      ])
    try trial.load(json, chunk: 2)
    let parts = trial.lines.filter { $0.hasPrefix("Part") }
    #expect(parts == ["Part/1 \(first)", "Part/2 \(second)"])
  }

  @Test(arguments: [
    (#"{"id":1,"main":{"id":2}}"#, "id: 2"), (#"{"x":0,"main":{"id":2},"id":1}"#, "id: 2"),
    (#"{"main":"2","id":1}"#, "id: 2"), (#"{"id":1,"lists":[{"last":{"id":2}}]}"#, "id: 2"),
    (#"{"id":1,"lists":[{"x":0,"last":{"id":2}}]}"#, "id: 2"),
    (#"{"id":1,"lists":[{"last":[{"id":7},{"id":2}]}]}"#, "id: 2, index: 1"),
    (#"{"id":1,"two":[0,{"id":2}]}"#, "id: 2, index: 1"),
    (#"{"id":1,"all":{"id":2}}"#, "id: 2, index: 0"),
  ])
  func `reads the position of an element, and of no object at a key`(
    json: String, part: String
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Box", [],
        [
          .make("main", to: "Part"), .make("second", to: "Part", ["JSONKeyPath": "two[1]"]),
          .make("lists", to: "Part", many: true, ["JSONKeyPath": "lists[*].last"]),
          .make("all", to: "Part", many: true),
        ]),
      .make("Part", [.make("index", .integer64, ["JSONKeyPath": "@index"])]),
    ])
    try trial.load(json, .with { $0.relationships.wrapsSingleObjects = true })
    #expect(
      trial.lines.filter { $0.hasPrefix("Part") && $0.contains("id: 2") }
        .map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) } == [part])
  }

  @Test(arguments: [true, false])
  func `reads a position if one of two relationships to an object has one`(isFirst: Bool) throws {
    let named = RelationshipDescription.make("a", to: "Part", ["JSONKeyPath": "map.k"])
    let all = RelationshipDescription.make("b", to: "Part", many: true, ["JSONKeyPath": "map.*"])
    let trial = try ImportTrial([
      .make("Box", [], isFirst ? [named, all] : [all, named]),
      .make("Part", [.make("index", .integer64, ["JSONKeyPath": "@index"])]),
    ])
    try trial.load(#"{"id": 1, "map": {"j": {"id": 2}, "k": {"id": 3}}}"#)
    #expect(
      trial.lines.filter { $0.hasPrefix("Part") }
        == ["Part/1 id: 2, index: 0", "Part/2 id: 3, index: 1"])
  }

  @Test func `to the value of an element finds no object`() throws {
    let tags = [AttributeDescription.make("name", .string, ["JSONKeyPath": "@value"])]
    for identity in ["", "name"] {
      let trial = try ImportTrial([
        .make("Box", identity: "", [], [.make("tags", to: "Tag", many: true)]),
        .make("Tag", identity: identity, tags),
      ])
      let error = #expect(throws: ImportError.self) {
        try trial.load(#"{"tags":["a",{"name":"b"}]}"#)
      }
      #expect(error?.description == "1:14: $.tags[1]: expected a string, found an object")
    }
    let mixed = try ImportTrial([
      .make("Box", identity: "", [], [.make("tags", to: "Tag", many: true)]),
      .make("Tag", identity: "name", tags + [.make("note")]),
    ])
    let error = #expect(throws: ImportError.self) {
      try mixed.load(#"{"tags":["a",{"note":"b"}]}"#)
    }
    #expect(
      error?.description
        == "1:14: $.tags[1]: expected a value for name of Tag (identity, read from "
        + "\"@value\"), found an object")
  }

  @Test func `may make the name under which an object stands its identity`() throws {
    let trial = try ImportTrial([
      .make("Event", [.make("id", .integer64, ["JSONKeyPath": "@key"]), .make("name")])
    ])
    try trial.load(#"{"e":{"7":{"name":"a"},"8":{"name":"b"}}}"#, at: "e.*")
    let report = try trial.load(#"{"e":{"8":{"name":"c"}}}"#, at: "e.*")
    #expect(report.count(of: "Event").updated == 1)
    #expect(trial.lines == [#"Event/1 id: 7, name: "a""#, #"Event/2 id: 8, name: "c""#])
  }

  @Test(arguments: ["@key", "@value", "@index"])
  func `may name the object of a to-one relationship`(path: String) throws {
    let trial = try ImportTrial([
      .make(
        "Box", identity: "", [.make("v", .string, ["JSONKeyPath": "@value"])],
        [.make("thing", to: "Thing", ["JSONKeyPath": path])]),
      .make("Thing", [.make("id")]),
    ])
    try trial.load(#"{"p":{"a":"b"}}"#, as: "Box", at: "p.*")
    let name = ["@key": "a", "@value": "b", "@index": "0"][path] ?? ""
    #expect(trial.lines.contains(#"Thing/1 id: "\#(name)""#))
    #expect(trial.lines.contains { $0.contains("thing: Thing/1") })
  }

  @Test(arguments: [
    ("series[*].data[*]", ["Row/1 id: 1, v: 2", "Row/2 id: 3, v: 4"]),
    ("series[*].last", ["Row/1 id: 5, v: 6"]),
  ])
  func `below a wildcard leads to rows, or to one of them`(path: String, lines: [String]) throws {
    let trial = try ImportTrial([
      .make(
        "Row",
        [
          .make("id", .integer64, ["JSONKeyPath": "[0]"]),
          .make("v", .integer64, ["JSONKeyPath": "[1]"]),
        ])
    ])
    try trial.load(#"{"series":[{"data":[[1,2]],"last":[5,6]},{"data":[[3,4]]}]}"#, at: path)
    #expect(trial.lines == lines)
  }

  @Test func `with a wildcard passes over the scalars that attributes name`() throws {
    let trial = try ImportTrial([
      .make(
        "Box", identity: "", [.make("name")],
        [.make("things", to: "Thing", many: true, ["JSONKeyPath": "*"])]),
      .make("Thing", identity: "", [.make("id")]),
    ])
    try trial.load(#"{"a":{"id":"1"},"name":"x","b":{"id":"2"}}"#, as: "Box")
    #expect(
      trial.lines.filter { $0.hasPrefix("Thing") } == [#"Thing/1 id: "1""#, #"Thing/2 id: "2""#])
  }

  @Test(arguments: [
    #"{"a":{"id":"1"},"about":{"text":"x"},"b":{"id":"2"}}"#,
    #"{"about":{"text":"x"},"a":{"id":"1"},"b":{"id":"2"}}"#,
    #"{"a":{"id":"1"},"b":{"id":"2"},"notes":[{"text":"x"}],"people":{"z":{"text":"x"}},"main":"2"}"#,
  ])
  func `with a wildcard passes over what relationships to other entities name`(json: String) throws
  {
    let trial = try ImportTrial([
      .make(
        "Box", identity: "", [],
        [
          .make("things", to: "Thing", many: true, ["JSONKeyPath": "*"]),
          .make("about", to: "Note"),
          .make("notes", to: "Note", many: true),
          .make("people", to: "Note", many: true, ["JSONKeyPath": "people.*"]),
          .make("main", to: "Place"),
        ]),
      .make(
        "Thing", identity: "id", [.make("id"), .make("key", .string, ["JSONKeyPath": "@key"])]),
      .make("Note", identity: "", [.make("text")]),
      .make("Place", identity: "id", [.make("id")]),
    ])
    try trial.load(json, as: "Box")
    #expect(trial.lines.count { $0.hasPrefix("Thing") } == 2)
    #expect(trial.lines.count { $0.hasPrefix("Place") } == (json.contains("main") ? 1 : 0))
  }

  @Test func `with a wildcard takes objects of a sub-entity that another path names`() throws {
    let trial = try ImportTrial([
      .make(
        "Box", identity: "", [],
        [
          .make("things", to: "Thing", many: true, ["JSONKeyPath": "*"]),
          .make("main", to: "Engine"),
        ]),
      .make("Thing", identity: "", [.make("id")]),
      .make("Engine", identity: "", parent: "Thing"),
    ])
    try trial.load(#"{"a":{"id":"1"},"main":{"id":"2"}}"#, as: "Box")
    #expect(
      trial.lines.filter { !$0.hasPrefix("Box") }
        == [#"Engine/1 id: "2""#, #"Thing/1 id: "1""#, #"Thing/2 id: "2""#])
  }

  @Test
  func `with a wildcard takes the objects that other paths name, and scalars that it reads itself`()
    throws
  {
    let trial = try ImportTrial([
      .make(
        "Box", identity: "", [.make("usd", .string, ["JSONKeyPath": "prices.usd"])],
        [
          .make("prices", to: "Price", many: true, ["JSONKeyPath": "prices.*"]),
          .make("images", to: "Image", many: true, ["JSONKeyPath": "images.*"]),
          .make("main", to: "Image", ["JSONKeyPath": "images.main"]),
        ]),
      .make("Price", identity: "", [.make("amount", .string, ["JSONKeyPath": "@value"])]),
      .make("Image", identity: "url", [.make("url")]),
    ])
    try trial.load(
      #"{"prices":{"usd":"1","eur":"2"},"images":{"main":{"url":"m"},"other":{"url":"o"}}}"#,
      as: "Box")
    #expect(trial.lines.count { $0.hasPrefix("Price") } == 2)
    #expect(trial.lines.count { $0.hasPrefix("Image") } == 2)
  }

  private func notices(_ path: String, _ json: String, chunk: Int? = nil) throws -> [String] {
    let trial = try ImportTrial([
      .make(
        "Shop", identity: "", [], [.make("hours", to: "Hour", many: true, ["JSONKeyPath": path])]),
      .make("Hour", identity: "", [.make("day")]),
    ])
    let report = try trial.load(json, as: "Shop", chunk: chunk)
    #expect(report.noticeCount == report.notices.count)
    return report.notices.map(\.description) + trial.lines.filter { $0.hasPrefix("Hour") }
  }

  @Test(arguments: [
    (
      "hours.*", #"{"hours":[null,{"day":"mo"},{"day":"tu"}]}"#, "1:10: $.hours: ",
      #"an array; "hours.* | hours[*]" reads both"#
    ),
    (
      "hours.*", #"{"hours":[[],3]}"#, "1:10: $.hours: ",
      #"an array; "hours.* | hours[*]" reads both"#
    ),
    ("hours.*", #"{"hours":"closed"}"#, "1:10: $.hours: ", #"the string "closed""#),
    ("a[*].b", #"{"a":{"b":{"day":"mo"},"c":1}}"#, "1:6: $.a: ", "an object"),
    ("a[*].b", #"{"a":7}"#, "1:6: $.a: ", "the number 7"),
    ("a.*.b.*", #"{"a":{"x":{"b":[{"day":"mo"}]}}}"#, "1:16: $.a.x.b: ", "an array"),
    ("a.*.b.*", #"{"a":{"x":{"b":true}}}"#, "1:16: $.a.x.b: ", "true"),
  ])
  func `with a wildcard tells of a value that it does not lead into`(
    path: String, json: String, place: String, found: String
  ) throws {
    let notice = place + #"Shop.hours reads "\#(path)", which leads to nothing in \#(found)"#
    for chunk in [1, 1000] { #expect(try notices(path, json, chunk: chunk) == [notice]) }
  }

  @Test(arguments: [
    (
      "friends.pet", #"{"friends":[{"pet":{"day":"mo"}},{}]}"#, "1:12: $.friends: ",
      #"; "friends[*].pet" reads each of its elements"#
    ),
    (
      "a.b.c", #"{"a":{"b":[[]]}}"#, "1:11: $.a.b: ",
      #"; "a.b[*].c" reads each of its elements"#
    ),
    ("a.hours.*", #"{"a":[{"hours":{}}]}"#, "1:6: $.a: ", ""),
  ])
  func `tells of an array that it does not lead through`(
    path: String, json: String, place: String, remedy: String
  ) throws {
    let notice =
      place + #"Shop.hours reads "\#(path)", which leads to nothing in an array"# + remedy
    for chunk in [1, 1000] { #expect(try notices(path, json, chunk: chunk) == [notice]) }
  }

  @Test(arguments: ["name", "first.name"])
  func `of an attribute tells of an array that it does not lead through`(rest: String) throws {
    let trial = try ImportTrial([
      .make("Shop", identity: "", [.make("owner", .string, ["JSONKeyPath": "owners.\(rest)"])])
    ])
    let report = try trial.load(#"{"owners":[{"name":"Ann"}]}"#)
    #expect(
      report.notices.map(\.description) == [
        #"1:11: $.owners: Shop.owner reads "owners.\#(rest)", which leads to nothing in an array; "#
          + #""owners[0].\#(rest)" reads the first of its elements"#
      ])
  }

  @Test(arguments: [
    ("friends.pet", #"{"friends":[]}"#), ("friends.pet", #"{"friends":"none"}"#),
    ("friends.pet | pets", #"{"friends":[{"pet":{"day":"mo"}}]}"#),
  ])
  func `says nothing of an empty array, a scalar or where another path is tried`(
    path: String, json: String
  ) throws {
    #expect(try notices(path, json) == [])
  }

  @Test(arguments: [
    ("hours.*", #"{"hours":[]}"#, 0), ("hours.*", #"{"hours":null}"#, 0),
    ("hours.*", #"{"hours":[null]}"#, 0), ("hours.*", #"{"hours":""}"#, 0),
    ("a[*].b", #"{"a":{}}"#, 0),
    ("hours.* | hours[*]", #"{"hours":[{"day":"mo"}]}"#, 1),
    ("hours.* | hours", #"{"hours":[{"day":"mo"}]}"#, 1),
    ("hours.* | days", #"{"hours":"closed","days":[{"day":"mo"},{"day":"tu"}]}"#, 2),
  ])
  func `with a wildcard says nothing where nothing is lost, or another path is tried`(
    path: String, json: String, count: Int
  ) throws {
    let lines = try notices(path, json)
    #expect(lines.count == count && lines.allSatisfy { $0.hasPrefix("Hour") })
  }

  @Test(arguments: [#"{"hours":"closed"}"#, #"{"hours":[1]}"#])
  func `with a wildcard says nothing of a value that another property reads`(json: String) throws {
    let trial = try ImportTrial([
      .make(
        "Shop", identity: "", [.make("text", .transformable, ["JSONKeyPath": "hours"])],
        [.make("hours", to: "Hour", many: true, ["JSONKeyPath": "hours.*"])]),
      .make("Hour", identity: "", [.make("day")]),
    ])
    let report = try trial.load(json, as: "Shop", .with { $0.reportsCoverage = true })
    #expect(report.noticeCount == 0)
    #expect(report.coverage?.unreadKeyCount == 0)
  }

  @Test func `with a wildcard tells of each container that it does not lead into once`() throws {
    let trial = try ImportTrial([
      .make(
        "Shop", identity: "", [],
        [.make("hours", to: "Hour", many: true, ["JSONKeyPath": "hours.*"])]),
      .make("Hour", identity: "", [.make("day")]),
    ])
    let report = try trial.load(
      #"[{"hours":[{"day":"mo"},1]},{"hours":{"a":{"day":"tu"}}},{"hours":[{"day":"we"},2,3]}]"#,
      as: "Shop")
    #expect(report.notices.map(\.error.path) == ["$[0].hours", "$[2].hours"])
    #expect(report.noticeCount == 2)
  }
}
