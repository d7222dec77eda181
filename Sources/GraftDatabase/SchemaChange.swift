import Graft

/// What must be added to the tables of one model to have those of another.
///
/// Tables and columns are added, and an attribute of another type is converted. What is no longer in the model stays
/// in the database, where it does no harm. A table of another key is refused: nobody but the user knows which objects
/// are then the same.
struct SchemaChange {
  private(set) var typeChanges: [ColumnTypeChange] = []
  private(set) var statements: [String] = []

  init(
    from old: DatabaseSchema, to new: DatabaseSchema, _ dialect: SQLDialect,
    refuse: (String) -> StoreError
  ) throws(StoreError) {
    let oldTables = Dictionary(uniqueKeysWithValues: old.tables.map { ($0.name, $0) })
    let oldLists = Dictionary(uniqueKeysWithValues: old.lists.map { ($0.name, $0) })
    let remedy = "; import into a new database, or keep the model as it was"
    for table in new.tables {
      guard let present = oldTables[table.name] else { continue }
      guard present.keyNames == table.keyNames else {
        throw refuse(
          "has objects of \"\(table.name)\" under the key \(present.keyNames.quoted), and the model now identifies them by"
            + " \(table.keyNames.quoted)\(remedy)")
      }
      let columns = Dictionary(
        uniqueKeysWithValues: present.columns.map { ($0.name.lowercased(), $0) })
      for column in table.columns {
        guard let other = columns[column.name.lowercased()] else {
          guard !column.isRequired else {
            throw refuse(
              "has a table \"\(table.name)\" of one entity, to which the model now adds others\(remedy)"
            )
          }
          statements.append(
            "ALTER TABLE \(SQL.quote(table.name)) ADD COLUMN "
              + dialect.declaration(column))
          continue
        }
        if other.type == column.type { continue }
        guard let attribute = table.convertible(column, new.model) else {
          throw refuse(
            "has \"\(table.name)\".\"\(column.name)\" as \(other.type.rawValue), and the model now says"
              + " \(column.type.rawValue); objects are found by it\(remedy)")
        }
        typeChanges.append(
          ColumnTypeChange(
            table: present, column: column, oldType: other.type, attribute: attribute,
            indexes: old.indexes.filter {
              $0.table == table.name && $0.columns.contains(column.name)
            }))
      }
    }
    for list in new.lists {
      guard let present = oldLists[list.name] else { continue }
      guard
        present.ownerColumns == list.ownerColumns && present.memberColumns == list.memberColumns
          && present.isOrdered == list.isOrdered
      else {
        throw refuse(
          "has the relationship \"\(list.name)\" in another form than the model now asks for\(remedy)"
        )
      }
    }
    let names = Set(oldTables.keys).union(oldLists.keys)
    statements += new.creationStatements(dialect, except: names)
  }
}

extension DatabaseSchema.Table {
  /// The attribute of a column by which no object is found; nil for a column of a key, an identity or a
  /// relationship.
  fileprivate func convertible(
    _ column: DatabaseSchema.Column, _ model: ModelSchema
  ) -> AttributeSchema? {
    guard let position = columns.firstIndex(of: column), !key.contains(position),
      !identities.contains(where: { $0.contains(position) })
    else { return nil }
    for entity in entities {
      if let number = attributes[entity].firstIndex(of: position) {
        return model.entities[entity].attributes[number]
      }
    }
    return nil
  }
}
