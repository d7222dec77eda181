// Decides which objects must be in memory to write others, because an export of a database reads
// only these at a time. The plan and the writer decide this in the same way. If the two differ, too
// much is read, and never too little.

import Graft

/// Describes the part of a graph that must be read to write some of its objects.
package struct ExportReach {
  /// A relationship whose objects are written.
  package struct Link {
    /// The number of the relationship.
    package var number: Int
    /// The number of the inverse at the destination.
    package var inverse: Int?
    /// Whether its objects may be written in full.
    package var isNested: Bool
    /// Whether the relationship is left out when it leads back to the owner under which the object
    /// is written.
    package var isLeftOutOnWayBack: Bool
    /// Whether only the key of an object is written, so that nothing else must be read.
    package var isWrittenAsKey: Bool
  }

  /// The relationships whose objects are written, by entity.
  package let links: [[Link]]
  /// The numbers of the relationships that are compared with the output, by entity.
  package let compared: [[Int]]
  /// The objects that share the JSON object of an entity's objects, by entity.
  package let shared: [[SharedObject]]
  /// Whether an object's links are examined when it is written as a reference, by entity.
  package let looksAtLinksOfReferences: [Bool]
  /// Whether an object is written as a reference at its second occurrence, by entity.
  package let avoidsRepeating: [Bool]
  /// Whether objects may lack the values that a reference needs, by entity.
  package let mayBeAnonymous: [Bool]
  /// The number of levels to which objects are nested.
  package let depth: Int
  /// Whether the output, in a whole graph, depends on the objects that have been written already.
  let needsOrder: Bool

  /// - Parameters:
  ///   - plan: The steps for writing objects.
  ///   - isWhole: Whether the whole graph is written, so that no object is nested.
  init(_ plan: ExportPlan, isWhole: Bool) {
    let entities = plan.entities
    links = entities.map { entity in
      let others = Set(
        entity.steps.compactMap { step -> Int? in
          if case .spread(let relationship) = step.content { Int(relationship) } else { nil }
        } + [entity.ownArray.map(Int.init)].compactMap(\.self))
      return entity.relationships.map { number in
        let step = plan.relationships[number]
        return Link(
          number: step.number, inverse: step.inverse, isNested: !isWhole && !step.writesReferences,
          isLeftOutOnWayBack: !isWhole && step.isImpliedByOwner && !others.contains(number),
          isWrittenAsKey: entity.unwritten.isEmpty && plan.isWrittenAsKey(step))
      }
    }
    compared = entities.map { entity in
      entity.unwritten.compactMap {
        if case .relationship(let number) = $0.property, $0.object == 0 { number } else { nil }
      }
    }
    shared = entities.map(\.sharedObjects)
    looksAtLinksOfReferences = entities.map(\.isChangedByReference)
    avoidsRepeating = entities.map { !isWhole && plan.options.repeats.avoids($0) }
    mayBeAnonymous = entities.map(\.mayBeAnonymous)
    depth = min(plan.options.depth ?? .max, ExportTraversal.nestingLimit(of: plan.options))
    needsOrder = isWhole && plan.relationships.contains(where: \.needsEarlierObjects)
  }
}

extension ExportOptions.RepeatPolicy {
  /// Returns whether an object of an entity is written as a reference at its second occurrence.
  func avoids(_ entity: EntityExportPlan) -> Bool {
    switch self {
    case .automatic: entity.mayHoldAnonymous
    case .nested: false
    case .identifier: true
    }
  }
}

extension ExportPlan {
  /// Returns whether references to a relationship's objects consist of their one identity attribute
  /// alone.
  fileprivate func isWrittenAsKey(_ step: RelationshipStep) -> Bool {
    guard step.relatedBy == nil, !step.refersByObject, !step.isImpliedByInverse,
      !step.needsEarlierObjects
    else { return false }
    return schema.entities[step.destination].family.allSatisfy { number in
      let entity = entities[number]
      guard let identity = entity.identity, entity.hasIdentity, !entity.isSingleton,
        !entity.isDiscriminated, entity.position == nil
      else { return false }
      return entity.key?.number ?? identity.number == identity.number
    }
  }

  /// Returns whether objects can be written without the whole graph, because their output depends
  /// only on objects that they lead to.
  ///
  /// Two values depend on more: keys and positions depend on the collection that an object is in,
  /// and values of enclosing objects (`@parent`) on the objects around it. In a whole graph,
  /// objects that are referred to by another attribute may be nested.
  ///
  /// - Parameters:
  ///   - roots: The numbers of the entities whose objects are written.
  ///   - place: The entity that an import of these objects expects; nil if the whole graph is written.
  /// - Returns: Whether that is so, unless the whole graph is written and has objects without identity.
  func isWritableInParts(_ roots: [Int], at place: Int?) -> Bool {
    // An object that nothing names is no loss if it is also written at a place of its own entity.
    func areNamed(_ family: [Int], at place: Int) -> Bool {
      family.allSatisfy { mistakes[$0][place] != .unnamed }
    }
    guard !readsOuterValues, place != nil || relationships.allSatisfy({ $0.relatedBy == nil })
    else {
      return false
    }
    if let place, !areNamed(roots, at: place) { return false }
    var met = Set(roots)
    var waiting = roots
    while let number = waiting.popLast() {
      let entity = entities[number]
      if entity.isNamedByKeyOnly || entity.keyName != nil || entity.isPlacedByPositionFirst
        || entity.isIdentifiedByKeyFirst || entity.hasIdentity && !entity.holdsIdentity
      {
        return false
      }
      for relationship in schema.entities[number].relationships {
        let family = schema.entities[relationship.destination].family
        if place != nil, !areNamed(family, at: relationship.destination) { return false }
        for next in family where met.insert(next).inserted { waiting.append(next) }
      }
    }
    return true
  }
}
