import Testing

@testable import Graft
@testable import GraftTestSupport

/// Values that are not in the object that has them.
@Suite struct `A value from outside the object` {
  private func trial(_ path: String, identity: String = "order n") throws -> ImportTrial {
    try ImportTrial([
      .make("Customer", [.make("name")], [.make("orders", to: "Order", many: true)]),
      .make("Order", [], [.make("items", to: "Item", many: true)]),
      .make(
        "Item", identity: identity,
        [.make("order", .string, ["JSONKeyPath": path]), .make("n", .integer64)]),
    ])
  }

  private static let orders = [
    #"{"name":"Ann","orders":[{"id":7,"items":[{"n":1},{"n":2}]}],"id":1}"#,
    #"{"orders":[{"items":[{"n":1},{"n":2}],"id":7}],"id":1,"name":"Ann"}"#,
  ]

  @Test(arguments: [
    ("@parent.id", "7"), ("@parent.@parent.id", "1"), ("@parent.@parent.name", "Ann"),
    ("'gh'", "gh"), ("@line", "1"), ("id | @parent.id", "7"), ("n | @parent.id", nil),
  ])
  func `may come before or after the object`(path: String, value: String?) throws {
    for json in Self.orders {
      for chunk in [1, 5, 1000] {
        let trial = try trial(path)
        try trial.load(json, chunk: chunk)
        for number in [1, 2] {
          let expected = value ?? "\(number)"
          #expect(trial.lines.contains(#"Item/\#(number) n: \#(number), order: "\#(expected)""#))
        }
      }
    }
  }

