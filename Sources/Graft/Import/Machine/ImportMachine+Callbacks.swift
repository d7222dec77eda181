extension ImportMachine {
  /// The parser calls the machine directly, and not through its class's table of methods.
  static let directCallbacks = YAJLCallbacks(
    null: { YAJLTrampoline<ImportMachine>.null($0) },
    boolean: { YAJLTrampoline<ImportMachine>.boolean($0, $1) },
    number: { YAJLTrampoline<ImportMachine>.number($0, $1, $2) },
    string: { YAJLTrampoline<ImportMachine>.string($0, $1, $2) },
    startObject: { YAJLTrampoline<ImportMachine>.startObject($0) },
    key: { YAJLTrampoline<ImportMachine>.key($0, $1, $2) },
    endObject: { YAJLTrampoline<ImportMachine>.endObject($0) },
    startArray: { YAJLTrampoline<ImportMachine>.startArray($0) },
    endArray: { YAJLTrampoline<ImportMachine>.endArray($0) })
}
