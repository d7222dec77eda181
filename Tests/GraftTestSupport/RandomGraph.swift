import Foundation

@testable import Graft

/// Graphs of random shape for the laws of exporting, repeatable by their seed.
///
/// The model has one of everything: identities of one and of two attributes and none, sub-entities
/// with a discriminator, paths that meet, dates in several forms, relationships of each kind with
/// and without inverse. Objects without identity have one owner, as JSON can tell no other.
struct RandomGraph {
  let store: GraphStore

  static let entities: [EntityDescription] = [
    .make(
      "Person",
      [
        .make("name", .string, ["JSONKeyPath": "names.full"]),
        .make("nick", .string, ["JSONKeyPath": "names.list[1].nick"]),
        .make("born", .date, ["JSONDateFormat": "yyyy-MM-dd HH:mm:ss.SSS"]),
        .make("seen", .date, ["JSONDateFormat": "unix-ms"]),
        .make("score", .double), .make("wealth", .decimal), .make("photo", .binary),
        .make("extra", .transformable), .make("isReal", .boolean),
      ],
      [
        .make("friends", to: "Person", many: true, inverse: "friendOf"),
        .make("friendOf", to: "Person", many: true, inverse: "friends"),
        .make("boss", to: "Person", inverse: "reports"),
        RelationshipDescription(
          name: "reports", destination: "Person", inverse: "boss", isToMany: true,
          isOrdered: true, userInfo: ["JSONKeyPath": "work.reports"]),
        .make("pets", to: "Animal", many: true, inverse: "owner"),
        .make("hand", to: "Card", many: true, ["JSONKeyPath": "hand[*]"]),
        .make("orders", to: "Order", many: true, inverse: "buyer"),
      ]),
    .make(
      "Animal", [.make("name", .string, ["JSONKeyPath": "name | title"])],
      [.make("owner", to: "Person", inverse: "pets")], ["JSONDiscriminator": "type"]),
    .make("Dog", identity: "", parent: "Animal", [.make("tricks", .integer32)]),
    .make("Cat", identity: "", parent: "Animal", [.make("uid", .uuid)]),
    .make(
      "Card", identity: "suit,value",
      [.make("suit"), .make("value", .integer16), .make("note")],
      [.make("beats", to: "Card")]),
    .make(
      "Order", [.make("placed", .date)],
      [
        .make("buyer", to: "Person", inverse: "orders"),
        RelationshipDescription(
          name: "lines", destination: "Line", inverse: "order", isToMany: true, isOrdered: true),
      ]),
    .make(
      "Line", identity: "", [.make("count", .integer64), .make("text")],
      [
        .make("order", to: "Order", inverse: "lines"),
        .make("card", to: "Card"),
        .make("note", to: "Note", inverse: "line"),
      ]),
    .make(
      "Note", identity: "", [.make("text")], [.make("line", to: "Line", inverse: "note")]),
  ]

  private static let model = Result { try GraphModel(entities: entities) }

  /// Makes a graph.
  init(_ random: inout SeededGenerator) throws {
    store = GraphStore(model: try Self.model.get())
    let transaction = store.begin()
    let schema = store.model.schema
    var objects: [Int: [ObjectID]] = [:]
    for entity in schema.entities {
      objects[entity.number] = (0..<Int.random(in: 0...6, using: &random)).map { number in
        let identity: [AttributeValue?] = entity.identity.map {
          entity.attributes[$0].type == .string
            ? .string("s\(number / 2)") : .integer(Int64(number + entity.number * 10))
        }
        let id = identity.withRawValues(
          for: entity.identity.map { entity.attributes[$0].type }
        ) { transaction.insert(entity: entity.number, identity: $0) }
        for (attribute, schema) in entity.attributes.enumerated()
        where !entity.identity.contains(attribute) {
          transaction.set(id, attribute, Self.value(schema.type, &random))
        }
        return id
      }
    }
    for entity in schema.entities {
      for id in objects[entity.number] ?? [] {
        for (number, relationship) in entity.relationships.enumerated()
        where Bool.random(using: &random) {
          let family = schema.entities[relationship.destination].family
          let targets = family.flatMap { objects[$0] ?? [] }.shuffled(using: &random)
          if relationship.isToMany {
            transaction.link(
              id, number, Array(targets.prefix(Int.random(in: 0...4, using: &random))))
          } else {
            transaction.link(id, number, targets.first)
          }
        }
      }
    }
    _ = try store.commit(transaction)
  }

  private static func value(
    _ type: AttributeType, _ random: inout SeededGenerator
  ) -> AttributeValue? {
    let number = Int64.random(in: -5...1000, using: &random)
    if number < 0 { return nil }
    return switch type {
    case .integer16, .integer32, .integer64: .integer(number)
    case .string: .string(["", "é\n\"\\", "plain", "\u{1F600}"][Int(number % 4)])
    case .boolean: .boolean(number % 2 == 0)
    case .double: .double(Double(number) / 7)
    case .float: .float(Float(number) / 7)
    case .decimal: .decimal(Decimal(number) / 8)
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number * 123_457) / 8))
    case .binary: .binary(Data([UInt8(number % 256), 0, 255]))
    case .uuid: .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID())
    case .uri: nil
    case .transformable: .json(#"{"n":[\#(number),"a b"]}"#)
    }
  }
}
