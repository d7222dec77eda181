/// Gathers typed entities, and what they lead to, into the description of a model.
struct TypedModelReader {
  /// In the order in which they were found.
  private(set) var types: [any AnyEntityType] = []
  private var known: Set<ObjectIdentifier> = []

  init(_ types: [any Entity.Type]) {
    var next = types.map { $0.type }
    while let type = next.first {
      next.removeFirst()
      guard known.insert(type.key).inserted else { continue }
      self.types.append(type)
      if let superentity = type.superentity { next.append(superentity) }
      for property in type.ownProperties {
        if case .relationship(let relationship) = property.declaration {
          next.append(relationship.destination.type)
        }
      }
      next += type.subentities
    }
  }

  /// The entities as a document that a model is compiled from.
  func document() -> ModelDocument {
    var document = ModelDocument()
    for type in types {
      func report(_ property: String?, _ message: String) {
        document.faults.append(
          ModelIssue(entity: type.name, property: property, message: message, location: nil))
      }
      document.entities.append(type.description(report))
      for fault in type.faults { report(nil, fault) }
    }
    return document
  }

  /// The types by the numbers of their entities.
  var numbers: [ObjectIdentifier: Int] {
    Dictionary(uniqueKeysWithValues: types.enumerated().map { ($1.key, $0) })
  }
}

extension GraphModel {
  /// Creates a model from typed entities; those that their relationships lead to, those above them
  /// and those that they list as being below them are found by themselves.
  ///
  /// - Parameters:
  ///   - types: The entities.
  ///   - extensions: The code that annotations mention by name, beside what the entities bring
  ///     along.
  /// - Throws: ``ModelError`` with all errors found, each with the entity's and property's name.
  public init(
    for types: any Entity.Type..., extensions: ModelExtensions = ModelExtensions()
  ) throws(ModelError) {
    try self.init(types: types, extensions: extensions)
  }

  init(types: [any Entity.Type], extensions: ModelExtensions) throws(ModelError) {
    let reader = TypedModelReader(types)
    try self.init(
      reader.document(), dialect: .graft, extensions: extensions,
      types: reader.numbers)
  }
}
