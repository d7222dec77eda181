import Foundation
import Graft
import Synchronization

@testable import GraftTestSupport

enum SettlingPolicies: CodeOfPage {
  struct Article: Entity {
    let id = Attribute<Int>()
    let title = Attribute<String>()
    let subtitle = Attribute<String?>(onNull: .keep)
    let tags = ToMany<Tag>(collection: .union)
    let comments = ToMany<Comment>(removed: .delete)
    static let identity = [\Self.id]
  }

  struct Tag: Entity {
    let name = Attribute<String>()
    static let identity = [\Self.name]
  }

  struct Comment: Entity {
    let id = Attribute<Int>()
    let text = Attribute<String?>()
    static let identity = [\Self.id]
  }

  static func importing(_ document: Data, into store: GraphStore) throws -> ImportReport {
    var options = ImportOptions()
    options.attributes.onAbsent = .clear
    options.relationships.reference = .ignore
    options.errorPolicy = .skipObject
    options.unknownKeys = .report
    let report = try store.importJSON(Article.self, from: document, options: options)
    return report
  }
}

enum ValidatingAndHooks: CodeOfPage {
  struct Product: Entity {
    let sku = Attribute<String>(length: 4...12, pattern: "[A-Z]+[0-9]+")
    let price = Attribute<Decimal>(minimum: 0)
    let name = Attribute<String?>()
    let images = ToMany<Image>(count: 0...20)
    static let identity = [\Self.sku]
  }

  struct Image: Entity {
    let url = Attribute<URL>()
  }

  final class Notes: Sendable {
    let lines = Mutex<[String]>([])

    func note(_ path: String, _ outcome: ImportedObject.Outcome) {
      lines.withLock { $0.append("\(path) \(outcome)") }
    }
  }

  struct NotForSale: Error, CustomStringConvertible { let description = "is not for sale" }

  static func hooked(_ seen: Notes) -> ImportOptions {
    var options = ImportOptions()
    options.hooks(for: Product.self) { hooks in
      hooks.shouldImport = { product in product.name != "Test" }
      hooks.willImport = { product in
        if product.mentions(\.name), product.name == nil { product.name = "Nameless" }
      }
      hooks.validate = { product in
        if product.price == 0 { throw NotForSale() }
      }
      hooks.didImport = { product, imported in seen.note(imported.path, imported.outcome) }
      hooks.validate(\.name) { name in name?.capitalized }
    }
    return options
  }
}
