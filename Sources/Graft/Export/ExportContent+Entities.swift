extension ExportContent {
  /// One object.
  ///
  /// - Parameter object: The object.
  /// - Returns: The content, which becomes a JSON object.
  public static func object<E: Entity>(_ object: Object<E>) -> ExportContent {
    .object(GraphObject(object))
  }

  /// Several objects.
  ///
  /// - Parameter objects: The objects, which are asked for one at a time while they are written.
  /// - Returns: The content, which becomes an array.
  public static func objects<E: Entity>(_ objects: some Sequence<Object<E>>) -> ExportContent {
    ExportContent(
      kind: .objects { body in for object in objects { try body(GraphObject(object)) } })
  }

  /// The objects of an entity, in order of entity and insertion.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - graph: The graph that has the objects.
  ///   - includesSubentities: Whether objects of the entities below it are written too.
  /// - Returns: The content, which becomes an array; or, where objects take an attribute from the
  ///   name under which they stand (`@key`) and from nowhere else, an object of such names.
  /// - Precondition: The graph's model was made from the entity, as `GraphStore(for:)` does.
  public static func entity<E: Entity>(
    _ entity: E.Type, of graph: Graph, includesSubentities: Bool = true
  ) -> ExportContent {
    .entity(
      graph.schema.schema(of: entity).name, of: graph, includesSubentities: includesSubentities)
  }
}
