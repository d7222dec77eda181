import Synchronization

// Any number of threads read the table, whenever an inherited property is read, so reading takes no
// lock. A reader loads the address of a table that is never written or freed again, hence `unsafe`.
// A new type makes a new table. Old tables are kept because a thread may still read them; there are
// at most as many as the program has entities.

/// Keeps the ``EntityType`` of each entity that was used.
enum EntityTypes {
  /// A table of types by the identity of the Swift type; immutable.
  final class Table: Sendable {
    private let types: [ObjectIdentifier: any AnyEntityType]

    init(_ types: [ObjectIdentifier: any AnyEntityType]) {
      self.types = types
    }

    subscript(_ key: ObjectIdentifier) -> (any AnyEntityType)? { types[key] }

    func adding(_ type: any AnyEntityType, for key: ObjectIdentifier) -> Table {
      Table(types.merging([key: type]) { kept, _ in kept })
    }
  }

  /// All tables so far; the last one is current.
  private static let tables = Mutex([Table(.init())])
  /// The address of the current table, which `tables` keeps alive.
  private static let current = Atomic<UInt>(0)

  /// The types that are known.
  static var known: Table {
    guard let address = unsafe UnsafeRawPointer(bitPattern: current.load(ordering: .acquiring))
    else {
      return Table(.init())
    }
    return unsafe Unmanaged<Table>.fromOpaque(address).takeUnretainedValue()
  }

  /// Keeps a type, unless there is one for the key already.
  ///
  /// - Returns: The type that counts.
  static func keep(_ type: any AnyEntityType, for key: ObjectIdentifier) -> any AnyEntityType {
    tables.withLock { tables in
      if let known = tables.last?[key] { return known }
      let table = tables.last?.adding(type, for: key) ?? Table([key: type])
      tables.append(table)
      current.store(
        unsafe UInt(bitPattern: Unmanaged.passUnretained(table).toOpaque()), ordering: .releasing)
      return type
    }
  }
}
