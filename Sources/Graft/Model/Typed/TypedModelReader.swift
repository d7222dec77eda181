/// Finds all entities of a typed model, and describes them.
struct TypedModelReader {
  /// The entities, in the order in which they were found.
  private(set) var types: [any AnyEntityType] = []
  private var known: Set<ObjectIdentifier> = []

  /// The members of ``Object`` and ``MutableObject`` that hide a property of the same name.
  private static let handleMembers: Set = [
    "debugDescription", "entityName", "graph", "hash", "hashValue", "isDeleted", "isFault",
    "isStub", "objectID", "untyped",
  ]

  init(_ types: [any Entity.Type]) {
    var next = types.map { $0.type }
    while let type = next.first {
      next.removeFirst()
      guard known.insert(type.key).inserted else { continue }
      self.types.append(type)
      if let superentity = type.superentity { next.append(superentity) }
      for property in type.ownProperties {
        if let destination = property.declaration.destination { next.append(destination.type) }
      }
      next += type.subentities
    }
  }

  /// Returns the entities as a document that a model is compiled from.
  func document() -> ModelDocument {
    var document = ModelDocument(log: IssueLog(words: .parameters))
    for type in types {
      func report(_ property: String?, _ message: String) {
        document.log.error(message, entity: type.name, property: property)
      }
      document.entities.append(type.description(report))
      for fault in type.faults { report(nil, fault) }
      for property in type.ownProperties where Self.handleMembers.contains(property.name) {
        let name = property.name
        document.log.warning(
          "each handle has a member `\(name)` of its own; read the property as"
            + " object[\\.\(name)], or rename it and give it the path \"\(name)\"",
          entity: type.name, property: name)
      }
    }
    return document
  }

  /// The types by the numbers of their entities.
  var numbers: [ObjectIdentifier: Int] {
    Dictionary(uniqueKeysWithValues: types.enumerated().map { ($1.key, $0) })
  }
}

extension GraphModel {
  /// Creates a model from typed entities.
  ///
  /// The model also has the entities that are reached from these: destinations of relationships,
  /// entities above, and listed sub-entities. They need not be given.
  ///
  /// - Parameters:
  ///   - types: The entities.
  ///   - extensions: The code that annotations mention by name.
  /// - Throws: ``ModelError`` with all errors found, each with the entity's and property's name.
  public init(
    for types: any Entity.Type..., extensions: ModelExtensions = ModelExtensions()
  ) throws(ModelError) {
    try self.init(types: types, extensions: extensions)
  }

  package init(types: [any Entity.Type], extensions: ModelExtensions) throws(ModelError) {
    let reader = TypedModelReader(types)
    try self.init(
      reader.document(), dialect: .graft, extensions: extensions,
      types: reader.numbers)
  }
}

extension EntityType {
  func description(
    _ report: (_ property: String?, _ message: String) -> Void
  ) -> EntityDescription {
    let options = E.options
    let keys = keys
    var entity = EntityDescription(
      name: name, superentity: superentity?.name, isAbstract: options.isAbstract)
    for property in ownProperties {
      property.declaration.describe(
        as: property.name, at: keys.path(ofProperty: property.name), in: &entity
      ) { report(property.name, $0) }
    }
    let identity = identityPaths(report).compactMap { path in
      attributeName(path) {
        report(nil, "the identity names \(path), which is no attribute of \(name)")
      }
    }
    if !identity.isEmpty { entity.identity = identity }
    entity.discriminator = options.discriminator
    entity.discriminatorValue = options.discriminatorValue
    entity.unknownEntity = options.unknown?.entityName
    entity.mapper = options.mapper
    entity.modifiedAttribute = unsafe options.modified.flatMap { path in
      attributeName(path) {
        report(nil, "`modified` names \(path), which is no attribute of \(name)")
      }
    }
    entity.missingIdentity = options.missingIdentity
    addFormerNames(to: &entity, report)
    return entity
  }

  /// Adds the former names of the entity and its properties.
  private func addFormerNames(
    to entity: inout EntityDescription,
    _ report: (_ property: String?, _ message: String) -> Void
  ) {
    let key = ModelAnnotations.renamingIdentifier
    entity.userInfo[key] = E.options.renamingIdentifier
    for (name, former) in E.options.renamingIdentifiers.sortedByKey() {
      if let index = entity.attributes.firstIndex(where: { $0.name == name }) {
        entity.attributes[index].userInfo[key] = former
      } else if let index = entity.relationships.firstIndex(where: { $0.name == name }) {
        entity.relationships[index].userInfo[key] = former
      } else {
        report(nil, "`renamingIdentifiers` names \(name), which is no property of \(self.name)")
      }
    }
  }

  /// Returns the key paths that the entity declares as its identity.
  private func identityPaths(
    _ report: (_ property: String?, _ message: String) -> Void
  ) -> [AnyKeyPath] {
    switch E.identity {
    case is InheritedIdentity: return []
    case let path as AnyKeyPath: return [path]
    case let paths as any Sequence:
      let found = paths.anyElements.map { $0 as? AnyKeyPath }
      if !found.contains(nil) { return found.compactMap(\.self) }
    default: break
    }
    report(
      nil,
      "the identity is a \(type(of: E.identity)), expected key paths of attributes, as in [\\Self.id]"
    )
    return []
  }

  /// Returns the name of the attribute that a key path leads to.
  private func attributeName(_ path: AnyKeyPath, _ fail: () -> Void) -> String? {
    if let path = path as? PartialKeyPath<E>,
      let property = prototype[keyPath: path] as? any PropertyDeclaring,
      property.declaration.destination == nil, let name = name(of: property.declaration)
    {
      return name
    }
    fail()
    return nil
  }
}

extension Sequence {
  fileprivate var anyElements: [Any] { map { $0 } }
}
