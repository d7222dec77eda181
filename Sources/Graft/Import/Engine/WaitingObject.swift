/// Keeps an object without identity from its end until the object around it is known.
///
/// In Sync's dialect, the address of `{"address": {"town": "Ulm"}, "id": 1}` fills the one that user 1
/// has already. Only the end of the user tells which one that is.
struct WaitingObject {
  var parser: EntityParser
  /// The pending values; the positions of bytes are those in `bytes`.
  var values: [PendingValue] = []
  var bytes: [UInt8] = []
  /// The objects without identity inside it, and the stubs of identifiers in it.
  var anonymous: [ObjectID]
  /// The place of its beginning.
  var place: (location: SourceLocation, path: String)
  /// The index of the outermost parser that gets the object.
  var receiver: Int32
  /// The object that it has become, nil within if it was skipped; nil while it waits.
  var merged: ObjectID??

  /// The objects that its links lead to.
  var linkedObjects: [ObjectID] {
    values.filter { !$0.isSuperseded }.compactMap(\.linkedObject)
  }
}

extension PendingValue {
  /// The number of the waiting object that a relationship gets; nil for other values.
  var waitingObject: Int? { kind == .waiting ? Int(bits) : nil }
}
