import Foundation
import Graft

@testable import GraftTestSupport

enum MappingJSON: CodeOfPage {
  struct Event: Entity {
    let id = Attribute<Int64>("@key")
    let name = Attribute<String>(["title", "name"])
    let start = Attribute<Date>("dates.start", format: "yyyy-MM-dd HH:mm")
    let end = Attribute<Date?>("dates.end", format: "unix-ms")
    let longitude = Attribute<Double?>("position[0]")
    let latitude = Attribute<Double?>("position[1]")
    let kind = Attribute<Kind>(default: .other)
    let tags = Attribute<[String]>(default: [])
    let colour = Attribute<String?>(transformer: .trim)
    let note = Attribute<String?>(.nowhere)
    let speakers = ToManyOrdered<Person>("people.speakers")
    let room = ToOne<Room>("$")
    static let identity = [\Self.id]

    enum Kind: String, Codable, Sendable { case talk, workshop, other }
  }

  struct Person: Entity {
    let name = Attribute<String>()
    static let identity = [\Self.name]
  }

  struct Room: Entity {
    let number = Attribute<Int>("room_no")
    static let identity = [\Self.number]
  }

  struct Media: Entity {
    let id = Attribute<Int>()
    static let identity = [\Self.id]
    static let options = EntityOptions<Self>(
      isAbstract: true, subentities: [Photo.self, Video.self], discriminator: "type")
  }

  struct Photo: Entity {
    typealias Superentity = Media
    let width = Attribute<Int>()
    static let options = EntityOptions<Self>(discriminatorValue: "photo")
  }

  struct Video: Entity {
    typealias Superentity = Media
    let duration = Attribute<Double>()
    static let options = EntityOptions<Self>(discriminatorValue: "video")
  }

  struct Place: Entity {
    let name = Attribute<String>(transformer: .trim)
    let position = Attribute<Position?>()
    let fee = Attribute<Int?>(transformer: percent)

    struct Position: Codable, Sendable { var lat, lon: Double }
  }

  struct Money: AttributeConvertible, Hashable {
    var cents: Int

    static var attributeCodec: AttributeCodec<Money> {
      AttributeCodec(storedAs: Decimal.self, placeholder: Money(cents: 0)) { amount in
        Int("\(amount * 100)").map { Money(cents: $0) }
      } encode: { money in
        Decimal(money.cents) / 100
      }
    }
  }

  struct Ticket: Entity {
    let price = Attribute<Money>()
    static let options = EntityOptions<Self>(missingIdentity: .insert)
  }

  struct Account: Entity {
    let userID = Attribute<Int>()  // user_id
    let screenName = Attribute<String>()  // screen_name
    let profileImageURL = Attribute<URL?>()  // profile_image_url
    let bio = Attribute<String?>("description")
    static let identity = [\Self.userID]
    static let options = EntityOptions<Self>(keys: .snakeCase)
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public struct Genre: Entity {
    public let name = Attribute<String>()
    public static let identity = [\Self.name]

    public init() {}
  }

  static func named() throws -> GraphStore {
    let place = EntityDescription(
      name: "Place",
      attributes: [
        AttributeDescription(
          name: "name", type: .string, userInfo: ["JSONTransformerName": "trim"]),
        AttributeDescription(name: "extra", type: .transformable),
        AttributeDescription(
          name: "fee", type: .integer32, userInfo: ["JSONTransformerName": "percent"]),
      ])
    let extensions = ModelExtensions(transformers: ["percent": percent])
    let store = GraphStore(
      model: try GraphModel(entities: [place], dialect: .graft, extensions: extensions))
    return store
  }

  static func events(_ document: Data) throws -> GraphStore {
    let store = try GraphStore(for: Event.self)
    try store.importJSON(Event.self, at: "events.*", from: document)
    return store
  }

  static var percent: AttributeTransformer {
    let percent = AttributeTransformer(
      forward: { value in
        guard case .string(let text)? = value, text.hasSuffix("%") else { return value }
        return Int64(text.dropLast()).map { .integer($0) }
      },
      reverse: { value in
        guard case .integer(let number)? = value else { return value }
        return .string("\(number)%")
      })
    return percent
  }
}
