import Graft

/// Orders rows that get other keys, so that each key is free when a row gets it.
///
/// Row 2 moves first if 1 becomes 2 and 2 becomes 3.
enum MoveOrder {
  /// Returns the objects of rows in the order in which the rows can move.
  ///
  /// - Parameters:
  ///   - objects: The objects whose rows get other keys, of one table.
  ///   - table: The table.
  ///   - database: The database's name in messages.
  ///   - former: Returns the key that the row of an object has.
  ///   - next: Returns the key that it gets.
  /// - Returns: The objects.
  /// - Throws: ``Graft/StoreError`` of the kind `database` where objects exchange their keys.
  /// - Complexity: O(*n*) in the objects.
  static func sorted(
    _ objects: [ObjectID], of table: DatabaseSchema.Table, in database: String,
    former: (ObjectID) -> RowKey?, next: (ObjectID) -> RowKey
  ) throws(StoreError) -> [ObjectID] {
    let taken = Set(objects.compactMap(former))
    var waiting = [RowKey: ObjectID]()
    var order: [ObjectID] = []
    for object in objects {
      let key = next(object)
      if !taken.contains(key) || former(object) == key {
        order.append(object)
      } else {
        waiting[key] = object
      }
    }
    // Each object that moves frees the key for which another one may wait.
    var index = 0
    while index < order.count {
      if let object = former(order[index]).flatMap({ waiting.removeValue(forKey: $0) }) {
        order.append(object)
      }
      index += 1
    }
    guard waiting.isEmpty else {
      throw StoreError(
        .database,
        "\(database): objects of \"\(table.name)\" exchange their identities; give one of them an unused identity"
          + " in an earlier write")
    }
    return order
  }
}

extension Graph {
  /// Returns the key of an object's row in a table whose key is the identity.
  func identityKey(of id: ObjectID, _ table: DatabaseSchema.Table) -> RowKey {
    RowKey(
      table: table.number,
      values: schema.entities[id.entity].identity.map { OwnedValue(value(id, attribute: $0)) })
  }
}
