import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Attributes in a write` {
  private let store: GraphStore

  init() throws { store = try LibrarySample.store() }

  @Test(arguments: AttributeType.allCases)
  func `are read as they were set, and null again after nil`(_ type: AttributeType) throws {
    let store = GraphStore(model: Sample.everything)
    let value = type.sample
    let id = try store.write { graph in
      let thing = try graph.insert("Thing")
      thing[type.rawValue] = value
      #expect(thing.value(type.rawValue) == value)
      return thing.id
    }
    #expect(store.graph.object(id)?[type.rawValue] == value)
    try store.write { $0.object(id)?[type.rawValue] = nil }
    #expect(store.graph.object(id)?[type.rawValue] == nil)
  }

  private static let floats: [(AttributeValue, AttributeValue?)] = [
    (.double(0.1), .float(0.1)), (.integer(3), .float(3)), (.double(1e300), nil),
    (.double(.infinity), .float(.infinity)), (.integer(16_777_217), nil),
  ]

  @Test(arguments: floats)
  func `of a Float are rounded from a Double, and lose nothing else`(
    value: AttributeValue, read: AttributeValue?
  ) throws {
    let store = GraphStore(model: Sample.everything)
    try store.write { graph in
      let thing = try graph.insert("Thing")
      if read == nil {
        #expect(throws: StoreError.self) { try thing.setValue(value, of: "Float") }
      } else {
        try thing.setValue(value, of: "Float")
      }
      #expect(thing["Float"] == read)
    }
  }

  @Test func `of the identity may be set, and the object is found by the new one`() throws {
    try store.write { graph in
      let shelf = try graph.insert("Shelf", ["room": .string("in the east wing")])
      shelf["number"] = .integer(1)
      shelf["room"] = .string("in the west wing")
    }
    func find(_ room: String) throws -> GraphObject? {
      try store.graph.object(
        "Shelf", identifiedBy: ["room": .string(room), "number": .integer(1)])
    }
    #expect(try find("in the west wing") != nil)
    #expect(try find("in the east wing") == nil)
    try store.write { graph in
      for shelf in try graph.objects("Shelf") { shelf["room"] = nil }
    }
    #expect(try find("in the west wing") == nil)
    #expect(store.graph.lines == ["Shelf(number: 1)"])
  }

  @Test func `make a stub an object, which then needs what is required; links do not`() throws {
    let stub = try #require(try importStub())
    try store.write { graph in
      let book = try graph.insert("Book", ["code": .string("b2")])
      try book.add(try #require(graph.object(stub)), to: "authors")
    }
    #expect(store.graph.object(stub)?.isStub == true)
    let error = #expect(throws: StoreError.self) {
      try store.write { $0.object(stub)?["name"] = .string("Jane") }
    }
    #expect(error?.failures.map(\.property) == ["born"])
    try store.write { graph in
      let jane = graph.object(stub)
      #expect(jane?.isStub == true)
      jane?["born"] = .integer(1775)
      #expect(jane?.isStub == false)
    }
    #expect(store.graph.object(stub)?.isStub == false)
  }

  private func importStub() throws -> ObjectID? {
    let json = Data(#"[{"code":"b1","authors":["Jane"]}]"#.utf8)
    _ = try store.importJSON(entity: "Book", from: json)
    return try store.graph.objects("Person").first?.id
  }

  struct Demand: Sendable, CustomTestStringConvertible {
    var attribute: String
    var value: AttributeValue
    var complaint: String?

    var testDescription: String { "\(attribute): \(value)" }
  }

  @Test(arguments: [
    Demand(attribute: "title", value: .string("Emma")),
    Demand(
      attribute: "title", value: .string("E"),
      complaint: #"is "E": expected between 2 and 20 characters, found 1"#),
    Demand(attribute: "copies", value: .integer(99)),
    Demand(
      attribute: "copies", value: .integer(100),
      complaint: "is 100: expected between 0 and 99, found 100"),
    Demand(attribute: "isbn", value: .string("978-0141")),
    Demand(
      attribute: "isbn", value: .string("978-0141x"),
      complaint: #"is "978-0141x": expected a string that matches "[0-9]{3}-[0-9]{1,7}" as a whole"#
    ),
    Demand(attribute: "printed", value: .date(Date(timeIntervalSince1970: 0))),
    Demand(
      attribute: "printed", value: .date(Date(timeIntervalSince1970: 4_000_000_000)),
      complaint: "is 2096-10-02T07:06:40Z: expected at most 2030-01-01T00:00:00Z"),
  ])
  func `keep to the bounds and patterns of the model when they are written`(
    _ demand: Demand
  ) throws {
    func write() throws {
      try store.write { graph in
        let book = try graph.findOrInsert("Book", identifiedBy: ["code": .string("b1")])
        book[demand.attribute] = demand.value
      }
    }
    guard let complaint = demand.complaint else { return try write() }
    let error = #expect(throws: StoreError.self) { try write() }
    #expect(error?.kind == .invalidObjects)
    #expect(error?.message == #"Book(code: "b1"): "\#(demand.attribute)" \#(complaint)"#)
    #expect(store.graph.lines == [])
  }

  @Test func `that an import let pass stay until they are written`() throws {
    var options = ImportOptions()
    options.validates = false
    let json = Data(#"[{"code":"b1","copies":500,"title":"Emma"}]"#.utf8)
    _ = try store.importJSON(entity: "Book", from: json, options: options)
    try store.write { graph in
      for book in try graph.objects("Book") { book["title"] = .string("Persuasion") }
    }
    #expect(throws: StoreError.self) {
      try store.write { graph in
        for book in try graph.objects("Book") { book["copies"] = .integer(501) }
      }
    }
    #expect(store.graph.lines == [#"Book(code: "b1", title: "Persuasion", copies: 500)"#])
  }

  @Test func `that are no number are refused, by whichever way they come`() throws {
    let transformer = AttributeTransformer(forward: { _ in .decimal(.nan) })
    let model = try GraphModel(
      entities: [
        EntityDescription(
          name: "Item",
          attributes: [
            AttributeDescription(
              name: "price", type: .decimal, userInfo: ["JSONTransformerName": "ratio"])
          ], userInfo: ["identityAttributes": "price"])
      ], dialect: .graft, extensions: ModelExtensions(transformers: ["ratio": transformer]))
    let store = GraphStore(model: model)
    let message =
      "Item.price is of type Decimal, which NaN is not; give it a decimal or an integer"
    for write: (MutableGraph) throws -> Void in [
      { try $0.insert("Item", ["price": .decimal(.nan)]) },
      { try $0.insert("Item").setValue(.decimal(.nan), of: "price") },
      { try $0.findOrInsert("Item", identifiedBy: ["price": .decimal(.nan)]) },
    ] {
      let error = #expect(throws: StoreError.self) { try store.write { try write($0) } }
      #expect(error?.message == message)
    }
    let error = #expect(throws: ImportError.self) {
      try store.importJSON(entity: "Item", from: Data(#"{"price": 1}"#.utf8))
    }
    #expect(
      error?.message
        == "the transformer \"ratio\" returned NaN, which is not a value of type Decimal")
    #expect(store.graph.lines == [])
  }

  @Test func `that break the model are all listed in one error`() throws {
    let error = #expect(throws: StoreError.self) {
      try store.write { graph in
        try graph.insert("Person")
        try graph.insert("Book", ["copies": .integer(-1), "isbn": .string("")])
      }
    }
    #expect(error?.failures.map(\.property) == ["copies", "isbn", "born"])
  }
}

extension AttributeType {
  /// A value of this type.
  fileprivate var sample: AttributeValue {
    switch self {
    case .integer16, .integer32, .integer64: .integer(-7)
    case .decimal: .decimal(Decimal(string: "1.25") ?? 0)
    case .double: .double(0.1)
    case .float: .float(0.5)
    case .string: .string("a text that is too long for its cell")
    case .boolean: .boolean(true)
    case .date: .date(Date(timeIntervalSince1970: 1_500_000_000))
    case .binary: .binary(Data(0...20))
    case .uuid: .uuid(UUID())
    case .uri: .uri(URL(filePath: "/a/path/of/some/length"))
    case .transformable: .json("[1]")
    }
  }
}
