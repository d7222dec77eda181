// Decides which property of an entity is written at which place. Relationships are placed before
// attributes: an attribute whose path leads through a related object (`author.name` beside
// `author`) only repeats a value of that object. If a relationship and an attribute end at one
// place (`eventId`), the attribute is written, because its value is the bare identifier.

import Graft

/// The places of an entity's properties in the JSON of its objects.
final class ExportLayout {
  /// The most objects that may be read from one JSON object.
  ///
  /// Relationships with the path `$` may lead to more objects than there is memory for.
  private static let sharingLimit = 1024

  private let schema: ModelSchema
  private let styles: ExportStyles
  private(set) var tree = ExportTree(ExportPlace())
  private(set) var sharedObjects: [SharedObject] = []
  private(set) var isDiscriminated = false
  /// The key from which an import learns the sub-entity, as JSON, if no value in the object names
  /// it.
  private(set) var keyName: [UInt8]?
  /// The relationship whose objects are members of the object itself (`*`), each under its key.
  private(set) var spread: Int?
  /// The attribute that an import reads from a scalar.
  private(set) var valueAttribute: Int?
  /// The relationship whose members are the elements of the array that an object is (`[*]`).
  private(set) var ownArray: Int?
  /// Whether an object has other properties than the scalar that it may be.
  private(set) var hasOthersThanScalar = false
  /// The properties that an import reads, and for which an export has no place.
  private(set) var unwritten: [LostProperty] = []
  /// The attribute that is an object's key in a keyed collection (`@key`).
  private(set) var keyAttribute: Int?
  /// The attribute that is an element's position (`@index`).
  private(set) var indexAttribute: Int?
  /// The attribute that an element consists of (`@value`).
  private(set) var scalarAttribute: Int?
  /// The paths at which nested objects read values of the object or its parts.
  private(set) var readInside: Set<JSONPath> = []
  private var placedRelationships: [PlacedRelationship] = []
  /// The attributes of the object itself that are written inside it, and the number of the path of each.
  private var placedPaths: [Int: Int] = [:]
  private var placedCount = 0

  private struct PlacedRelationship {
    var number: Int
    var entity: Int
    var object: Int
    /// The path to one of its objects.
    var path: JSONPath
    var order: Int
  }

  /// Lays out an entity's objects.
  ///
  /// A relationship that leads back to an entity on its own way adds nothing, because all places of
  /// that entity are taken; an import refuses such a relationship.
  ///
  /// - Throws: ``ExportError`` if too many share one JSON object.
  init(
    of entity: EntitySchema, in schema: ModelSchema, _ styles: ExportStyles,
    _ needs: OuterValueReaders
  ) throws {
    self.schema = schema
    self.styles = styles
    let names = subentityNames(of: entity)
    place(names.filter { !entity.reads($0.path) }, of: entity)
    place(entity, object: 0, without: nil)
    var owners = [(entity: entity, ancestors: [entity.number])]
    var index = 0
    while index < owners.count {
      let (owner, ancestors) = owners[index]
      for number in owner.relationships.indices where styles.sharesObject(number, of: owner) {
        let relationship = owner.relationships[number]
        let destination = schema.entities[relationship.destination]
        guard !ancestors.contains(destination.number) else { continue }
        guard owners.count <= Self.sharingLimit else { throw Self.tooManyShare(entity) }
        sharedObjects.append(SharedObject(owner: index, relationship: number))
        owners.append((destination, ancestors + [destination.number]))
        place(destination, object: owners.count - 1, without: relationship.inverse)
      }
      index += 1
    }
    place(names.filter { entity.reads($0.path) }, of: entity)
    findAttributesOfElements(entity)
    findSubstitutes()
    placeHoistedValues(needs)
  }

  private static func tooManyShare(_ entity: EntitySchema) -> ExportError {
    ExportError(
      .limit, entity: entity.name,
      "\(entity.name): more than \(sharingLimit) objects share one JSON object through"
        + " relationships with the path \"$\"; give some a path of their own, or leave them out")
  }

