@testable import Graft

/// Builds the tree of a document, so that a test can write it otherwise.
final class JSONTree: EventSink {
  private var containers: [(keys: [String], values: [RandomValue], isObject: Bool)] = []
  private var root: RandomValue?

  /// The tree of a document that is well-formed.
  static func read(_ text: String) throws -> RandomValue? {
    let tree = JSONTree()
    let parser = EventParser(sink: tree, options: ParserOptions())
    var text = text
    try text.withUTF8 { try parser.parse(UnsafeRawBufferPointer($0).bytes) }
    try parser.finish()
    return tree.root
  }

  override func null() -> Bool { add(.scalar("null")) }
  override func boolean(_ value: Bool) -> Bool { add(.scalar("\(value)")) }
  override func number(_ text: BorrowedBuffer<UInt8>) -> Bool {
    add(.scalar(String(decoding: text, as: UTF8.self)))
  }
  override func string(_ text: BorrowedBuffer<UInt8>) -> Bool {
    add(.scalar(literal(text)))
  }
  override func key(_ text: BorrowedBuffer<UInt8>) -> Bool {
    // Keys are written between quotes: theirs are taken off.
    containers[containers.count - 1].keys.append(
      String(literal(text).dropFirst().dropLast()))
    return true
  }
  override func startObject() -> Bool { begin(isObject: true) }
  override func endObject() -> Bool { end() }
  override func startArray() -> Bool { begin(isObject: false) }
  override func endArray() -> Bool { end() }

  private func literal(_ text: BorrowedBuffer<UInt8>) -> String {
    var json = JSONWriter()
    text.withSpan { json.string($0) }
    return json.text
  }

  private func begin(isObject: Bool) -> Bool {
    containers.append(([], [], isObject))
    return true
  }

  private func end() -> Bool {
    let (keys, values, isObject) = containers.removeLast()
    guard isObject else { return add(.array(values)) }
    return add(.object(zip(keys, values).map { RandomValue.Member($0, $1) }))
  }

  private func add(_ value: RandomValue) -> Bool {
    if containers.isEmpty {
      root = value
    } else {
      containers[containers.count - 1].values.append(value)
    }
    return true
  }
}
