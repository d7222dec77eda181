import Graft

@testable import GraftTestSupport

enum ShapesOfJSON: CodeOfPage {
  struct Language: Entity {
    let code = Attribute<String>("@key")
    let name = Attribute<String?>("@value")
    static let identity = [\Self.code]
  }

  struct Book: Entity {
    let id = Attribute<Int>()
    let language = ToOne<Language>()
    let translations = ToMany<Language>()
    static let identity = [\Self.id]
  }

  struct Follower: Entity {
    let id = Attribute<Int>("@key")
    let follows = ToMany<Follower>("[*]")
    static let identity = [\Self.id]
  }

  struct Browser: Entity {
    let name = Attribute<String>("@key")
    let releases = ToMany<Release>("*")
    static let identity = [\Self.name]
  }

  struct Release: Entity {
    let browser = Attribute<String>("@parent.@key")
    let version = Attribute<String>("@key")
    let support = Attribute<String>(["support", "@value"])
    static let identity = [\Self.browser, \Self.version]
  }

  struct Reading: Entity {
    let id = Attribute<Int>("[0]")
    let station = Attribute<String>("[1]")
    let celsius = Attribute<Double?>("[2].celsius")
    static let identity = [\Self.id]
  }

  struct Volume: Entity {
    let isbn = Attribute<String>()
    let authors = ToMany<Author>("author", wrapsSingleObjects: true)
    static let identity = [\Self.isbn]
  }

  struct Author: Entity {
    let name = Attribute<String>()
    static let identity = [\Self.name]
  }

  struct Work: Entity {
    let title = Attribute<String>(["title['@value']", "title"])
    let label = ToOne<Label>()
  }

  struct Label: Entity {
    let text = Attribute<String>(["['@value']", "@value"])
    let language = Attribute<String?>("['@language']")
  }

  struct Stock: Entity {
    let sku = Attribute<String>("@key")
    let count = Attribute<Int>("@value")
    let product = ToOne<Product>("@key")
    static let identity = [\Self.sku]
  }

  struct Product: Entity {
    let sku = Attribute<String>()
    let name = Attribute<String?>()
    static let identity = [\Self.sku]
  }

  struct Order: Entity {
    let number = Attribute<Int>()
    let items = ToManyOrdered<Item>()
    static let identity = [\Self.number]
  }

  struct Item: Entity {
    let order = Attribute<Int>("@parent.number")
    let position = Attribute<Int>("@index")
    let currency = Attribute<String>("@parent.currency")
    let sku = Attribute<String>()
    static let identity = [\Self.order, \Self.position]
  }

  struct Record: Entity {
    let source = Attribute<String>("@file")
    let line = Attribute<Int>("@line")
    let kind = Attribute<String>(["kind", "'other'"])
    let text = Attribute<String>()
    static let identity = [\Self.source, \Self.line]
  }

  struct Message: Entity {
    let id = Attribute<Int>()
    let from = ToOne<Member>(relatedBy: \.login)
    let to = ToMany<Member>(relatedBy: \.login)
    static let identity = [\Self.id]
  }

  struct Member: Entity {
    let id = Attribute<Int>()
    let login = Attribute<String>()
    static let identity = [\Self.id]
  }

  struct Post: Entity {
    let id = Attribute<Int>()
    let mood = Attribute<Mood>(unknown: .other)
    static let identity = [\Self.id]
    static let options = EntityOptions<Self>(
      subentities: [Photo.self], discriminator: "type", unknown: Post.self)

    enum Mood: String, Codable, CaseIterable, Sendable { case calm, wild, other }
  }

  struct Photo: Entity {
    typealias Superentity = Post
    let width = Attribute<Int>()
    static let options = EntityOptions<Self>(discriminatorValue: "photo")
  }
}
