import Graft

extension ImportRun {
  /// The objects that the roots of all files gave, in their order.
  ///
  /// Of one root, its objects as an array, or the one object that stood alone there; of several, an
  /// object with a member for each entity.
  var rootObjects: ExportContent {
    let roots = reports.flatMap(\.roots)
    if roots.count == 1 { return content(of: roots) }
    var entities: [String] = []
    for root in roots where !entities.contains(root.root.entity) {
      entities.append(root.root.entity)
    }
    return .members(
      entities.map { entity in
        (key: entity, content: content(of: roots.filter { $0.root.entity == entity }))
      })
  }

  /// The objects of roots of one entity, without those that are gone again.
  private func content(of roots: [ImportReport.RootCount]) -> ExportContent {
    if roots.count == 1, roots[0].isSingleObject, roots[0].ids.count == 1,
      let object = graph.object(roots[0].ids[0])
    {
      return .object(object)
    }
    return .objects(roots.lazy.flatMap(\.ids).compactMap { graph.object($0) })
  }
}
