public import Graft

/// Selects the objects of a database that are read.
///
/// A condition compares attributes by the words of a ``Graft/Selection``, follows relationships, or
/// is written in SQL. It belongs to an entity, `DatabaseCondition<Tweet>`, so that the compiler
/// refuses properties of another one. For entities that are known by their names it is a
/// `DatabaseCondition<GraphObject>`.
///
/// ```swift
/// let popular: DatabaseCondition<Tweet> = "retweets > \(100) AND lang = \(language)"
/// let recent = DatabaseCondition.attribute(\Tweet.postedAt, in: monday...)
/// let tweets = try database.objects(
///   Tweet.self,
///   where: popular && recent && .relationship(\.author, where: .attribute(\.name, equals: "Ada")))
/// ```
///
/// A value in SQL becomes a bound parameter and never SQL itself, whatever it contains. An attribute in SQL becomes
/// the quoted name of its column. Conditions are combined by `&&`, `||` and `!`.
public struct DatabaseCondition<Subject>: Sendable {
  let form: ConditionForm

  init(_ form: ConditionForm) {
    self.form = form
  }

  /// Creates a condition of SQL that is known only when the program runs.
  ///
  /// The text can read everything in the database, so take it only from people who may do so. Values belong into the
  /// literal of a condition, where they are interpolated.
  ///
  /// - Parameter text: The SQL after `WHERE`, with the names of columns as the tables have them.
  public init(sql text: String) {
    form = .sql(SQLText(text))
  }

  /// Finds the objects that meet both conditions.
  ///
  /// - Parameters:
  ///   - first: A condition.
  ///   - second: Another.
  /// - Returns: The condition.
  public static func && (first: Self, second: Self) -> Self {
    Self(first.form.joined(to: second.form, isAll: true))
  }

  /// Finds the objects that meet one of two conditions, or both.
  ///
  /// - Parameters:
  ///   - first: A condition.
  ///   - second: Another.
  /// - Returns: The condition.
  public static func || (first: Self, second: Self) -> Self {
    Self(first.form.joined(to: second.form, isAll: false))
  }

  /// Finds the objects that do not meet a condition, including objects without a value.
  ///
  /// - Parameter condition: The condition.
  /// - Returns: The condition.
  public static prefix func ! (condition: Self) -> Self {
    Self(.not(condition.form))
  }

  private static func within<Range: RangeExpression>(
    _ attribute: String, _ range: Range, _ encode: (Range.Bound) throws -> AttributeValue?
  ) -> Self {
    guard let ends = RangeEnds(range) else {
      return wrong("\(attribute): the range is none of the standard library's; use one of those")
    }
    return attempt(attribute) {
      .within(
        attribute, lower: try ends.lower.flatMap(encode), upper: try ends.upper.flatMap(encode),
        includesUpper: ends.includesUpper)
    }
  }

  private static func wrong(_ message: String) -> Self {
    Self(.wrong(StoreError(.invalidCondition, message)))
  }

  private static func attempt(_ attribute: String, _ form: () throws -> ConditionForm) -> Self {
    do {
      return Self(try form())
    } catch {
      return wrong("\(attribute): the value cannot be kept: \(error)")
    }
  }
}

// Entities that are known by their names.
extension DatabaseCondition where Subject == GraphObject {
  /// Finds the objects whose attribute equals a value.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - value: The value; nil finds the objects that have none.
  /// - Returns: The condition.
  public static func attribute(_ attribute: String, equals value: AttributeValue?) -> Self {
    Self(.equal(attribute, value))
  }

  /// Finds the objects whose attribute is in a range; an object without a value is in none.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - range: A range of the standard library, such as `5...` or `"a"..<"b"`, in values of the attribute's type.
  /// - Returns: The condition.
  public static func attribute<Range: RangeExpression>(
    _ attribute: String, in range: Range
  ) -> Self where Range.Bound: AttributeConvertible {
    within(attribute, range, Range.Bound.attributeCodec.encode)
  }

  /// Finds the objects that a relationship leads on from: to an object that meets a condition, or to any.
  ///
  /// - Parameters:
  ///   - relationship: The relationship's name. Of a to-many relationship, one of its objects must meet the condition.
  ///   - condition: A condition of the object that the relationship leads to; nil for any object.
  /// - Returns: The condition.
  public static func relationship(_ relationship: String, where condition: Self? = nil) -> Self {
    Self(.related(relationship, condition?.form))
  }
}

// Typed entities.
extension DatabaseCondition where Subject: Entity {
  /// Finds the objects whose attribute equals a value.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - value: The value; nil finds the objects that have none.
  /// - Returns: The condition.
  public static func attribute<Value: Equatable>(
    _ attribute: KeyPath<Subject, Attribute<Value>>, equals value: Value
  ) -> Self {
    let name = EntityType<Subject>.nameInQuery(attribute)
    let attribute = EntityType<Subject>.shared.prototype[keyPath: attribute]
    return attempt(name) { .equal(name, try attribute.encode(value)) }
  }

