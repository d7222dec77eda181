import CommandLineSupport
import Foundation
import Graft
import GraftDatabase
import GraftExport

/// `graft query`: prints objects of a database.
enum QueryCommand {
  /// The form of the output.
  enum Output: String, CaseIterable {
    case json
    case ndjson
    case graph
  }

  private struct Arguments {
    var operands: [String] = []
    var sql: DatabaseSQL?
    var condition: DatabaseCondition<GraphObject>?
    var attributes: [(name: String, isReversed: Bool)] = []
    var limit: Int?
    var relationships: [String] = []
    var output = Output.json
    var isCount = false
    var isOfOrphans = false
    var deletes = false
    /// The options that only a query for objects has.
    var optionsOfObjects: [String] = []
  }

  static func run(_ arguments: [String]) async throws -> ExitStatus {
    guard let arguments = try read(arguments) else {
      try Console.print(Help.query)
      return .success
    }
    if let sql = arguments.sql { return try await printRows(sql, arguments) }
    guard arguments.operands.count == 2 else {
      throw UsageError(
        arguments.operands.count < 2
          ? "which objects? give the path of a database and the name of an entity"
          : "unexpected \"\(arguments.operands[2])\"; one database and one entity are given")
    }
    let (path, entity) = (arguments.operands[0], arguments.operands[1])
    guard !DatabaseFile.isDatabase(entity) || DatabaseFile.isDatabase(path) else {
      throw UsageError("the database comes first: graft query \(entity) \(path)")
    }
    try checkDeletion(arguments)
    guard !arguments.isCount || arguments.attributes.isEmpty && arguments.relationships.isEmpty
    else {
      throw UsageError("--count prints no objects; leave out --order-by and --follow")
    }
    let database = try DatabaseFile.open(path)
    try database.model.check(entity)
    if arguments.deletes {
      let count = try database.deleteOrphans(of: entity, where: arguments.condition)
      try Console.print("\(Amount.count(count, "object")) of \(entity) deleted")
      return .success
    }
    let orphans = arguments.isOfOrphans ? try database.orphans(of: entity) : nil
    let condition =
      orphans.map { orphans in arguments.condition.map { orphans && $0 } ?? orphans }
      ?? arguments.condition
    let limit = arguments.limit
    if arguments.isCount {
      let count = try await Interruption.ending {
        try await database.count(of: entity, where: condition)
      }
      try Console.print("\(limit.map { min($0, count) } ?? count)")
      return .success
    }
    let order = DatabaseOrder(
      arguments.attributes.map { $0.isReversed ? .reverse($0.name) : .forward($0.name) })
    let relationships = arguments.relationships
    let parts = parts(of: entity, following: relationships, in: database.model)
    let objects = try await Interruption.ending {
      try await database.objects(
        entity, where: condition, orderedBy: order, limit: limit, following: relationships + parts)
    }
    do {
      try print(
        objects, of: database.model, as: arguments.output,
        nesting: styles(of: relationships, from: entity, in: database.model))
    } catch let error as ExportError where error.kind == .notRead {
      guard let path = (error.underlyingError as? StoreError)?.following else { throw error }
      let paths = (relationships + [path]).joined(separator: ",")
      throw UsageError(
        "\(path) cannot be written, because its objects were not read; give --follow \(paths)")
    }
    return .success
  }

  /// Checks that --delete is used with --orphans, and without options for printing objects.
  private static func checkDeletion(_ arguments: Arguments) throws {
    guard arguments.deletes else { return }
    guard arguments.isOfOrphans else {
      throw UsageError(
        "--delete deletes objects that nothing refers to; say so with --orphans, and look at them first"
          + " without --delete")
    }
    guard arguments.attributes.isEmpty, arguments.limit == nil, arguments.relationships.isEmpty
    else {
      throw UsageError(
        "--delete prints no objects; leave out --order-by, --limit and --follow, and say which objects with"
          + " --where")
    }
  }

  /// The number of relationships after which no more are followed unasked: parts may share parts, so that the ways to
  /// them multiply.
  private static let partLimit = 200

  /// Returns the relationships whose objects must be read to print others.
  ///
  /// They lead to objects without identity, which are parts of their owners, or are written as an attribute of the
  /// object (`JSONRelatedBy`).
  ///
  /// A part of a part is one too, unless it is of a kind that the way to it has already. Parts near to the objects come
  /// first.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity of the objects.
  ///   - paths: The names of relationships that are followed; a dot leads from one to the next.
  ///   - model: The model.
  /// - Returns: The paths of the relationships.
  private static func parts(
    of entity: String, following paths: [String], in model: GraphModel
  ) -> [String] {
    let entities = model.schema.entities
    let start = model.schema.entityNumbers[entity].map { entities[$0].family } ?? []
    var owners: [(path: [String], family: [Int], passed: Set<Int>)] = [([], start, [])]
    for path in paths {
      var (names, family) = ([String](), start)
      for name in path.split(separator: ".").map(String.init) {
        names.append(name)
        family = self.family(below: family, name, in: entities)
        owners.append((names, family, []))
      }
    }
    var result: Set<String> = []
    var next = 0
    while next < owners.count, result.count < partLimit {
      let (path, family, passed) = owners[next]
      next += 1
      var destinations: [String: Set<Int>] = [:]
      for owner in family {
        for relationship in entities[owner].relationships
        where !relationship.paths.isEmpty
          && relationship.policies.export != .omit
        {
          if relationship.relatedBy != nil {
            result.insert((path + [relationship.name]).joined(separator: "."))
          }
          guard entities[relationship.destination].identity.isEmpty,
            !passed.contains(relationship.destination)
          else { continue }
          destinations[relationship.name, default: []].insert(relationship.destination)
        }
      }
      for (name, destinations) in destinations {
        result.insert((path + [name]).joined(separator: "."))
        let family = Set(destinations.flatMap { entities[$0].family }).sorted()
        owners.append((path + [name], family, passed.union(destinations)))
      }
    }
    return result.sorted()
  }

