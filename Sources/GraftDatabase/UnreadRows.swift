import Graft
import GraftExport

/// Knows which objects and relationships of its graph a query has read, and along which paths.
///
/// An object that was read has its values, the targets of its to-one relationships, and the members
/// of lists that have a table of their own. Members that refer to the object themselves are read
/// where they are followed: there is no bound to their number.
final class UnreadRows: UnreadContent {
  /// The objects that following a path from the query's results has reached.
  struct Followed {
    var path: [String]
    var objects: [ObjectID]
  }

  private let schema: DatabaseSchema
  /// The entity of the objects that the query has found.
  private let entity: EntitySchema
  private let rows: ReadRows
  /// The followed paths, the shortest first.
  private let followed: [Followed]
  /// Whether paths are spelled as key paths.
  private let isTyped: Bool

  init(_ batch: DatabaseBatch, _ query: DatabaseQuery, _ followed: [Followed]) {
    schema = batch.schema
    entity = query.entity
    rows = batch.readRows
    self.followed = followed.sorted { $0.path.count < $1.path.count }
    isTyped = query.isTyped
  }

  func isUnread(_ id: ObjectID) -> Bool { rows.state(of: id).contains(.unread) }

  func isUnread(_ relationship: Int, of id: ObjectID) -> Bool {
    schema.members[id.entity][relationship] != nil && !rows.lists.hasRead(relationship, of: id)
  }

  func error(for part: UnreadPart, by link: UnreadPart?, in graph: Graph) -> StoreError {
    let object = graph.name(of: part.object)
    guard
      let (owner, relationship, start) = link.flatMap({ way(along: $0) })
        ?? (part.relationship != nil ? way(along: part) : way(to: part.object, in: graph))
    else {
      return StoreError(.notRead, "\(object) was not read: only its identity is known")
    }
    let entity = schema.model.entities[owner]
    let name = entity.relationships[relationship].name
    let path = start + [name]
    return StoreError(
      .notRead,
      "\(entity.name).\(name) was not read (\(object)); add following: \(spelling(of: path))",
      entity: entity.name, property: name, following: path.joined(separator: "."))
  }

  /// A relationship that has to be followed, the entity that has it, and the path to its owner.
  private typealias Way = (entity: Int, relationship: Int, path: [String])

  /// Returns the path along a relationship of an object that was read.
  private func way(along link: UnreadPart) -> Way? {
    guard let relationship = link.relationship,
      let group = followed.first(where: { $0.objects.contains(link.object) })
    else { return nil }
    return (link.object.entity, relationship, group.path)
  }

  /// Returns the shortest path to an object that was not read.
  ///
  /// - Complexity: O(*n*) in the objects and links that were read; it is asked once, for an error.
  private func way(to target: ObjectID, in graph: Graph) -> Way? {
    for group in followed {
      for owner in group.objects {
        for relationship in schema.model.entities[owner.entity].relationships.indices
        where graph.knownTargets(of: owner, relationship).contains(target) {
          return (owner.entity, relationship, group.path)
        }
      }
    }
    return nil
  }

  /// Returns a path as the caller of the query writes it, such as `\.comments.author` or
  /// `"comments.author"`.
  private func spelling(of path: [String]) -> String {
    guard isTyped else { return "\"\(path.joined(separator: "."))\"" }
    var text = "\\."
    var entity = entity
    for (position, name) in path.enumerated() {
      let owner =
        entity.family.lazy.map { self.schema.model.entities[$0] }
        .first { $0.relationships.contains { $0.name == name } } ?? entity
      if owner.number != entity.number {
        text += "[\\\(owner.name).\(name)]"
      } else {
        text += position == 0 ? name : ".\(name)"
      }
      let relationship = owner.relationships.first { $0.name == name }
      entity = relationship.map { schema.model.entities[$0.destination] } ?? entity
    }
    return text
  }
}

/// The flags of a batch's objects, and the lists that were read.
struct ReadRows: Sendable {
  /// The states of the objects, by entity and row.
  let states: [[FetchedObjects.State]]
  let lists: FetchedLists

  func state(of id: ObjectID) -> FetchedObjects.State {
    id.row < states[id.entity].count ? states[id.entity][id.row] : []
  }
}
