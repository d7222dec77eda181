public import Graft

/// A path from the objects of a typed entity through their relationships, such as `\.comments.author`.
///
/// The compiler checks the key paths that name the relationships to follow in a query of a
/// ``GraftDatabase/GraphDatabase``:
///
/// ```swift
/// let issues = try database.objects(Issue.self, following: \.comments.author, \.labels)
/// ```
///
/// A relationship that only a sub-entity has is in brackets: `\.pets[\Dog.trainer]`.
@dynamicMemberLookup
public struct RelationshipPath<E: Entity>: Sendable {
  let names: [String]

  /// Creates the path that leads from objects of the entity to themselves.
  init() { names = [] }

  private init(_ names: [String]) { self.names = names }

  /// The path that goes on by a relationship.
  ///
  /// - Parameter relationship: The relationship's key path.
  public subscript<Link: Relationship>(
    dynamicMember relationship: KeyPath<E, Link>
  ) -> RelationshipPath<Link.Destination> {
    RelationshipPath<Link.Destination>(names + [Self.name(of: relationship)])
  }

  /// The path continued by a relationship of a sub-entity, for objects of that sub-entity.
  ///
  /// - Parameter relationship: The relationship's key path.
  public subscript<Subentity: Entity, Link: Relationship>(
    _ relationship: KeyPath<Subentity, Link>
  ) -> RelationshipPath<Link.Destination> {
    RelationshipPath<Link.Destination>(
      names + [RelationshipPath<Subentity>.name(of: relationship)])
  }

  private static func name(of relationship: PartialKeyPath<E>) -> String {
    EntityType<E>.shared.name(of: relationship) ?? "\(relationship)"
  }

  /// Returns the relationships' names along key paths, as in `comments.author`.
  static func names(_ paths: [PartialKeyPath<RelationshipPath<E>>]) -> [String] {
    paths.compactMap { (RelationshipPath()[keyPath: $0] as? any NamedPath)?.names }
      .filter { !$0.isEmpty }.map { $0.joined(separator: ".") }
  }
}

/// A path to any destination.
private protocol NamedPath {
  var names: [String] { get }
}

extension RelationshipPath: NamedPath {}
