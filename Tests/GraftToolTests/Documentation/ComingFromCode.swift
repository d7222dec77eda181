import Foundation
import Graft
import GraftExport

@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The pages for those who come from importers whose mapping stands in a model file.

enum ComingFromCoreDataDandy: CodeOfPage {
  struct Hat: Entity {
    let id = Attribute<String>("hat_id")
    let style = Attribute<String?>("details.style")
    let internalNote = Attribute<String?>(.nowhere)
    static let identity = [\Self.id]
    static let options = EntityOptions<Self>(missingIdentity: .skip)
  }

  static func importing(_ data: Data, into store: GraphStore) throws {
    var options = ImportOptions()
    options.hooks["Hat"] = ImportHooks(didImport: { hat in print(hat.path, hat.outcome) })
    try store.importJSON(entity: "Hat", at: "hats", from: data, options: options)
  }
}

enum ComingFromGroot: CodeOfPage {
  struct Hero: Entity {
    let identifier = Attribute<Int>("id")
    let name = Attribute<String?>()
    let powers = ToManyOrdered<Power>(inverse: \.heroes)
    static let identity = [\Self.identifier]
  }

  struct Power: Entity {
    let identifier = Attribute<Int>("id")
    let name = Attribute<String?>()
    let heroes = ToMany<Hero>(.nowhere)
    static let identity = [\Self.identifier]
  }

  static func importing(_ data: Data, byModelAt url: URL) throws -> [GraphObject] {
    let extensions = ModelExtensions(transformers: ["IdentifierTransformer": .stringInteger])
    let model = try GraphModel(contentsOf: url, extensions: extensions)
    let store = GraphStore(model: model)
    var options = ImportOptions()
    options.listsRootObjects = true
    let report = try store.importJSON(entity: "Hero", from: data, options: options)
    let heroes = report.roots[0].ids.compactMap(store.graph.object)
    return heroes
  }

  static var code: ModelExtensions {
    let extensions = ModelExtensions(
      entityMappers: ["VehicleMapper": EntityMapper { $0["wheels"] == 2 ? "Bicycle" : nil }],
      dictionaryTransformers: [
        "LegacyIdentifiers": DictionaryTransformer { object in
          object["legacy_id"].map { object.merging(["id": $0]) { $1 } }
        }
      ])
    return extensions
  }

  static func typed(_ data: Data) throws -> Data {
    let store = try GraphStore(for: Hero.self)
    try store.importJSON(Hero.self, from: data)
    let json = try JSONExporter(model: store.model).data(.entity("Hero", of: store.graph))
    return json
  }
}

enum ComingFromMagicalRecord: CodeOfPage {
  struct Person: Entity {
    let personID = Attribute<Int>(["id", "person_id"])
    let name = Attribute<String?>("full_name")
    let born = Attribute<Date?>("birth_date", format: "yyyy-MM-dd")
    let score = Attribute<Int>(default: 0, onAbsent: .default)
    let friends = ToMany<Person>(collection: .union)
    static let identity = [\Self.personID]
    static let options = EntityOptions<Self>(missingIdentity: .insert)
  }

  static func importing(_ data: Data, byModelAt url: URL) throws -> Graph {
    let store = GraphStore(model: try GraphModel(contentsOf: url))
    var options = ImportOptions()
    options.hooks["Person"] = ImportHooks(shouldImport: { person in
      person.values["hidden"] != .boolean(true)
    })
    try store.importJSON(entity: "Person", from: data, options: options)
    return store.graph
  }
}

enum ComingFromSync: CodeOfPage {
  struct User: Entity {
    let id = Attribute<Int>()
    let firstName = Attribute<String?>("first_name")
    let password = Attribute<String?>(export: .omit)
    let company = ToOne<Company>(["company", "company_id"], reference: .ignore)
    let notes = ToMany<Note>(inverse: \.user, deleteRule: .cascade, removed: .delete)
    static let identity = [\Self.id]
    static let options = EntityOptions<Self>(missingIdentity: .skip)
  }

  struct Company: Entity {
    let id = Attribute<Int>()
    static let identity = [\Self.id]
  }

  struct Note: Entity {
    let id = Attribute<Int>()
    let user = ToOne<User>()
    static let identity = [\Self.id]
  }

  static func importing(_ url: URL, into store: GraphStore) async throws {
    var options = ImportOptions()
    options.mode = .upsert  // .insert alone: .insertOnly, .update alone: .updateOnly
    options.deletesMissing = true  // .delete
    try await store.importJSON(entity: "User", at: "data.users", from: url, options: options)
  }
}

enum ComingFromZDSStreamJSONParser: CodeOfPage {
  struct Tweet: Entity {
    let identifier = Attribute<Int64>("id_str")
    let createdAt = Attribute<Date>("created_at", format: "EEE MMM dd HH:mm:ss Z yyyy")
    let author = ToOne<User>("user")
    static let identity = [\Self.identifier]
  }

  struct User: Entity {
    let identifier = Attribute<Int64>("id_str")
    let screenName = Attribute<String>("screen_name")
    static let identity = [\Self.identifier]
  }

  static func receiver(
    into store: GraphStore
  ) throws -> (JSONImporter, (URLSession, URLSessionDataTask, Data) -> Void) {
    let importer = try store.makeImporter(entity: "Tweet", at: "statuses")

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      do { try importer.parse(data) } catch { dataTask.cancel() }
    }
    return (importer, urlSession)
  }
}
