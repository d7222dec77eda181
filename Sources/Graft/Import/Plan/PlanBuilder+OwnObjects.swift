// A relationship with the path `$` is read from the very object that its owner is read from: fields
// of one JSON object fill two objects of the graph. Both begin with it; the related one ends first,
// and is handed to its owner like any other.

extension PlanBuilder {
  /// The content with the objects added that its objects find in themselves.
  mutating func withOwnObjects(_ given: PlanPosition.Container) throws -> PlanPosition.Container {
    var content = given
    var ancestors = given.opens.map { [Int($0.entity)] }
    var index = 0
    while index < content.opens.count {
      let entity = schema.entities[Int(content.opens[index].entity)]
      for (number, relationship) in entity.relationships.enumerated() {
        guard let rank = relationship.paths.firstIndex(where: \.steps.isEmpty) else { continue }
        let destination = schema.entities[relationship.destination]
        guard !relationship.isToMany, !ancestors[index].contains(destination.number) else {
          throw ImportError(
            kind: .model, entity: entity.name, property: relationship.name,
            message: relationship.isToMany
              ? "\(entity.name).\(relationship.name): one object cannot be read as an array; name a path"
                + " to an array, or make the relationship to-one"
              : "\(entity.name).\(relationship.name): the path \"$\" leads from \(destination.name) to itself;"
                + " name another path for one of the relationships on the way")
        }
        // `up` counts from the frame below the first that is opened here: the owner is the one
        // numbered `index`.
        content.opens.append(
          (
            Int32(destination.number),
            [
              HandBack(
                kind: .toOne, rank: UInt8(clamping: rank), up: Int32(-1 - index),
                number: Int32(number),
                property: property(entity.number, .relationship(number)))
            ]
          ))
        ancestors.append(ancestors[index] + [destination.number])
      }
      index += 1
    }
    return content
  }
}
