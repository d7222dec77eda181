/// A JSON value with the places of its parts.
///
/// It is for small documents, such as a model file or a mapping, whose errors are reported by line and column.
///
/// Members of objects are in the order of the document, repeated keys included.
struct LocatedJSON {
  enum Content {
    case object([Member])
    case array([LocatedJSON])
    case string(String)
    /// A number, as it is written.
    case number(String)
    case boolean(Bool)
    case null
  }

  struct Member {
    var key: String
    /// The beginning of the key.
    var location: SourceLocation
    var value: LocatedJSON
  }

  var content: Content
  var location: SourceLocation

  /// The kind of the value, for messages that end in "found …".
  var kind: String {
    switch content {
    case .object: "an object"
    case .array: "an array"
    case .string(let string): "the string \"\(string)\""
    case .number(let number): "the number \(number)"
    case .boolean(let flag): flag ? "true" : "false"
    case .null: "null"
    }
  }

  /// Returns the message for an unknown key of an object, with the known keys.
  static func unknownKey(_ key: String, known: [String]) -> String {
    let near = suggestion(for: key, in: known)
    let remedy = near.isEmpty ? "; known here: \(known.joined(separator: ", "))" : near
    return "unknown key \"\(key)\"" + remedy
  }
}

extension LocatedJSON {
  /// The most bytes of a document that is read into a tree; real ones are some thousand bytes long.
  static let sizeLimit = 4 << 20
  /// The most containers inside each other, so that readers of the tree may be recursive.
  private static let depthLimit = 64

  /// Reads a document.
  ///
  /// - Parameter bytes: The document, of at most ``sizeLimit`` bytes.
  /// - Throws: ``ParsingError`` if it is not JSON or too deep.
  init(parsing bytes: [UInt8]) throws(ParsingError) {
    let builder = Builder()
    let limits = ParserLimits(depth: Self.depthLimit, tokenBytes: Self.sizeLimit)
    let parser = YAJLParser(
      options: ParserOptions(format: .json, limits: limits), delegate: builder)
    do {
      try parser.parse(bytes)
      try parser.finish()
    } catch let error as ParsingError {
      throw error
    } catch {
      fatalError("the builder throws nothing of its own")
    }
    guard let root = builder.root else {
      fatalError("a document that has ended well has a value")
    }
    self = root
  }

  /// Builds the tree from the parser's events.
  private final class Builder: YAJLParserDelegate {
    /// A container whose end is still to come.
    private struct Open {
      var isArray: Bool
      var location: SourceLocation
      var elements: [LocatedJSON] = []
      var members: [Member] = []
      var key: (string: String, location: SourceLocation)?
    }

    private(set) var root: LocatedJSON?
    private var open: [Open] = []

    func parserDidStartDictionary(_ parser: YAJLParser) {
      open.append(Open(isArray: false, location: parser.location))
    }

    func parserDidStartArray(_ parser: YAJLParser) {
      open.append(Open(isArray: true, location: parser.location))
    }

    func parserDidEndDictionary(_ parser: YAJLParser) { close() }
    func parserDidEndArray(_ parser: YAJLParser) { close() }

    func parser(_ parser: YAJLParser, didMapKey key: borrowing JSONString) {
      guard let last = open.indices.last else { return }
      open[last].key = (key.string, parser.location)
    }

    func parser(_ parser: YAJLParser, didAdd value: borrowing JSONScalar) {
      let content: Content =
        switch value {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .number(let number): .number(number.text)
        case .string(let text): .string(text.string)
        }
      add(LocatedJSON(content: content, location: parser.location))
    }

    private func close() {
      guard let closed = open.popLast() else { return }
      let content = closed.isArray ? Content.array(closed.elements) : .object(closed.members)
      add(LocatedJSON(content: content, location: closed.location))
    }

    private func add(_ value: LocatedJSON) {
      guard let last = open.indices.last else {
        root = value
        return
      }
      if let key = open[last].key {
        open[last].members.append(Member(key: key.string, location: key.location, value: value))
        open[last].key = nil
      } else {
        open[last].elements.append(value)
      }
    }
  }
}
