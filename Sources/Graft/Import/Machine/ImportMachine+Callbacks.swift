extension ImportMachine {
  /// The parser calls the machine directly, and not through its class's table of methods.
  static let directCallbacks = EventCallbacks(
    null: { EventReceiver<ImportMachine>.null($0) },
    boolean: { EventReceiver<ImportMachine>.boolean($0, $1) },
    number: { EventReceiver<ImportMachine>.number($0, $1, $2) },
    string: { EventReceiver<ImportMachine>.string($0, $1, $2) },
    startObject: { EventReceiver<ImportMachine>.startObject($0) },
    key: { EventReceiver<ImportMachine>.key($0, $1, $2) },
    endObject: { EventReceiver<ImportMachine>.endObject($0) },
    startArray: { EventReceiver<ImportMachine>.startArray($0) },
    endArray: { EventReceiver<ImportMachine>.endArray($0) })
}
