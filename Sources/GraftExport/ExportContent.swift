import Graft

/// The content of an export: an object, several objects, the objects of an entity, or a whole
/// graph.
public struct ExportContent {
  enum Kind {
    case object(GraphObject)
    case objects(((GraphObject) throws -> Void) throws -> Void)
    case entity(String, Graph, includesSubentities: Bool)
    case graph(Graph)
    /// The objects of an entity, or all, of a graph that is not in memory.
    case source(any ExportSource, entity: String?, includesSubentities: Bool)
    case members([(key: String, content: ExportContent)])
  }

  let kind: Kind

  /// Exports one object.
  ///
  /// - Parameter object: The object.
  /// - Returns: The content, which becomes a JSON object.
  public static func object(_ object: GraphObject) -> ExportContent {
    ExportContent(kind: .object(object))
  }

  /// Exports several objects.
  ///
  /// - Parameter objects: The objects, which are asked for one at a time while they are written.
  /// - Returns: The content, which becomes an array.
  public static func objects(_ objects: some Sequence<GraphObject>) -> ExportContent {
    ExportContent(kind: .objects { body in for object in objects { try body(object) } })
  }

  /// Exports the objects of an entity, in order of entity and insertion.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - graph: The graph that has the objects.
  ///   - includesSubentities: Whether objects of the entities below it are written too.
  /// - Returns: The content, which becomes an array; or, where objects take an attribute from the
  ///   key under which they are found (`@key`) and from nowhere else, an object of such names.
  public static func entity(
    _ entity: String, of graph: Graph, includesSubentities: Bool = true
  ) -> ExportContent {
    ExportContent(kind: .entity(entity, graph, includesSubentities: includesSubentities))
  }

  /// Exports all objects of a graph.
  ///
  /// An object whose members are the concrete entities, each an array of its objects in order of
  /// insertion; entities that others refer to come first. Objects with an identity are written
  /// there, and everywhere else as that identity. Two kinds of objects are written inside the
  /// objects that lead to them: objects without identity, and objects that read values of enclosing
  /// objects (`@parent`). They are in their entity's array only if no object leads to them. An
  /// import with one root for each entity, such as `Tweet@Tweet,User@User`, reads it back; with
  /// ``Graft/Policies/reference`` set to `defer`, in the same order too.
  ///
  /// - Parameter graph: The graph.
  /// - Returns: The content.
  public static func graph(_ graph: Graph) -> ExportContent {
    ExportContent(kind: .graph(graph))
  }

  /// Exports the objects of a graph that is not in memory.
  ///
  /// - Parameters:
  ///   - source: Reads the objects, some at a time.
  ///   - entity: The entity whose objects are written; nil for all.
  ///   - includesSubentities: Whether objects of the entities below it are written too.
  /// - Returns: The content.
  package static func source(
    _ source: any ExportSource, entity: String? = nil, includesSubentities: Bool = true
  ) -> ExportContent {
    ExportContent(
      kind: .source(source, entity: entity, includesSubentities: includesSubentities))
  }

  /// Exports an object whose members are other contents.
  ///
  /// - Parameter members: The members with their names, in the order in which they are written.
  /// - Returns: The content.
  public static func members(_ members: [(key: String, content: ExportContent)]) -> ExportContent {
    ExportContent(kind: .members(members))
  }
}

extension ExportContent {
  /// Exports one object.
  ///
  /// - Parameter object: The object.
  /// - Returns: The content, which becomes a JSON object.
  public static func object<E: Entity>(_ object: Object<E>) -> ExportContent {
    .object(GraphObject(object))
  }

  /// Exports several objects.
  ///
  /// - Parameter objects: The objects, which are asked for one at a time while they are written.
  /// - Returns: The content, which becomes an array.
  public static func objects<E: Entity>(_ objects: some Sequence<Object<E>>) -> ExportContent {
    ExportContent(
      kind: .objects { body in for object in objects { try body(GraphObject(object)) } })
  }

  /// Exports the objects of an entity, in order of entity and insertion.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - graph: The graph that has the objects.
  ///   - includesSubentities: Whether objects of the entities below it are written too.
  /// - Returns: The content, which becomes an array; or, where objects take an attribute from the
  ///   key under which they are found (`@key`) and from nowhere else, an object of such names.
  /// - Precondition: The graph's model was made from the entity, as `GraphStore(for:)` does.
  public static func entity<E: Entity>(
    _ entity: E.Type, of graph: Graph, includesSubentities: Bool = true
  ) -> ExportContent {
    .entity(
      graph.schema.schema(of: entity).name, of: graph, includesSubentities: includesSubentities)
  }
}
