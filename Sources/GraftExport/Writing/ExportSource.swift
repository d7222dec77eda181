import Graft

/// A graph that is not in memory, such as a database's.
package protocol ExportSource: Sendable {
  /// Begins to read the current graph, without later changes.
  func beginPages() throws -> any ExportPages
}

/// A snapshot of a graph that is not in memory, read page by page.
///
/// A page is a graph of its own, with all parts of some objects that are written. Its objects are
/// in the same order as in a graph of everything.
package protocol ExportPages: AnyObject {
  /// Returns a graph without objects, but with the other content of the complete graph.
  var emptyGraph: Graph { get }

  /// Whether objects can be read in the same order as in a graph of the whole source.
  var isOrdered: Bool { get }

  /// Reads the whole source.
  func readAll() throws -> Graph

  /// Returns whether there are objects of a concrete entity.
  func hasObjects(of entity: Int) throws -> Bool

  /// Returns whether there are objects of a concrete entity that lack part of their identity.
  func lacksIdentities(of entity: Int) throws -> Bool

  /// Begins to read the objects of a concrete entity.
  func begin(_ entity: Int, _ reach: ExportReach)

  /// Reads the next objects.
  ///
  /// - Returns: The objects, in a graph that is used until the next are read; nil after the last.
  func next() throws -> ExportPage?

  /// Notes the objects of the last page that have been written.
  func noteWritten(_ isWritten: (ObjectID) -> Bool)

  /// Returns the object of the last page in a graph of the whole source.
  func original(of id: ObjectID) -> ObjectID

  /// Ends reading.
  func end()
}

/// Some objects, together with the parts of related objects that are written.
package struct ExportPage {
  var graph: Graph
  /// The objects that are to be written, in their order.
  var objects: [ObjectID]
  /// The page's objects, related ones included, that earlier pages have written.
  var written: [ObjectID]

  package init(graph: Graph, objects: [ObjectID], written: [ObjectID]) {
    self.graph = graph
    self.objects = objects
    self.written = written
  }
}