  private func place(_ entity: EntitySchema, object: Int, without inverse: Int?) {
    let attributes = entity.attributes.indices.filter {
      !styles.omits(entity.attributes[$0], of: entity)
    }
    let ends = Set(attributes.compactMap { entity.attributes[$0].paths.first })
    let start = object * 1_000_000
    for number in entity.relationships.indices where number != inverse {
      if styles.sharesObject(number, of: entity) { continue }
      let order = 2 * (start + entity.attributes.count + number)
      let isPlaced = styles.places(of: number, in: entity).contains { place in
        if place.path.steps.isEmpty {
          guard object == 0, spread == nil, ownArray == nil else { return false }
          if place.isKeyed, tree.nodes[0].elements.isEmpty {
            spread = number
          } else if !place.isKeyed, tree.isFree(0) {
            ownArray = number
          } else {
            return false
          }
          placedRelationships.append(
            PlacedRelationship(
              number: number, entity: entity.number, object: object, path: place.pathOfObjects,
              order: order))
          return true
        }
        guard !ends.contains(place.path) else { return false }
        let leaf = ExportLeaf(
          kind: .relationship(
            number, isKeyed: place.isKeyed, isEach: place.isEach, skipped: place.skippedElements),
          object: object, entity: entity.number, pathOfObjects: place.pathOfObjects)
        guard put(leaf, at: place.path, order: order) else { return false }
        placedRelationships.append(
          PlacedRelationship(
            number: number, entity: entity.number, object: object, path: place.pathOfObjects,
            order: order))
        return true
      }
      let paths = entity.relationships[number].paths
      if !isPlaced, styles.isRead(number, of: entity), !paths.contains(where: \.isAround) {
        unwritten.append(
          LostProperty(.relationship(number), of: entity, object: object))
      }
    }
    // Attributes that keep JSON go first: a value read inside such JSON is found there again.
    let keepsJSON = attributes.filter { entity.attributes[$0].type == .transformable }
    for number in keepsJSON + attributes.filter({ !keepsJSON.contains($0) }) {
      let leaf = ExportLeaf(kind: .attribute(number), object: object, entity: entity.number)
      let paths = entity.attributes[number].paths
      let placed = paths.firstIndex {
        !$0.steps.isEmpty && put(leaf, at: $0, order: 2 * (start + number))
      }
      if let placed, object == 0 { placedPaths[number] = placed }
      if placed == nil, !paths.isEmpty, !isFoundOutside(paths, ofObject: object) {
        unwritten.append(LostProperty(.attribute(number), of: entity, object: object))
      } else if let placed, paths[..<placed].contains(where: isTaken) {
        unwritten.append(
          LostProperty(.attribute(number), of: entity, object: object, isWritten: true))
      }
    }
  }

  /// Returns whether an import finds a value that is written nowhere in the object: as a constant, in an enclosing
  /// object, or as the object's own key, position or scalar.
  ///
  /// At `name | 'x'` it finds the `name` of another property first. At `@value | name` it finds that `name` unless the
  /// object is a scalar.
  private func isFoundOutside(_ paths: [JSONPath], ofObject object: Int) -> Bool {
    let isOutside = { (path: JSONPath) in path.isAround || object == 0 && path.isOfElement }
    let isScalar = { (path: JSONPath) in path.steps == [.value] }
    guard paths.contains(where: isOutside) else { return false }
    let before = paths.prefix { isScalar($0) || !isOutside($0) }
    return !before.contains { !isScalar($0) && isTaken($0) }
  }

  /// Returns whether an import finds something else at a path.
  private func isTaken(_ path: JSONPath) -> Bool {
    if path.steps == [.line] || path.steps == [.file] { return true }
    guard let (leaf, rest) = tree.leaf(on: path) else { return tree.node(at: path.steps) != nil }
    // Nothing is found in a scalar.
    guard !rest.steps.isEmpty else { return true }
    guard case .attribute(let number) = leaf.kind else { return leaf.isRelationship }
    return schema.entities[leaf.entity].attributes[number].type == .transformable
  }

  private func put(_ leaf: ExportLeaf, at path: JSONPath, order: Int) -> Bool {
    // An object is an array of one relationship's members, an array of values by position, or no
    // array.
    if ownArray != nil { return false }
    if spread != nil, case .element? = path.steps.first { return false }
    guard tree.place(path, leaf, order: order) else { return false }
    placedCount += 1
    return true
  }

  /// Finds a substitute for each property that has no place, such as the related object on its
  /// path.
  private func findSubstitutes() {
    for index in unwritten.indices {
      let entity = schema.entities[unwritten[index].entity]
      let paths =
        switch unwritten[index].property {
        case .attribute(let number): entity.attributes[number].paths
        case .relationship(let number): styles.places(of: number, in: entity).map(\.path)
        }
      for path in paths {
        guard let (leaf, rest) = tree.leaf(on: path) else { continue }
        if unwritten[index].isWritten, leaf.holds(unwritten[index]) { break }
        unwritten[index].substitute = (leaf, rest)
        break
      }
      if case .relationship(let number) = unwritten[index].property, let keyAttribute,
        entity.relationships[number].paths.contains(where: { $0.steps == [.key] })
      {
        let leaf = ExportLeaf(
          kind: .attribute(keyAttribute), object: unwritten[index].object, entity: entity.number)
        unwritten[index].substitute = (leaf, JSONPath())
      }
    }
  }

