// A writer holds the commit lock for the whole of its closure. Each writer therefore sees what the
// one before committed, its base is still the current graph when it commits, nothing is rebased,
// and the identifiers of what it inserted are final. An import takes the lock only to commit, so
// what it may have to wait for is one closure of a writer, and what a writer may have to wait for
// is one commit of an import; readers and observers wait for neither.

extension GraphStore {
  /// Changes the graph: all that the closure does is published at its end, or nothing.
  ///
  /// ```swift
  /// try store.write { graph in
  ///   let ada = try graph.findOrInsert("User", identifiedBy: ["name": .string("Ada")])
  ///   ada["followers"] = .integer(36)
  ///   try graph.delete(graph.objects("Tweet").filter { $0["text"] == nil })
  /// }
  /// ```
  ///
  /// Writers follow one another, each for the whole of its closure; imports go on meanwhile, and
  /// commit before or after. Readers of ``graph`` see the graph before until the write is
  /// published. So keep the closure short: gather before it what takes long.
  ///
  /// The closure's graph and its objects end with the closure. What is to be read afterwards is
  /// found in ``graph`` by its ``ObjectID``, which is the same there.
  ///
  /// At the end the model's demands on what was changed are checked: required properties, bounds of
  /// relationships, and bounds and patterns of values.
  ///
  /// - Parameter body: What is to be done. An error that leaves it undoes everything.
  /// - Returns: What the closure returned.
  /// - Throws: What the closure threw; else the ``StoreError`` of the first misuse that could not be
  ///   thrown where it happened, as in an assignment to a subscript; else the ``StoreError`` that
  ///   lists what the model does not allow.
  /// - Precondition: The thread is not in a closure of this method already: neither a write nor an
  ///   import may be begun there.
  /// - Complexity: O(*n*) in the number of row groups touched, each of up to 1024 objects.
  @discardableResult
  public func write<R>(_ body: (MutableGraph) throws -> R) throws -> R {
    try serially {
      let transaction = GraphTransaction(base: graph)
      let mutable = MutableGraph(transaction)
      defer { mutable.end() }
      let result = try body(mutable)
      if let misuse = mutable.misuse { throw misuse }
      _ = try publish(transaction, checkingValues: true)
      return result
    }
  }
}
