import Synchronization

// A prototype is made once for each entity, and its properties are numbered then: inherited ones
// first, in the order of declaration. Every compiled model with the entity uses these numbers. So a
// key path leads to a property's number by way of the prototype, and no name is looked up. Types
// are kept for good; there are as many as are declared.

/// A typed entity's prototype and its numbered properties.
@usableFromInline package final class EntityType<E: Entity>: AnyEntityType {
  @usableFromInline package let prototype: E
  /// The properties that the entity declares itself.
  let ownProperties: [DeclaredProperty]
  /// Stored properties that are no declarations, or that belong to another entity already.
  let faults: [String]
  /// The names of the attributes by their numbers, inherited ones first.
  private let attributeNames: [String]
  /// The number of relationships, inherited ones included.
  private let relationshipCount: Int

  /// The shared instance for this entity.
  @usableFromInline package static var shared: EntityType<E> {
    let key = ObjectIdentifier(E.self)
    // A key is a Swift type, which has only one EntityType; a checked cast would cost 50 ns.
    if let known = EntityTypes.known[key] {
      return unsafe unsafeDowncast(known, to: EntityType<E>.self)
    }
    // Made outside the lock, because it asks for the types above. If two threads make the type at
    // once, the first one's counts.
    return unsafe unsafeDowncast(EntityTypes.keep(EntityType(), for: key), to: EntityType<E>.self)
  }

  private init() {
    prototype = E()
    // The root is its own superentity, where asking for the next one would never end.
    let above = E.self is RootEntity.Type ? nil : EntityType<E.Superentity>.shared
    var attributeNames = above?.attributeNames ?? []
    var relationshipCount = above?.relationshipCount ?? 0
    var properties: [DeclaredProperty] = []
    var faults: [String] = []
    for child in Mirror(reflecting: prototype).children {
      guard let name = child.label?.withoutBackticks, !(child.value is ObjectIDProperty) else {
        continue
      }
      guard let property = child.value as? any PropertyDeclaring else {
        faults.append(
          "\(name): a stored property of an entity is an Attribute, ToOne, ToMany or "
            + "ToManyOrdered, not \(type(of: child.value)); make it static")
        continue
      }
      let declaration = property.declaration
      let isAttribute = declaration.destination == nil
      if !declaration.assign(isAttribute ? attributeNames.count : relationshipCount) {
        faults.append("\(name): the property belongs to another entity; create one for each")
      }
      if isAttribute { attributeNames.append(name) } else { relationshipCount += 1 }
      properties.append((name, declaration))
    }
    ownProperties = properties
    self.attributeNames = attributeNames
    self.relationshipCount = relationshipCount
    self.faults = faults
  }

  /// Returns the attribute that a key path leads to, and its name.
  func attribute<Value>(
    at path: KeyPath<E, Attribute<Value>>
  ) -> (core: AttributeCore<Value>, name: String) {
    let core = prototype[keyPath: path].core
    return (core, attributeNames[core.number])
  }

  /// Returns the name of the property that a key path leads to, own or inherited; nil if there is none.
  package func name(of property: PartialKeyPath<E>) -> String? {
    (prototype[keyPath: property] as? any PropertyDeclaring)
      .flatMap { name(of: $0.declaration) }
  }

  /// Returns the name of a declared property, own or inherited.
  func name(of declaration: any PropertyDeclaration) -> String? {
    ownProperties.first { $0.declaration === declaration }?.name
      ?? superentity?.name(of: declaration)
  }

  var key: ObjectIdentifier { ObjectIdentifier(E.self) }
  var name: String { E.entityName }

  var superentity: (any AnyEntityType)? {
    E.Superentity.self is RootEntity.Type ? nil : EntityType<E.Superentity>.shared
  }

  var subentities: [any AnyEntityType] { E.options.subentities.map { $0.type } }

  var keys: KeyStyle { E.options.keys ?? superentity?.keys ?? .asNamed }
}

extension Entity {
  /// The shared description of the entity.
  static var type: any AnyEntityType { EntityType<Self>.shared }
}

/// The name of a stored property, and what it declares.
typealias DeclaredProperty = (name: String, declaration: any PropertyDeclaration)

/// The description of a typed entity, without its Swift type.
protocol AnyEntityType: AnyObject, Sendable {
  /// The identifier of the Swift type.
  var key: ObjectIdentifier { get }
  var name: String { get }
  var superentity: (any AnyEntityType)? { get }
  /// The sub-entities that the entity's options list.
  var subentities: [any AnyEntityType] { get }
  var ownProperties: [DeclaredProperty] { get }
  /// The spelling of the keys of properties that name no path.
  var keys: KeyStyle { get }
  var faults: [String] { get }
  /// Returns the name of a declared property, own or inherited.
  func name(of declaration: any PropertyDeclaration) -> String?

  /// Returns the entity as a description, with reports of its faults.
  func description(_ report: (_ property: String?, _ message: String) -> Void) -> EntityDescription
}

extension String {
  /// A name of source without the backticks that it has if it is no identifier, such as `to-do`.
  ///
  /// Swift keeps its spaces as no-break spaces.
  var withoutBackticks: String {
    hasPrefix("`") ? String(dropFirst().dropLast()).replacing("\u{A0}", with: " ") : self
  }
}
