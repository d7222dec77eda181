/// What must be added to the tables of one model to have those of another.
///
/// Tables and columns are added. What is no longer in the model stays in the database, where it does no harm. A
/// column of another type, or a table of another key, is refused: nobody but the user knows what the values in it
/// should become.
struct SchemaChange {
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
        guard other.type == column.type else {
          throw refuse(
            "has \"\(table.name)\".\"\(column.name)\" as \(other.type.rawValue), and the model now says"
              + " \(column.type.rawValue)\(remedy)")
        }
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
