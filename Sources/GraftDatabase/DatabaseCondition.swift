public import Graft

/// What objects of a database must be like to be read.
///
/// A condition compares attributes, by the same words as a ``Selection``, or is written in SQL. What is
/// interpolated into SQL becomes a bound parameter and never SQL itself, whatever it holds; an attribute becomes
/// the quoted name of its column:
///
/// ```swift
/// let language = "en'; DROP TABLE \"Tweet\"; --"
/// let popular: DatabaseCondition = "retweets > \(100) AND lang = \(language)"
/// let recent = DatabaseCondition.attribute(\Tweet.postedAt, in: monday...)
/// let tweets = try database.objects(Tweet.self, where: popular && recent, limit: 100)
/// ```
///
/// Conditions are combined by `&&`, `||` and `!`.
public struct DatabaseCondition: Sendable {
  /// An attribute by its name, and the entity whose key path it was.
  struct AttributeName: Sendable {
    var name: String
    var entity: String?
  }

  enum Piece: Sendable {
    case text(String)
    case value(AttributeValue?)
    case attribute(AttributeName)
  }

  indirect enum Form: Sendable {
    case sql([Piece])
    case equal(AttributeName, AttributeValue?)
    case within(AttributeName, lower: AttributeValue?, upper: AttributeValue?, includesUpper: Bool)
    case both(Form, Form)
    case either(Form, Form)
    case not(Form)
    /// What cannot be meant; reading throws it.
    case wrong(StoreError)
  }

  let form: Form

  init(_ form: Form) {
    self.form = form
  }

  /// Creates a condition of SQL that is known only when the program runs.
  ///
  /// It can read whatever the database holds, so the text must come from somebody who may. Values belong into
  /// the literal of a condition, where they are interpolated.
  ///
  /// - Parameter text: What follows `WHERE`, with the names of columns as the tables have them.
  public init(sql text: String) {
    form = .sql([.text(text)])
  }

  /// The objects that meet both conditions.
  ///
  /// - Parameters:
  ///   - first: A condition.
  ///   - second: Another.
  /// - Returns: The condition.
  public static func && (first: DatabaseCondition, second: DatabaseCondition) -> DatabaseCondition {
    DatabaseCondition(.both(first.form, second.form))
  }

  /// The objects that meet one of two conditions, or both.
  ///
  /// - Parameters:
  ///   - first: A condition.
  ///   - second: Another.
  /// - Returns: The condition.
  public static func || (first: DatabaseCondition, second: DatabaseCondition) -> DatabaseCondition {
    DatabaseCondition(.either(first.form, second.form))
  }

  /// The objects that do not meet a condition, those without a value included.
  ///
  /// - Parameter condition: The condition.
  /// - Returns: The condition.
  public static prefix func ! (condition: DatabaseCondition) -> DatabaseCondition {
    DatabaseCondition(.not(condition.form))
  }
}

// Attributes by name.
extension DatabaseCondition {
  /// The objects whose attribute has a value.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - value: The value; nil finds the objects that have none.
  /// - Returns: The condition.
  public static func attribute(
    _ attribute: String, equals value: AttributeValue?
  ) -> DatabaseCondition {
    DatabaseCondition(.equal(AttributeName(name: attribute), value))
  }

  /// The objects whose attribute is in a range; those without a value are in none.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - range: A range of the standard library, such as `5...` or `"a"..<"b"`, in values of the attribute's type.
  /// - Returns: The condition.
  public static func attribute<Range: RangeExpression>(
    _ attribute: String, in range: Range
  ) -> DatabaseCondition where Range.Bound: AttributeConvertible {
    within(AttributeName(name: attribute), range, Range.Bound.attributeCodec.encode)
  }

  private static func within<Range: RangeExpression>(
    _ attribute: AttributeName, _ range: Range,
    _ encode: (Range.Bound) throws -> AttributeValue?
  ) -> DatabaseCondition {
    guard let ends = RangeEnds(range) else {
      return wrong(
        "\(attribute.name): the range is none of the standard library's; use one of those")
    }
    return attempt(attribute) {
      .within(
        attribute, lower: try ends.lower.flatMap(encode), upper: try ends.upper.flatMap(encode),
        includesUpper: ends.includesUpper)
    }
  }

  private static func wrong(_ message: String) -> DatabaseCondition {
    DatabaseCondition(.wrong(StoreError(.invalidCondition, message)))
  }

