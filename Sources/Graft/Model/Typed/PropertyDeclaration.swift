/// The declaration of an attribute or a relationship, which the stored property of an entity refers to.
protocol PropertyDeclaration: AnyObject, Sendable {
  /// The entity that a relationship leads to; nil for an attribute.
  var destination: (any Entity.Type)? { get }

  /// Gives the property its number among those of its kind.
  ///
  /// - Returns: Whether it had none yet.
  func assign(_ number: Int) -> Bool

  /// Adds the property to the description of its entity, and reports faults of its declaration.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - paths: The paths in JSON of a property that declares none.
  ///   - entity: The entity's description.
  ///   - report: Receives the faults.
  func describe(
    as name: String, at paths: JSONPaths?, in entity: inout EntityDescription,
    _ report: (String) -> Void)
}

/// A stored property of an entity that declares an attribute or a relationship.
protocol PropertyDeclaring: Sendable {
  var declaration: any PropertyDeclaration { get }
}

extension Attribute: PropertyDeclaring {
  var declaration: any PropertyDeclaration { core }
}

extension ToOne: PropertyDeclaring {
  var declaration: any PropertyDeclaration { core }
}

extension ToMany: PropertyDeclaring {
  var declaration: any PropertyDeclaration { core }
}

extension ToManyOrdered: PropertyDeclaring {
  var declaration: any PropertyDeclaration { core }
}
