// Reads the XML that Xcode writes into `Model.xcdatamodel/contents`:
//
//   model > entity > attribute | relationship | fetchedProperty | userInfo > entry
//                  > fetchIndex > fetchIndexElement
//
// XMLParser's delegate must be a class. This one lives for one call of `read` and on one thread.
// Elements without data (editor layout, configurations, fetch requests, uniqueness constraints) are
// skipped. So are elements that Xcode's format does not have, with a warning. A value that cannot
// be read is reported together with all others; XML that is not well-formed ends the reading.

import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads Xcode's model XML.
final class XcodeModelReader: NSObject, XMLParserDelegate {
  private let text: XMLText
  private var entities: [EntityDescription] = []
  private let file: String
  private let log: IssueLog
  /// The elements that are open and read, from the outermost on.
  private var open: [String] = []
  private var entity: EntityDescription?
  private var attribute: AttributeDescription?
  private var relationship: RelationshipDescription?
  /// The properties of the fetch index that is being read; nil for an expression.
  private var fetchIndex: [String?] = []
  /// The names of the entity's properties that have a fetch index of their own.
  private var indexedNames: Set<String> = []
  /// The number of open elements from the skipped one on; 0 outside skipped elements.
  private var skippedDepth = 0
  private var progress = Progress.awaitsModel

  private enum Progress {
    case awaitsModel
    case isInModel
    case isComplete
    case failed(ModelError)
  }

  private init(_ text: XMLText, file: String) {
    self.file = file
    log = IssueLog(source: ModelSource(file: file))
    self.text = text
  }

  /// Reads a model.
  static func read(_ data: Data, file: String) throws(ModelError) -> ModelDocument {
    let text = XMLText(data)
    // A name that is not UTF-8 would end the process inside XMLParser.
    if let position = text.malformedCharacter {
      throw ModelError(
        "malformed XML, a character is not UTF-8; restore the file or save it anew with Xcode",
        file: file, at: position)
    }
    let reader = XcodeModelReader(text, file: file)
    let parser = XMLParser(data: data)
    parser.delegate = reader
    parser.shouldResolveExternalEntities = false
    let isComplete = parser.parse()
    switch reader.progress {
    case .failed(let error):
      throw error
    case .isComplete where isComplete:
      return ModelDocument(entities: reader.entities, log: reader.log)
    case .awaitsModel, .isInModel, .isComplete:
      throw reader.malformed(parser.parserError, parser)
    }
  }