  /// Hoists values that nested objects read from the object, if the object has no property of its
  /// own there.
  private func placeHoistedValues(_ needs: OuterValueReaders) {
    for placed in placedRelationships {
      let relationship = schema.entities[placed.entity].relationships[placed.number]
      let destination = schema.entities[relationship.destination]
      let needed = needs.hoists(destination) ? needs.read(by: destination) : []
      for place in needs.lookedAt(by: destination) {
        guard let path = place.path(in: placed.path), readInside.insert(path).inserted,
          needed.contains(place), tree.leaf(on: path) == nil, path.steps.allSatisfy(\.isMember),
          let attribute = destination.attributes.firstIndex(where: { attribute in
            !styles.omits(attribute, of: destination)
              && attribute.paths.contains { $0.isOuter && OuterPlace($0) == place }
          })
        else { continue }
        let leaf = ExportLeaf(
          kind: .hoisted(relationship: placed.number, attribute: attribute), object: placed.object,
          entity: placed.entity)
        // Before the objects, so that an import need not wait for it.
        _ = tree.place(path, leaf, order: placed.order - 1)
      }
    }
  }

  /// The relationships, by their numbers, through whose objects other objects read values.
  var relationshipsReadThrough: Set<Int> {
    Set(
      readInside.compactMap { path in
        guard let (leaf, rest) = tree.leaf(on: path), !rest.steps.isEmpty, leaf.object == 0,
          case .relationship(let number, _, _, _) = leaf.kind
        else { return nil }
        return number
      })
  }

  /// The name of a sub-entity, as JSON, and the path at which an import reads it.
  private typealias SubentityName = (path: JSONPath, literal: [UInt8])

  /// Returns the names of an entity for the discriminators in its objects.
  ///
  /// An import asks the discriminator of the entity that it expects, so there is a name for each one above.
  private func subentityNames(of entity: EntitySchema) -> [SubentityName] {
    var names: [SubentityName] = []
    var top = entity
    while true {
      let above = top.superentity.map { schema.entities[$0] }
      if above?.discriminators != top.discriminators {
        if let name = subentityName(of: entity, askedOf: top) { names.append(name) }
      }
      guard let above else { return names }
      top = above
    }
  }

  private func subentityName(
    of entity: EntitySchema, askedOf top: EntitySchema
  ) -> SubentityName? {
    guard !top.discriminators.isEmpty else { return nil }
    let isByKey = top.discriminators.allSatisfy { $0.steps == [.key] }
    guard top.number != entity.number || isByKey && !entity.isAbstract else { return nil }
    let values = top.discriminated.filter { $0.value == entity.number }.keys.sorted()
    let own = entity.discriminatorValue
    guard let value = values.contains(own) ? own : values.first else { return nil }
    let literal = JSONWriter.quoted(value)
    if top.number != entity.number { isDiscriminated = true }
    guard let path = top.discriminators.first(where: { $0.steps != [.key] }) else {
      keyName = literal
      return nil
    }
    return (path, literal)
  }

  /// Places names of a sub-entity before all other values, so that a reader need not wait for them.
  private func place(_ names: [SubentityName], of entity: EntitySchema) {
    for (path, literal) in names {
      let leaf = ExportLeaf(kind: .constant(literal), object: 0, entity: entity.number)
      if !put(leaf, at: path, order: -1) { tree.setFallback(literal, at: path) }
    }
  }

  /// Finds the attributes that an import reads from the place of an object, and not from its
  /// content.
  private func findAttributesOfElements(_ entity: EntitySchema) {
    func attribute(at step: JSONPath.Step) -> Int? {
      let attributes = entity.attributes.indices.filter { number in
        entity.attributes[number].paths.contains { $0.steps == [step] }
          && !styles.omits(entity.attributes[number], of: entity)
      }
      // An attribute that is written nowhere else comes first. Others like it may read its value differently.
      guard let first = attributes.first(where: { !isPlaced($0) }) else { return attributes.first }
      let leaf = ExportLeaf(kind: .attribute(first), object: 0, entity: entity.number)
      for other in attributes where other != first && !isPlaced(other) {
        var lost = LostProperty(.attribute(other), of: entity, object: 0)
        lost.substitute = (leaf, JSONPath())
        unwritten.append(lost)
      }
      return first
    }
    keyAttribute = attribute(at: .key)
    indexAttribute = attribute(at: .index)
    guard let value = attribute(at: .value) else { return }
    valueAttribute = value
    let others = placedCount - (isPlaced(value) ? 1 : 0)
    if others == 0 || !isPlaced(value) { scalarAttribute = value }
    hasOthersThanScalar = others > 0 || ownArray != nil || spread != nil
  }

