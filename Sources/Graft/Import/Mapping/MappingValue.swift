/// A JSON value of a mapping's file, with its place, the members of objects in their order.
struct MappingValue {
  enum Content {
    case object([Member])
    case array([MappingValue])
    case text(String)
    /// Another scalar, in words.
    case other(String)
  }

  struct Member {
    var key: String
    var location: SourceLocation
    var value: MappingValue
  }

  var content: Content
  var location: SourceLocation

  /// What kind of value it is, for messages.
  var kind: String {
    switch content {
    case .object: "an object"
    case .array: "an array"
    case .text(let text): "the text \"\(text)\""
    case .other(let words): words
    }
  }
}

extension MappingValue {
  /// The most bytes of a mapping; real ones are a few thousand long.
  static let sizeLimit = 4 << 20
  /// The most containers inside each other, so that readers may descend by calling themselves.
  private static let depthLimit = 64

  /// Reads a text.
  ///
  /// - Throws: ``ParsingError`` where it is no JSON.
  static func read(_ bytes: some Sequence<UInt8>) throws -> MappingValue? {
    let builder = Builder()
    let options = ParserOptions(limits: ParserLimits(depth: depthLimit, tokenBytes: 64 << 10))
    let parser = YAJLParser(options: options, delegate: builder)
    try parser.parse(Array(bytes))
    try parser.finish()
    return builder.root
  }

  /// Puts together what the parser finds.
  private final class Builder: YAJLParserDelegate {
    private struct Open {
      var isArray: Bool
      var location: SourceLocation
      var elements: [MappingValue] = []
      var members: [Member] = []
      var key: (text: String, location: SourceLocation)?
    }

    private(set) var root: MappingValue?
    private var open: [Open] = []

    func parserDidStartDictionary(_ parser: YAJLParser) {
      open.append(Open(isArray: false, location: parser.location))
    }

    func parserDidStartArray(_ parser: YAJLParser) {
      open.append(Open(isArray: true, location: parser.location))
    }

    func parserDidEndDictionary(_ parser: YAJLParser) { close() }
    func parserDidEndArray(_ parser: YAJLParser) { close() }

    func parser(_ parser: YAJLParser, didMapKey key: borrowing JSONText) {
      guard let last = open.indices.last else { return }
      open[last].key = (key.string, parser.location)
    }

    func parser(_ parser: YAJLParser, didAdd value: borrowing JSONScalar) {
      let content: Content =
        switch value {
        case .null: .other("null")
        case .boolean(let flag): .other(flag ? "true" : "false")
        case .number(let number): .other("the number \(number.text)")
        case .string(let text): .text(text.string)
        }
      add(MappingValue(content: content, location: parser.location))
    }

    private func close() {
      guard let closed = open.popLast() else { return }
      let content = closed.isArray ? Content.array(closed.elements) : .object(closed.members)
      add(MappingValue(content: content, location: closed.location))
    }

    private func add(_ value: MappingValue) {
      guard let last = open.indices.last else {
        root = value
        return
      }
      if let key = open[last].key {
        open[last].members.append(Member(key: key.text, location: key.location, value: value))
        open[last].key = nil
      } else {
        open[last].elements.append(value)
      }
    }
  }
}
