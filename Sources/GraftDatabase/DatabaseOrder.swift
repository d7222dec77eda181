import Foundation
public import Graft

/// The order in which objects of a database are read.
///
/// ```swift
/// let newest = try database.objects(Tweet.self, orderedBy: .reverse(\.postedAt), limit: 50)
/// let sorted = try database.objects(Tweet.self, orderedBy: [.forward(\.language), .reverse(\.retweets)])
/// ```
///
/// An object without a value comes last, whether the order is forward or in reverse. Where all values are the same, the
/// key of the row decides, in the direction of the last attribute. So an order is a total one, and a page can continue
/// after any object.
///
/// Numbers and dates are compared by size, decimals by all their digits, strings by their code points, false before
/// true, anything else by its bytes.
public struct DatabaseOrder<Subject>: Sendable, ExpressibleByArrayLiteral {
  let keys: [OrderKey]

  private init(_ attribute: String, _ direction: SortOrder) {
    keys = [OrderKey(attribute: attribute, direction: direction)]
  }

  /// Creates an order by several attributes; each one decides between objects that are equal in
  /// those before it.
  ///
  /// - Parameter elements: The attributes; none for the order of the keys.
  public init(arrayLiteral elements: DatabaseOrder...) {
    self.init(elements)
  }

  /// Creates an order from several orders; each one decides between objects that are equal in those
  /// before it.
  ///
  /// - Parameter orders: The orders; none for the order of the keys.
  public init(_ orders: some Sequence<DatabaseOrder>) {
    keys = orders.flatMap(\.keys)
  }
}

extension DatabaseOrder where Subject == GraphObject {
  /// Orders objects by an attribute, the least value first.
  ///
  /// - Parameter attribute: The attribute's name.
  /// - Returns: The order.
  public static func forward(_ attribute: String) -> Self { Self(attribute, .forward) }

  /// Orders objects by an attribute, the greatest value first.
  ///
  /// - Parameter attribute: The attribute's name.
  /// - Returns: The order.
  public static func reverse(_ attribute: String) -> Self { Self(attribute, .reverse) }
}

extension DatabaseOrder where Subject: Entity {
  /// Orders objects by an attribute, the least value first.
  ///
  /// - Parameter attribute: The attribute's key path.
  /// - Returns: The order.
  public static func forward<Value>(_ attribute: KeyPath<Subject, Attribute<Value>>) -> Self {
    Self(EntityType<Subject>.nameInQuery(attribute), .forward)
  }

  /// Orders objects by an attribute, the greatest value first.
  ///
  /// - Parameter attribute: The attribute's key path.
  /// - Returns: The order.
  public static func reverse<Value>(_ attribute: KeyPath<Subject, Attribute<Value>>) -> Self {
    Self(EntityType<Subject>.nameInQuery(attribute), .reverse)
  }
}

/// An attribute by whose values rows are ordered.
struct OrderKey: Sendable {
  var attribute: String
  var direction: SortOrder
}

/// Writes an order as SQL, and the condition of the rows after an object.
struct OrderWriter {
  private let entity: EntitySchema
  private let table: DatabaseSchema.Table
  /// The numbers of the attributes, and their directions.
  private let keys: [(attribute: Int, isReversed: Bool)]

  /// Finds the attributes of an order.
  ///
  /// - Throws: ``Graft/StoreError`` for an attribute that the entity lacks.
  init(
    _ keys: [OrderKey], of entity: EntitySchema, in schema: DatabaseSchema
  ) throws(StoreError) {
    self.entity = entity
    table = schema.table(of: entity.number)
    self.keys = try keys.map { (key) throws(StoreError) in
      (
        try schema.model.attribute(key.attribute, of: entity.number),
        key.direction == .reverse
      )
    }
  }

  /// Whether rows with equal values in all attributes are ordered by descending key.
  private var isReversed: Bool { keys.last?.isReversed ?? false }

  /// Returns the words after `ORDER BY`.
  func clause(_ writer: ConditionWriter) throws(StoreError) -> String {
    let attributes = try keys.map { key throws(StoreError) in
      try writer.comparable(key.attribute, of: entity) + (key.isReversed ? " DESC" : "")
        + " NULLS LAST"
    }
    let key = table.keyNames.map { SQL.quote($0) + (isReversed ? " DESC" : "") }
    return (attributes + key).joined(separator: ", ")
  }

