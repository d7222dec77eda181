extension ImportMachine {
  /// Counts an object of a root, and lists it where that is asked for.
  func countRootObject(_ object: ObjectID, of number: Int) {
    tally.rootObjects[number] += 1
    if options.listsRootObjects { listRootObject(object, of: number) }
  }

  /// An object stands alone where the path itself leads to it: no wildcard and no array between.
  @inline(never)
  private func listRootObject(_ object: ObjectID, of number: Int) {
    tally.rootIDs[number].append(object)
    let steps = plan.roots[number].path.collectionPath.steps
    let isSingular = !steps.contains(.eachMember) && !steps.contains(.eachElement)
    let levels = state.pointee.levels
    tally.rootStoodAlone[number] =
      isSingular && levels.count == steps.count + 1 && !levels.top.pointee.isArray
  }
}