  @Test func `is that of the object around, and not of an array or of one further out`() throws {
    let trial = try trial("@parent.id", identity: "")
    try trial.load(#"{"id":1,"orders":[{"id":8,"items":[]},{"id":9,"items":[{"n":1}]}]}"#)
    #expect(trial.lines.contains(#"Item/1 n: 1, order: "9""#))
  }

  @Test func `may be the key under which the object around is found`() throws {
    let trial = try ImportTrial([
      .make(
        "Month", identity: "year name",
        [
          .make("year", .integer64, ["JSONKeyPath": "@parent.@key"]),
          .make("name", .string, ["JSONKeyPath": "@key"]),
          .make("sum", .integer64, ["JSONKeyPath": "sum | @value"]),
        ])
    ])
    try trial.load(
      #"{"years":{"2024":{"jan":5,"feb":{"sum":6}},"2025":{"jan":7}}}"#, at: "years.*.*", chunk: 2)
    #expect(
      trial.lines == [
        #"Month/1 name: "jan", sum: 5, year: 2024"#, #"Month/2 name: "feb", sum: 6, year: 2024"#,
        #"Month/3 name: "jan", sum: 7, year: 2025"#,
      ])
  }

  @Test func `may be further inside the object around`() throws {
    let trial = try ImportTrial([
      .make("Hit", [.make("term", .string, ["JSONKeyPath": "@parent.meta.terms[1]"])])
    ])
    for json in [
      #"{"hits":[{"id":1}],"meta":{"terms":["x","lamp"]}}"#,
      #"{"meta":{"terms":["x","lamp"]},"hits":[{"id":1}]}"#,
    ] {
      try trial.load(json, at: "hits")
      #expect(trial.lines == [#"Hit/1 id: 1, term: "lamp""#])
    }
  }

  @Test func `is none where no object is around, or where that lacks it`() throws {
    let trial = try ImportTrial([
      .make("Hit", [.make("term", .string, ["JSONKeyPath": "@parent.term"])])
    ])
    try trial.load(#"[{"id":1}]"#)
    try trial.load(#"{"hits":[{"id":2}],"term":null}"#, at: "hits")
    #expect(trial.lines == ["Hit/1 id: 1", "Hit/2 id: 2"])
  }

  @Test func `may be the identifier of a to-one relationship's object`() throws {
    let trial = try ImportTrial([
      .make("Order", [], [.make("items", to: "Item", many: true)]),
      .make(
        "Item", identity: "n", [.make("n", .integer64)],
        [.make("order", to: "Order", ["JSONKeyPath": "@parent.id"])]),
    ])
    try trial.load(#"[{"items":[{"n":1}],"id":7}]"#)
    #expect(trial.lines == ["Item/1 n: 1, order: Order/1", "Order/1 id: 7, items: [Item/1]"])
  }

  @Test func `lets objects wait no longer than the limit allows`() throws {
    let trial = try trial("@parent.id")
    let options = ImportOptions.with { $0.bufferLimit = 2_000 }
    let items = (1...50).map { #"{"n":\#($0)}"# }.joined(separator: ",")
    #expect(
      trial.failure(#"{"items":[\#(items)],"id":7}"#, as: "Order", options)
        .contains("more than 2000 bytes were buffered before the values were known"))
    try trial.load(#"{"id":7,"items":[\#(items)]}"#, as: "Order", options)
    #expect(try trial.store.graph.count(of: "Item") == 50)
  }

  @Test func `is part of an identity in an import that updates only`() throws {
    let trial = try trial("@parent.id")
    try trial.load(Self.orders[0])
    let options = ImportOptions.with { $0.mode = .updateOnly }
    try trial.load(#"{"id":1,"orders":[{"items":[{"n":1},{"n":3}],"id":7}]}"#, options)
    #expect(try trial.store.graph.count(of: "Item") == 2)
  }

  @Test func `is the file's name where one is imported`() throws {
    let trial = try trial("@file")
    let options = ImportOptions.with { $0.fileName = "may.json" }
    try trial.load(#"{"id":7,"items":[{"n":1}]}"#, as: "Order", options)
    #expect(trial.lines.contains(#"Item/1 n: 1, order: "may.json""#))
  }

  @Test func `cannot be where a root's objects are`() throws {
    let trial = try trial("@parent.id")
    #expect(
      trial.failure("{}", at: "a.@key")
        == #"the root path "a.@key" leads to a single value, expected a path to objects"#)
  }

  @Test func `cannot be read by objects at a later path that leads through other objects`() throws {
    let trial = try ImportTrial([
      .make("Order", [], [.make("item", to: "Item", ["JSONKeyPath": "item | old.item"])]),
      .make("Item", identity: "", [.make("order", .string, ["JSONKeyPath": "@parent.id"])]),
    ])
    #expect(
      trial.failure("{}")
        == #"Order.item: the objects at "old.item" read values at "@parent"; make it the first of the"#
        + " paths, or let it be a single key")
  }

  @Test(arguments: [
    (#"{"id":7,"items":[{"n":1}]}"#, "@parent.no | 'x'", #"Item/1 n: 1, order: "x""#),
    (#"{"id":7,"items":[{"n":1}]}"#, "@parent.no | @parent.id", #"Item/1 n: 1, order: "7""#),
    (#"{"id":7,"items":[{"n":1,"own":"o"}]}"#, "@parent.no | own", #"Item/1 n: 1, order: "o""#),
    (#"{"id":7,"items":[{"n":1}]}"#, "@parent.@key | 'x'", #"Item/1 n: 1, order: "x""#),
    (#"{"id":7,"no":null,"items":[{"n":1}]}"#, "@parent.no | 'x'", "Item/1 n: 1"),
  ])
  func `gives way to the next path where there is none`(
    json: String, path: String, line: String
  ) throws {
    let trial = try trial(path, identity: "n")
    try trial.load(json, as: "Order")
    #expect(trial.lines.contains(line))
  }

  @Test func `that is absent leaves what is there`() throws {
    let trial = try trial("@parent.name", identity: "n")
    try trial.load(#"{"id":7,"name":"Ann","items":[{"n":1}]}"#, as: "Order")
    try trial.load(#"{"id":7,"items":[{"n":1}]}"#, as: "Order")
    #expect(trial.lines.contains(#"Item/1 n: 1, order: "Ann""#))
  }

  @Test(arguments: [
    (
      #"{"id":7,"name":[1],"items":[{"n":1}]}"#, "@parent.name",
      "1:16: $.name: expected a string, found an array"
    ),
    (
      #"{"name":{},"items":[{"n":1}]}"#, "@parent.name",
      "1:9: $.name: expected a string, found an object"
    ),
    (
      #"{"items":[{"n":1}],"a":{"b":[0,[]]}}"#, "@parent.a.b[1]",
      "1:32: $.a.b[1]: expected a string, found an array"
    ),
  ])
  func `that is an object or array is an error there`(
    json: String, path: String, message: String
  ) throws {
    for chunk in [1, 1_000] {
      let trial = try trial(path, identity: "n")
      let error = #expect(throws: ImportError.self) {
        try trial.load(json, as: "Order", chunk: chunk)
      }
      #expect(error?.description == message)
    }
  }

  @Test func `that cannot be converted is an error where it is, and not where it is read`() throws {
    let trial = try ImportTrial([
      .make("Order", identity: "", [], [.make("items", to: "Item", many: true)]),
      .make("Item", identity: "", [.make("order", .integer64, ["JSONKeyPath": "@parent.id"])]),
    ])
    #expect(
      trial.failure(#"[{"items":[{}]},{"items":[{}],"id":"x"}]"#)
        == #"1:36: $[1].id: expected an integer of 64 bits, found the string "x""#)
    #expect(
      trial.failure(#"{"a":{"id":"x","items":[{}]}}"#, at: "*")
        == #"1:12: $.a.id: expected an integer of 64 bits, found the string "x""#)
  }

  @Test(arguments: [
    #"{"id":1,"id":2,"items":[{"n":1}]}"#, #"{"items":[{"n":1}],"id":2}"#,
    #"{"id":2,"items":[{"n":1}],"id":2}"#,
  ])
  func `is the later one if its key occurs twice`(json: String) throws {
    for chunk in [1, 1_000] {
      let trial = try trial("@parent.id", identity: "n")
      try trial.load(
        "[\(json)]", as: "Order", .with { $0.refusesDuplicateKeys = false }, chunk: chunk)
      #expect(trial.lines.contains(#"Item/1 n: 1, order: "2""#))
    }
  }

  @Test func `is an error where another one comes after objects have read it`() throws {
    let json = #"{"id":1,"items":[{"n":1}],"id":2}"#
    #expect(
      try trial("@parent.id", identity: "n").failure(json, as: "Order")
        == #"1:32: $.id: "id" occurs again with another value, after objects inside have read it at"#
        + #" "@parent"; remove one of the two, or put both before these objects"#)
    let trial = try trial("@parent.id", identity: "n")
    let report = try trial.load(json, as: "Order", .with { $0.errorPolicy = .skipValue })
    #expect(report.issueCount == 1)
    #expect(trial.lines.contains(#"Item/1 n: 1, order: "1""#))
  }

  @Test(arguments: [
    (#"{"x":1,"items":[{"n":1},{"n":2}]}"#, "0", "1"), (#"{"x":1,"items":{"n":1}}"#, "0", nil),
  ])
  func `or the object's own is an index of 0 where a single object takes the place of an array`(
    json: String, first: String, second: String?
  ) throws {
    let trial = try ImportTrial([
      .make(
        "Order", identity: "", [],
        [.make("items", to: "Item", many: true, ["JSONSingleObject": "wrap"])]),
      .make(
        "Item", identity: "n",
        [.make("n", .integer64), .make("place", .integer64, ["JSONKeyPath": "@index"])]),
    ])
    try trial.load(json)
    #expect(trial.lines.contains("Item/1 n: 1, place: \(first)"))
    if let second { #expect(trial.lines.contains("Item/2 n: 2, place: \(second)")) }
    try trial.load(#"{"a":0,"b":0,"c":{"n":3}}"#, as: "Item", at: "c")
    #expect(trial.lines.contains("Item/\(second == nil ? 2 : 3) n: 3, place: 0"))
  }

  @Test func `is found through an object that shares the JSON of another`() throws {
    let trial = try ImportTrial([
      .make(
        "Outer", identity: "", [.make("title")],
        [.make("inner", to: "Order", ["JSONKeyPath": "$"])]),
      .make("Order", [], [.make("items", to: "Item", many: true)]),
      .make(
        "Item", identity: "order n",
        [.make("order", .integer64, ["JSONKeyPath": "@parent.id"]), .make("n", .integer64)]),
    ])
    try trial.load(#"[{"title":"A","items":[{"n":1}],"id":7}]"#)
    #expect(trial.lines.contains("Item/1 n: 1, order: 7"))
  }

  @Test func `is no unknown key, and nor is a discriminator`() throws {
    let trial = try ImportTrial([
      .make(
        "Order", [], [.make("items", to: "Item", many: true)], ["JSONDiscriminator": "type"]),
      .make("Parcel", identity: "", parent: "Order", [.make("weight", .integer64)]),
      .make(
        "Item", identity: "n",
        [.make("n", .integer64), .make("name", .string, ["JSONKeyPath": "@parent.name"])]),
    ])
    let options = ImportOptions.with { $0.unknownKeys = .error }
    try trial.load(#"{"id":1,"name":"A","type":"Parcel","items":[{"n":1}]}"#, options)
    #expect(trial.lines.contains(#"Item/1 n: 1, name: "A""#))
    #expect(
      trial.failure(#"{"id":1,"nam":"A","type":"Parcel"}"#, options)
        .contains(#"no property of Parcel reads the key "nam""#))
  }

  @Test func `that is the key is the identity, and a scalar under it no other`() throws {
    let trial = try ImportTrial([
      .make("Browser", identity: "name", [.make("name", .string, ["JSONKeyPath": "@key"])])
    ])
    #expect(
      trial.failure(#"{"b":{"ff":"x"}}"#, at: "b.*")
        == #"1:12: $.b.ff: expected an object or an array of Browser, found the string "x""#)
    #expect(trial.failure(#"{"b":{"sa":[1]}}"#, at: "b.*").contains("found an array"))
    try trial.load(#"{"b":{"ff":"ff"}}"#, at: "b.*")
    #expect(trial.lines == [#"Browser/1 name: "ff""#])
  }

  @Test func `that is the line tells objects of NDJSON apart, and no others`() throws {
    let entities: [EntityDescription] = [
      .make(
        "Record", identity: "line",
        [.make("line", .integer64, ["JSONKeyPath": "@line"]), .make("text")])
    ]
    let json = "[{\"text\":\"a\"},\n{\"text\":\"b\"}]"
    #expect(
      try ImportTrial(entities).failure(json)
        == "the identity of Record (line) is the line on which a document begins, and 2 objects were"
        + " found in 1 document; @line tells lines of NDJSON apart: add \"@index\" to the identity, or"
        + " import as NDJSON")
    let trial = try ImportTrial(entities)
    try trial.load(#"{"text":"a"}"#)
    try trial.load(
      "{\"text\":\"a\"}\n{\"text\":\"b\"}", .with { $0.parser.format = .ndjson })
    #expect(trial.lines == [#"Record/1 line: 1, text: "a""#, #"Record/2 line: 2, text: "b""#])
  }
}