  /// Returns the condition that a row comes after an object.
  ///
  /// For an order by `a` and `b` it is, with the values of the object as parameters:
  ///
  ///     (a > $1 OR a IS NULL OR (a = $1 AND (b > $2 OR b IS NULL OR (b = $2 AND ("id") > ($3)))))
  func isLater(
    than object: GraphObject, _ writer: inout ConditionWriter,
    _ statements: DatabaseStatements
  ) throws(StoreError) -> String {
    let position = try PagePosition(
      of: object, keys.map(\.attribute), entity, table, statements)
    // Parameters are numbered in the order of their first use.
    let attributes = zip(keys, position.attributes).map { key, value in
      value.map { writer.addOrdered($0, entity.attributes[key.attribute].type) }
    }
    var condition = isLater(than: position.values, &writer)
    for (key, parameter) in zip(keys, attributes).reversed() {
      let column = try writer.comparable(key.attribute, of: entity)
      guard let parameter else {
        condition = "(\(column) IS NULL AND \(condition))"
        continue
      }
      condition =
        "(\(column) \(key.isReversed ? "<" : ">") \(parameter) OR \(column) IS NULL"
        + " OR (\(column) = \(parameter) AND \(condition)))"
    }
    return condition
  }

  /// Returns the condition that a row comes after a key, among rows with equal values in all attributes.
  func isLater(than key: [OwnedValue], _ writer: inout ConditionWriter) -> String {
    let values = zip(key, table.keyColumns).map { writer.add($0, $1.type) }
    return
      "(\(SQL.list(table.keyNames))) \(isReversed ? "<" : ">") (\(values.joined(separator: ", ")))"
  }
}

/// The position of an object in an order: the values by which it is ordered, and its key.
private struct PagePosition {
  let attributes: [OwnedValue?]
  private(set) var values: [OwnedValue] = []

  /// Reads the values and the key of an object.
  ///
  /// - Parameters:
  ///   - object: The object, of any graph of the database.
  ///   - attributes: The numbers of the attributes by which rows are ordered.
  ///   - entity: The entity whose objects are read.
  ///   - table: Its table.
  ///   - statements: The statements of the database, for an object whose identity is not its key.
  /// - Throws: ``Graft/StoreError`` for an object of another entity, and for one without a key that is known.
  init(
    of object: GraphObject, _ attributes: [Int], _ entity: EntitySchema,
    _ table: DatabaseSchema.Table, _ statements: DatabaseStatements
  ) throws(StoreError) {
    let model = statements.schema.model
    let own = try model.entity(object.entityName)
    guard entity.family.contains(own.number) else {
      throw Self.error(
        "a page of \(entity.name) continues after an object of it, not after one of \(own.name)",
        entity)
    }
    guard object.graph.schema === model || object.graph.schema.entities[object.id.entity] == own
    else {
      throw Self.error(
        "the object after which the page begins is of another model of \(own.name); read it from the database",
        entity)
    }
    guard !object.isFault else {
      throw Self.error(
        "the object after which the page begins was not read: only its identity is known", entity)
    }
    func value(_ attribute: Int) -> OwnedValue? {
      let value = object.graph.value(object.id, attribute: attribute)
      return value.isNull ? nil : OwnedValue(value)
    }
    self.attributes = attributes.map(value)
    let identity = own.identity.map(value)
    let known = identity.compactMap(\.self)
    guard !identity.isEmpty, known.count == identity.count else {
      throw Self.error(
        "a page cannot continue after an object of \(own.name) without identity; read with a condition of an"
          + " attribute instead", entity)
    }
    values = known
    guard table.isKeyedByNumber else { return }
    let statement = try statements.selectKeys(
      of: own.number, where: table.identities[own.number])
    OwnedValue.withRawValues(known[...]) {
      DatabaseStatements.bind($0, table.identityColumns[own.number], to: statement)
    }
    guard let key = try statement.readKeys(table.keyColumns, of: table.number).first else {
      throw Self.error(
        "the object after which the page begins is no longer in the database; read from the beginning",
        entity)
    }
    values = key.values
  }

  private static func error(_ message: String, _ entity: EntitySchema) -> StoreError {
    StoreError(.invalidCondition, message, entity: entity.name)
  }
}