  /// Finds the objects whose attribute is in a range.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - range: A range of the standard library, such as `5...` or `"a"..<"b"`.
  /// - Returns: The condition.
  public static func attribute<Value: Comparable, Range: RangeExpression<Value>>(
    _ attribute: KeyPath<Subject, Attribute<Value>>, in range: Range
  ) -> Self {
    within(
      EntityType<Subject>.nameInQuery(attribute), range,
      EntityType<Subject>.shared.prototype[keyPath: attribute].encode)
  }

  /// Finds the objects whose attribute, which may lack a value, is in a range; an object without a value is in none.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - range: A range of the standard library, such as `5...` or `"a"..<"b"`.
  /// - Returns: The condition.
  public static func attribute<Value: Comparable, Range: RangeExpression<Value>>(
    _ attribute: KeyPath<Subject, Attribute<Value?>>, in range: Range
  ) -> Self {
    let values = EntityType<Subject>.shared.prototype[keyPath: attribute]
    return within(EntityType<Subject>.nameInQuery(attribute), range) { try values.encode($0) }
  }

  /// Finds the objects that a relationship leads on from: to an object that meets a condition, or to any.
  ///
  /// ```swift
  /// let open = try database.objects(
  ///   Issue.self, where: .relationship(\.labels, where: .attribute(\.name, equals: "bug")))
  /// ```
  ///
  /// - Parameters:
  ///   - relationship: The relationship's key path. Of a to-many relationship, one of its objects must meet the
  ///     condition.
  ///   - condition: A condition of the object that the relationship leads to; nil for any object.
  /// - Returns: The condition.
  public static func relationship<Link: Relationship>(
    _ relationship: KeyPath<Subject, Link>,
    where condition: DatabaseCondition<Link.Destination>? = nil
  ) -> Self {
    Self(.related(EntityType<Subject>.nameInQuery(relationship), condition?.form))
  }
}

extension DatabaseCondition: ExpressibleByStringInterpolation {
  /// Creates a condition of SQL.
  ///
  /// - Parameter value: The SQL after `WHERE`, with the names of columns as the tables have them.
  public init(stringLiteral value: String) {
    self.init(sql: value)
  }

  /// Creates a condition of SQL with values in it.
  ///
  /// - Parameter interpolation: The SQL and the values.
  public init(stringInterpolation interpolation: StringInterpolation) {
    form = .sql(interpolation.text)
  }

  /// The SQL of a condition, with values that become bound parameters.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = SQLText()

    /// Creates an empty text.
    ///
    /// - Parameters:
    ///   - literalCapacity: The size of the SQL.
    ///   - interpolationCount: The number of values.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds SQL.
    ///
    /// - Parameter literal: The SQL.
    public mutating func appendLiteral(_ literal: String) { text.append(literal) }

    /// Adds a value as a bound parameter.
    ///
    /// - Parameter value: The value; nil is null, which in SQL nothing is equal to.
    public mutating func appendInterpolation(_ value: some AttributeConvertible) {
      text.append(value: value)
    }

    /// Adds the values of a list, as in `id IN \([1, 2, 3])`; nothing is in a list without values.
    ///
    /// - Parameter values: The values.
    public mutating func appendInterpolation(_ values: [some AttributeConvertible]) {
      text.append(values: values)
    }

    /// Adds the column of an attribute.
    ///
    /// - Parameter name: The attribute's name.
    public mutating func appendInterpolation(attribute name: String) {
      text.append(.attribute(name, entity: nil))
    }
  }
}

extension DatabaseCondition.StringInterpolation where Subject: Entity {
  /// Adds the column of an attribute.
  ///
  /// - Parameter attribute: The attribute's key path.
  public mutating func appendInterpolation<Value>(_ attribute: KeyPath<Subject, Attribute<Value>>) {
    text.append(.attribute(EntityType<Subject>.nameInQuery(attribute), entity: nil))
  }
}

/// A condition in any of its forms.
indirect enum ConditionForm: Sendable {
  case sql(SQLText)
  /// An attribute, and its value.
  case equal(String, AttributeValue?)
  case within(String, lower: AttributeValue?, upper: AttributeValue?, includesUpper: Bool)
  /// A relationship, and a condition on the objects at its other end.
  case related(String, ConditionForm?)
  /// Several conditions: an object meets all of them, or any.
  case joined([ConditionForm], isAll: Bool)
  case not(ConditionForm)
  /// A mistake, which is thrown when objects are read.
  case wrong(StoreError)

  /// Returns this condition and another one; a chain of the same operator is one list.
  func joined(to other: ConditionForm, isAll: Bool) -> ConditionForm {
    .joined(terms(isAll: isAll) + other.terms(isAll: isAll), isAll: isAll)
  }

  private func terms(isAll: Bool) -> [ConditionForm] {
    if case .joined(let forms, isAll) = self { forms } else { [self] }
  }
}

extension EntityType {
  /// Returns the name of a property, or the key path itself for a message that says it is none.
  static func nameInQuery(_ property: PartialKeyPath<E>) -> String {
    shared.name(of: property) ?? "\(property)"
  }
}