  /// Returns the entities to which the relationships of this name lead from others.
  private static func family(
    below owners: [Int], _ relationship: String, in entities: [EntitySchema]
  ) -> [Int] {
    let destinations = owners.flatMap { owner in
      entities[owner].relationships.filter { $0.name == relationship }
        .flatMap { entities[$0.destination].family }
    }
    return Set(destinations).sorted()
  }

  /// Returns styles that nest the objects of relationships that are followed, and write the identities of others,
  /// despite the model's own styles.
  ///
  /// An object without identity is nested wherever it is.
  ///
  /// - Parameters:
  ///   - paths: The names of relationships; a dot leads from one to the next.
  ///   - entity: The name of the entity at which they begin.
  ///   - model: The model, which has all of them.
  /// - Returns: The styles, by the names of entities and relationships.
  private static func styles(
    of paths: [String], from entity: String, in model: GraphModel
  ) -> [String: [String: ExportStyle]] {
    let entities = model.schema.entities
    var styles: [String: [String: ExportStyle]] = [:]
    for entity in entities {
      for relationship in entity.relationships
      where relationship.policies.export != .omit
        && !entities[relationship.destination].identity.isEmpty
      {
        styles[entity.name, default: [:]][relationship.name] = .identifier
      }
    }
    for path in paths {
      var family = model.schema.entityNumbers[entity].map { entities[$0].family } ?? []
      for name in path.split(separator: ".").map(String.init) {
        for owner in family where entities[owner].relationships.contains(where: { $0.name == name })
        {
          styles[entities[owner].name, default: [:]][name] = .nested
        }
        family = self.family(below: family, name, in: entities)
      }
    }
    return styles
  }

  /// Reads the arguments; nil if they ask for help.
  private static func read(_ arguments: [String]) throws -> Arguments? {
    var reader = ArgumentReader(
      arguments, command: "graft query",
      options: [
        "--where", "--orphans", "--delete", "--order-by", "--reverse", "--limit", "--follow",
        "--count", "--sql", "--output", "--help", "-h",
      ])
    var result = Arguments()
    var isFirstReversed = false
    while let argument = try reader.next() {
      if case .option(let name) = argument, name != "--sql", name != "--output" {
        result.optionsOfObjects.append(name)
      }
      switch argument {
      case .option("--where"):
        let condition = DatabaseCondition<GraphObject>(sql: try reader.value(of: "--where", "SQL"))
        result.condition = result.condition.map { $0 && condition } ?? condition
      case .option("--order-by"):
        for name in try reader.value(of: "--order-by", "NAME[,NAME]").split(separator: ",") {
          result.attributes.append((String(name), false))
        }
      case .option("--reverse"):
        if result.attributes.isEmpty { isFirstReversed = true }
        if let last = result.attributes.indices.last { result.attributes[last].isReversed = true }
      case .option("--limit"): result.limit = try reader.number(of: "--limit")
      case .option("--follow"):
        result.relationships += try reader.value(of: "--follow", "REL[,REL]").split(separator: ",")
          .map(String.init)
      case .option("--orphans"): result.isOfOrphans = true
      case .option("--delete"): result.deletes = true
      case .option("--count"): result.isCount = true
      case .option("--sql"): result.sql = DatabaseSQL(sql: try reader.value(of: "--sql", "SQL"))
      case .option("--output"): result.output = try reader.choice(of: "--output")
      case .option: return nil
      case .operand(let operand): result.operands.append(operand)
      }
    }
    if isFirstReversed {
      guard !result.attributes.isEmpty else {
        throw UsageError("--reverse needs an order; give --order-by NAME")
      }
      result.attributes[0].isReversed = true
    }
    return result
  }

  private static func printRows(
    _ sql: DatabaseSQL, _ arguments: Arguments
  ) async throws -> ExitStatus {
    guard arguments.operands.count == 1 else {
      throw UsageError(
        "--sql needs the path of a database and no entity; the query names its tables")
    }
    if let option = arguments.optionsOfObjects.first {
      throw UsageError("\(option) does not go with --sql; say it in the query")
    }
    if arguments.output == .graph {
      throw UsageError("rows are no graph; --output is json or ndjson with --sql")
    }
    let database = try DatabaseFile.open(arguments.operands[0])
    let rows = try await Interruption.ending { try await database.rows(sql) }
    if arguments.output == .ndjson {
      for row in rows { try Console.write(Data((row.json + "\n").utf8)) }
    } else {
      try Console.write(Data("[\(rows.map(\.json).joined(separator: ","))]\n".utf8))
    }
    return .success
  }

  private static func print(
    _ objects: [GraphObject], of model: GraphModel, as output: Output,
    nesting styles: [String: [String: ExportStyle]]
  ) throws {
    let graph = objects.first?.graph ?? GraphStore(model: model).graph
    if output == .graph {
      return ExportCommand.tell(try graph.writeCanonicalJSON { try Console.write(Data($0)) })
    }
    var options = ExportOptions()
    options.isNDJSON = output == .ndjson
    options.styles = styles
    // Each object of the result is printed in full, also where another one has led to it.
    options.repeats = .nested
    try ExportCommand.print(.objects(objects), model, options)
  }
}
