// Which property of an entity stands where. Relationships are placed before attributes, because a
// path that leads through a related object (`author.name` beside `author`) only repeats what that
// object says itself; but where both end at one place (`eventId`), it is the attribute that is
// written, which says what a bare identifier says.

/// Where an entity's properties stand in its objects.
struct ExportLayout {
  /// How many objects may be read from one JSON object: paths on which relationships share it may
  /// be more than there is room for.
  private static let sharingLimit = 1024

  private let schema: ModelSchema
  private let styles: ExportStyles
  private(set) var tree = ExportTree()
  /// The objects that share the JSON object of the entity's own.
  private(set) var slots: [ExportSlot] = []
  private(set) var isDiscriminated = false
  /// The attribute that is the name under which an object stands.
  private(set) var keyAttribute: Int?
  /// The attribute that is an object's position.
  private(set) var indexAttribute: Int?
  /// The attribute that is all there is of an element.
  private(set) var scalarAttribute: Int?
  private var placedAttributes: Set<Int> = []
  private var placedCount = 0

  init(_ schema: ModelSchema, _ styles: ExportStyles) {
    self.schema = schema
    self.styles = styles
  }

  /// Lays out an entity's objects.
  ///
  /// A relationship that leads back to an entity on its own way adds nothing, as all that entity's
  /// places are taken; an import refuses it.
  ///
  /// - Throws: ``ExportError`` where too many share one JSON object.
  mutating func lay(_ entity: EntitySchema) throws {
    lay(entity, slot: 0, without: nil)
    var owners = [(entity: entity, ancestors: [entity.number])]
    var index = 0
    while index < owners.count {
      let (owner, ancestors) = owners[index]
      for number in owner.relationships.indices where styles.sharesObject(number, of: owner) {
        let relationship = owner.relationships[number]
        let destination = schema.entities[relationship.destination]
        guard !ancestors.contains(destination.number) else { continue }
        guard owners.count <= Self.sharingLimit else { throw tooManyShare(entity) }
        slots.append(ExportSlot(owner: Int32(index), relationship: Int32(number)))
        owners.append((destination, ancestors + [destination.number]))
        lay(destination, slot: owners.count - 1, without: relationship.inverse)
      }
      index += 1
    }
    layDiscriminator(of: entity)
    findElementNames(entity)
  }

  private func tooManyShare(_ entity: EntitySchema) -> ExportError {
    ExportError(
      .limit, entity: entity.name,
      "\(entity.name): more than \(Self.sharingLimit) objects share one JSON object through"
        + " relationships with the path \"$\"; give some a path of their own, or leave them out")
  }

  private mutating func lay(_ entity: EntitySchema, slot: Int, without inverse: Int?) {
    let attributes = entity.attributes.indices.filter {
      !styles.omits(entity.attributes[$0], of: entity)
    }
    let ends = Set(attributes.compactMap { entity.attributes[$0].paths.first })
    let start = slot * 1_000_000
    for number in entity.relationships.indices where number != inverse {
      for place in styles.places(of: number, in: entity) where !ends.contains(place.path) {
        let leaf = ExportTree.Leaf(
          kind: .relationship(number, isKeyed: place.isKeyed), slot: slot, entity: entity.number)
        let order = start + entity.attributes.count + number
        if put(leaf, at: place.path, order) { break }
      }
    }
    for number in attributes {
      let leaf = ExportTree.Leaf(kind: .attribute(number), slot: slot, entity: entity.number)
      let isPlaced = entity.attributes[number].paths.contains { put(leaf, at: $0, start + number) }
      if isPlaced, slot == 0 { placedAttributes.insert(number) }
    }
  }

  private mutating func put(_ leaf: ExportTree.Leaf, at path: JSONPath, _ order: Int) -> Bool {
    guard tree.place(path, leaf, order: order) else { return false }
    placedCount += 1
    return true
  }

  /// The sub-entity's name, before everything else: who reads it need not wait for it.
  private mutating func layDiscriminator(of entity: EntitySchema) {
    guard let path = entity.discriminator else { return }
    var top = entity
    while let above = top.superentity.map({ schema.entities[$0] }), above.discriminator == path {
      top = above
    }
    guard top.number != entity.number else { return }
    let values = top.discriminated.filter { $0.value == entity.number }.keys.sorted()
    let own = entity.discriminatorValue
    guard let value = values.contains(own) ? own : values.first else { return }
    isDiscriminated = true
    let literal = CanonicalEntity.quoted(value)
    let leaf = ExportTree.Leaf(kind: .constant(literal), slot: 0, entity: entity.number)
    if !put(leaf, at: path, -1) { tree.setFallback(literal, at: path) }
  }

  /// Finds the attributes that are read from how an element stands, and not from what is in it.
  private mutating func findElementNames(_ entity: EntitySchema) {
    func attribute(at step: JSONPath.Step) -> Int? {
      entity.attributes.indices.first { number in
        entity.attributes[number].paths.contains { $0.steps == [step] }
          && !styles.omits(entity.attributes[number], of: entity)
      }
    }
    keyAttribute = attribute(at: .key)
    indexAttribute = attribute(at: .index)
    guard let value = attribute(at: .value) else { return }
    let others = placedCount - (isPlaced(value) ? 1 : 0)
    if others == 0 || !isPlaced(value) { scalarAttribute = value }
  }

  /// Whether an attribute of the entity's own objects has a place in them.
  func isPlaced(_ attribute: Int) -> Bool { placedAttributes.contains(attribute) }

  /// Whether an import needs what stands here to find or make the object.
  func isNeededForReference(_ leaf: ExportTree.Leaf) -> Bool {
    guard leaf.fallback == nil else { return true }
    switch leaf.kind {
    case .constant: return true
    case .relationship: return false
    case .attribute(let number):
      let entity = schema.entities[leaf.entity]
      let attribute = entity.attributes[number]
      return entity.identity.contains(number)
        || !attribute.isOptional && attribute.defaultValue == nil
    }
  }
}