  private static func attempt(
    _ attribute: AttributeName, _ form: () throws -> Form
  ) -> DatabaseCondition {
    do {
      return DatabaseCondition(try form())
    } catch {
      return wrong("\(attribute.name): the value cannot be kept: \(error)")
    }
  }
}

// Attributes of typed entities.
extension DatabaseCondition {
  /// The objects whose attribute has a value.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - value: The value; nil finds the objects that have none.
  /// - Returns: The condition.
  public static func attribute<E: Entity, Value: Equatable>(
    _ attribute: KeyPath<E, Attribute<Value>>, equals value: Value
  ) -> DatabaseCondition {
    let name = AttributeName(attribute)
    let attribute = EntityType<E>.shared.prototype[keyPath: attribute]
    return attempt(name) { .equal(name, try attribute.encode(value)) }
  }

  /// The objects whose attribute is in a range.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - range: A range of the standard library, such as `5...` or `"a"..<"b"`.
  /// - Returns: The condition.
  public static func attribute<E: Entity, Value: Comparable, Range: RangeExpression<Value>>(
    _ attribute: KeyPath<E, Attribute<Value>>, in range: Range
  ) -> DatabaseCondition {
    within(
      AttributeName(attribute), range, EntityType<E>.shared.prototype[keyPath: attribute].encode)
  }

  /// The objects whose attribute, which may lack a value, is in a range; those without a value are in none.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - range: A range of the standard library, such as `5...` or `"a"..<"b"`.
  /// - Returns: The condition.
  public static func attribute<E: Entity, Value: Comparable, Range: RangeExpression<Value>>(
    _ attribute: KeyPath<E, Attribute<Value?>>, in range: Range
  ) -> DatabaseCondition {
    let values = EntityType<E>.shared.prototype[keyPath: attribute]
    return within(AttributeName(attribute), range) { try values.encode($0) }
  }
}

extension DatabaseCondition.AttributeName {
  init<E: Entity>(_ attribute: PartialKeyPath<E>) {
    name = EntityType<E>.shared.name(of: attribute) ?? "\(attribute)"
    entity = E.entityName
  }
}

extension DatabaseCondition: ExpressibleByStringInterpolation {
  /// Creates a condition of SQL.
  ///
  /// - Parameter value: What follows `WHERE`, with the names of columns as the tables have them.
  public init(stringLiteral value: String) {
    self.init(sql: value)
  }

  /// Creates a condition of SQL with values in it.
  ///
  /// - Parameter interpolation: The SQL and the values.
  public init(stringInterpolation interpolation: StringInterpolation) {
    form = interpolation.error.map(Form.wrong) ?? .sql(interpolation.pieces)
  }

  /// The SQL of a condition, with values that become bound parameters.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []
    fileprivate var error: StoreError?

    /// Creates an empty text.
    ///
    /// - Parameters:
    ///   - literalCapacity: The size of the SQL.
    ///   - interpolationCount: The number of values.
    public init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Adds SQL.
    ///
    /// - Parameter literal: The SQL.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { pieces.append(.text(literal)) }
    }

    /// Adds a value as a bound parameter.
    ///
    /// - Parameter value: The value; nil is null, which in SQL nothing is equal to.
    public mutating func appendInterpolation(_ value: some AttributeConvertible) {
      do {
        pieces.append(.value(try type(of: value).attributeCodec.encode(value)))
      } catch {
        self.error = StoreError(.invalidCondition, "a value cannot be kept: \(error)")
      }
    }

    /// Adds the values of a list, as in `id IN \([1, 2, 3])`.
    ///
    /// - Parameter values: The values.
    public mutating func appendInterpolation(_ values: [some AttributeConvertible]) {
      pieces.append(.text("("))
      for (number, value) in values.enumerated() {
        if number > 0 { pieces.append(.text(", ")) }
        appendInterpolation(value)
      }
      pieces.append(.text(")"))
    }

    /// Adds the column of an attribute.
    ///
    /// - Parameter attribute: The attribute's key path.
    public mutating func appendInterpolation<E: Entity, Value>(
      _ attribute: KeyPath<E, Attribute<Value>>
    ) {
      pieces.append(.attribute(AttributeName(attribute)))
    }

    /// Adds the column of an attribute.
    ///
    /// - Parameter name: The attribute's name.
    public mutating func appendInterpolation(attribute name: String) {
      pieces.append(.attribute(AttributeName(name: name)))
    }
  }
}