  // The first error counts: the parser may go on after it, and may even report success.
  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    if case .failed = progress { return }
    progress = .failed(malformed(error, parser))
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes values: [String: String]
  ) {
    guard skippedDepth == 0 else {
      skippedDepth += 1
      return
    }
    guard let parent = open.last else {
      start(name, parser)
      open.append(name)
      return
    }
    var element = XcodeModelElement(
      kind: name, values: values, position: position(parser), log: log, entity: entity?.name,
      property: attribute?.name ?? relationship?.name)
    if let misplacement = XcodeModelFormat.misplacement(of: name, in: parent) {
      skippedDepth = 1
      element.warning(misplacement)
      return
    }
    switch name {
    case "entity": element.entity = element.name
    case "attribute", "relationship": element.property = element.name
    default: break
    }
    guard isRead(element) else {
      skippedDepth = 1
      return
    }
    open.append(name)
  }

  /// Reads an element; false if it has no data.
  private func isRead(_ element: XcodeModelElement) -> Bool {
    element.reportUnknownNames()
    switch element.kind {
    case "entity":
      entity = element.describedEntity()
      log.source?.note(element.position, entity: element.name)
    case "attribute":
      attribute = element.describedAttribute()
      notePlace(of: element)
    case "relationship":
      relationship = element.describedRelationship()
      notePlace(of: element)
    case "fetchIndex":
      fetchIndex = []
    case "fetchIndexElement":
      fetchIndex.append(element.values["property"])
    case "userInfo":
      break
    case "entry":
      annotate(element)
    default:
      return false
    }
    return true
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard skippedDepth == 0 else {
      skippedDepth -= 1
      return
    }
    open.removeLast()
    switch name {
    case "attribute":
      if let attribute { entity?.attributes.append(attribute) }
      attribute = nil
    case "relationship":
      if let relationship { entity?.relationships.append(relationship) }
      relationship = nil
    case "fetchIndex":
      // Graft has no indexes of several attributes.
      if fetchIndex.count == 1, let name = fetchIndex[0] { indexedNames.insert(name) }
    case "entity":
      markIndexed()
      if let entity { entities.append(entity) }
      entity = nil
    case "model":
      progress = .isComplete
    default:
      break
    }
  }

  private func annotate(_ element: XcodeModelElement) {
    guard let key = element.values["key"] else {
      return element.error(
        "an annotation has no key; name it as in <entry key=\"…\" value=\"…\"/>")
    }
    let value = element.values["value"] ?? ""
    if attribute != nil {
      attribute?.userInfo[key] = value
    } else if relationship != nil {
      relationship?.userInfo[key] = value
    } else {
      entity?.userInfo[key] = value
    }
  }

  /// Marks the attributes that have a fetch index as indexed, all at once, since an entity may have many of both.
  private func markIndexed() {
    for (number, attribute) in (entity?.attributes ?? []).enumerated()
    where indexedNames.contains(attribute.name) {
      entity?.attributes[number].isIndexed = true
    }
    indexedNames = []
  }

  private func notePlace(of property: XcodeModelElement) {
    guard let entity else { return }
    log.source?.note(property.position, entity: entity.name, property: property.name)
  }

  private func start(_ name: String, _ parser: XMLParser) {
    guard name == "model" else {
      progress = .failed(
        ModelError(
          "expected the root element \"model\" of an Xcode data model, found \"\(name)\"",
          file: file, at: position(parser)))
      parser.abortParsing()
      return
    }
    progress = .isInModel
  }

  private func position(_ parser: XMLParser) -> SourceLocation {
    text.startOfTag(endingAtLine: parser.lineNumber, column: parser.columnNumber)
  }

  private func malformed(_ error: (any Error)?, _ parser: XMLParser) -> ModelError {
    ModelError(
      "malformed XML, \(Self.reason(of: error)); restore the file or save it anew with Xcode",
      file: file, at: text.location(line: parser.lineNumber, column: parser.columnNumber),
      underlyingError: error)
  }

  /// Returns the meaning of the parser's error code, for the codes that occur often.
  private static func reason(of error: (any Error)?) -> String {
    switch (error as NSError?)?.code {
    case 4: "the document is empty"
    case 5, 77: "the document ends too early"
    case 9: "a character is not allowed"
    case 26: "an entity is not known"
    case 39, 40: "an attribute's value is not quoted"
    case 41: "an attribute has no value"
    case 42: "an attribute occurs twice"
    case 65: "white space is missing"
    case 68: "a name is missing"
    case 73: "a \">\" is missing"
    case 76: "the tags do not match"
    case let code?: "code \(code) of the XML parser"
    case nil: "the document ends too early"
    }
  }
}

/// The bytes of an XML document, and where in it something is.
///
/// `XMLParser` gives a line and a column only, and of a tag it gives the end. Errors are reported at
/// the beginning of a tag, which is found by going back to the nearest `<`: inside a tag there can
/// be none.
struct XMLText {
  private let bytes: [UInt8]
  /// The offset at which each line begins.
  private let lineStarts: [Int]

  init(_ data: Data) {
    bytes = Array(data)
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(offset + 1)
    }
    lineStarts = starts
  }

  /// Returns the place at a line and a column, both counted from 1 and the column in bytes.
  func location(line: Int, column: Int) -> SourceLocation {
    let (line, column) = (max(1, line), max(1, column))
    let start = line <= lineStarts.count ? lineStarts[line - 1] : bytes.count
    let offset = min(start + column - 1, bytes.count)
    return SourceLocation(offset: offset, line: line, column: column)
  }

  /// Returns the place where the tag begins that ends at a line and a column.
  func startOfTag(endingAtLine line: Int, column: Int) -> SourceLocation {
    let end = location(line: line, column: column)
    guard line <= lineStarts.count, !bytes.isEmpty else { return end }
    var offset = min(end.offset, bytes.count - 1)
    while offset > 0, bytes[offset] != UInt8(ascii: "<") { offset -= 1 }
    var row = end.line - 1
    while row > 0, lineStarts[row] > offset { row -= 1 }
    return SourceLocation(offset: offset, line: row + 1, column: offset - lineStarts[row] + 1)
  }

  /// The place of the first byte that is not UTF-8; nil if all are.
  var malformedCharacter: SourceLocation? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&rest) { offset += UTF8.width(scalar) }
    let row = lineStarts.lastIndex { $0 <= offset } ?? 0
    return SourceLocation(offset: offset, line: row + 1, column: offset - lineStarts[row] + 1)
  }
}