  /// Returns the paths that an import tries before the one at which an attribute of the entity's own objects is
  /// written.
  func paths(before attribute: Int, of entity: EntitySchema) -> ArraySlice<JSONPath> {
    entity.attributes[attribute].paths.prefix(placedPaths[attribute] ?? 0)
  }

  /// Returns whether an attribute of the entity's own objects is written inside them.
  func isPlaced(_ attribute: Int) -> Bool { placedPaths[attribute] != nil }

  /// Returns whether an import prefers the object's key or position to the value of an attribute that is written
  /// inside the object.
  ///
  /// At `@key | code`, an object under a key is not asked for its `code`.
  func isReadFirst(_ step: JSONPath.Step, _ attribute: Int, of entity: EntitySchema) -> Bool {
    let outside = entity.attributes[attribute].paths.firstIndex { $0.steps == [step] }
    guard let outside else { return false }
    return placedPaths[attribute].map { outside < $0 } ?? true
  }

  /// Returns whether an import takes a scalar for a whole object, because the scalar's place gives
  /// every identity attribute.
  func isWholeAsScalar(_ entity: EntitySchema, isKeyed: Bool) -> Bool {
    guard valueAttribute != nil else { return false }
    let places: [[JSONPath.Step]] = isKeyed ? [[.value], [.index], [.key]] : [[.value], [.index]]
    return entity.identity.allSatisfy { number in
      entity.attributes[number].paths.contains { $0.leadsOutside || places.contains($0.steps) }
    }
  }

  /// Returns whether an import finds an attribute of the entity's own objects wherever they are written.
  func isFound(_ attribute: Int, of entity: EntitySchema) -> Bool {
    isPlaced(attribute) || entity.attributes[attribute].paths.contains(where: \.isAround)
  }

  /// Returns whether an import needs a property to find or make the object.
  func isNeededForReference(_ leaf: ExportLeaf) -> Bool {
    guard leaf.fallback == nil else { return true }
    switch leaf.kind {
    case .constant: return true
    case .relationship, .hoisted: return false
    case .attribute(let number):
      let entity = schema.entities[leaf.entity]
      let attribute = entity.attributes[number]
      // An absent key must not change the object's value.
      return entity.identity.contains(number) || attribute.paths.count > 1
        || !attribute.isOptional && attribute.defaultValue == nil
        || schema.policies(of: attribute.policies).onAbsent != .keep
    }
  }
}

/// A property that an import does not read where an export writes it.
///
/// Its path leads through the value of another property, or through a wildcard, so that it has no place; or an import
/// finds the value of another property before it.
struct LostProperty {
  enum Property: Hashable {
    case attribute(Int)
    case relationship(Int)
  }

  var property: Property
  /// The number of the entity that has it.
  var entity: Int
  /// The object that the property is read from: 0 for the object itself, others for its shared objects.
  var object: Int
  /// The leaf that is written at the path, or on the way to it, and the rest of the path.
  var substitute: (leaf: ExportLeaf, rest: JSONPath)?
  /// Whether it is written at a later path: at an earlier one an import finds another value.
  var isWritten: Bool

  init(_ property: Property, of entity: EntitySchema, object: Int, isWritten: Bool = false) {
    self.property = property
    self.entity = entity.number
    self.object = object
    self.isWritten = isWritten
  }
}

extension ExportLeaf {
  /// Returns whether the value of an attribute is written here.
  fileprivate func holds(_ written: LostProperty) -> Bool {
    guard case .attribute(let number) = kind else { return false }
    return written.property == .attribute(number) && written.object == object
  }
}

extension EntitySchema {
  /// Returns whether a property of the entity is read at a path.
  fileprivate func reads(_ path: JSONPath) -> Bool {
    attributes.contains { $0.paths.contains(path) }
      || relationships.contains { $0.paths.contains(path) }
  }
}

extension JSONPath {
  /// Whether the path leads to the object's own place, and not to a value in the object.
  fileprivate var isOfElement: Bool {
    steps == [.key] || steps == [.index] || steps == [.value]
  }

  /// Whether the value is a constant or in an enclosing object: an import finds it wherever the object is.
  fileprivate var isAround: Bool {
    switch steps.first {
    case .parent, .constant: true
    default: false
    }
  }
}
