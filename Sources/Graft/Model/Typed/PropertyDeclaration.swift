/// A declared attribute of any type.
protocol AttributeDeclaration: AnyObject, Sendable {
  /// A fault of the declaration itself.
  var fault: String? { get }

  /// Gives the attribute its number.
  ///
  /// - Returns: Whether it had none yet.
  func assign(_ number: Int) -> Bool
  func description(named name: String) -> AttributeDescription
}

/// A declared relationship to any destination.
protocol RelationshipDeclaration: AnyObject, Sendable {
  var destination: any Entity.Type { get }
  /// The name of the inverse, if one was given; nil for no property of the destination.
  var inverse: (isGiven: Bool, name: String?) { get }
  /// The name of the attribute that bare identifiers hold, if one was given; nil for no attribute of the destination.
  var relatedBy: (isGiven: Bool, name: String?) { get }

  /// Gives the relationship its number.
  ///
  /// - Returns: Whether it had none yet.
  func assign(_ number: Int) -> Bool
  func description(named name: String) -> RelationshipDescription
}

/// A stored property of an entity that declares an attribute or a relationship.
protocol PropertyDeclaring: Sendable {
  var declaration: PropertyDeclaration { get }
}

/// A stored property of an entity.
enum PropertyDeclaration: Sendable {
  case attribute(any AttributeDeclaration)
  case relationship(any RelationshipDeclaration)

  /// The identifier of the declaration's class instance.
  var identity: ObjectIdentifier {
    switch self {
    case .attribute(let attribute): ObjectIdentifier(attribute)
    case .relationship(let relationship): ObjectIdentifier(relationship)
    }
  }
}

extension Attribute: PropertyDeclaring {
  var declaration: PropertyDeclaration { .attribute(core) }
}

extension ToOne: PropertyDeclaring {
  var declaration: PropertyDeclaration { .relationship(core) }
}

extension ToMany: PropertyDeclaring {
  var declaration: PropertyDeclaration { .relationship(core) }
}

extension ToManyOrdered: PropertyDeclaring {
  var declaration: PropertyDeclaration { .relationship(core) }
}
