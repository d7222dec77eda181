// Reads the XML that Xcode writes into `Model.xcdatamodel/contents`:
//
//   model > entity > attribute | relationship | fetchedProperty | userInfo > entry
//
// The parser's delegate is a class because XMLParser asks for one; it lives for one call of `read`
// and on one thread. Elements of no concern (editor layout, configurations, fetch requests,
// uniqueness constraints) are stepped over. Faults of single values are kept and told together; XML
// that is not well-formed ends the reading.

import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads Xcode's model XML.
final class XcodeModelReader: NSObject, XMLParserDelegate {
  private var document: ModelDocument
  private var faults: [ModelIssue] = []
  private var entity: EntityDescription?
  private var attribute: AttributeDescription?
  private var relationship: RelationshipDescription?
  /// How deep inside an element of no concern the reader is.
  private var skippedDepth = 0
  private var hasModel = false

  private init(file: String) {
    document = ModelDocument(source: ModelSource(file: file))
  }

  /// Reads a model.
  ///
  /// - Parameters:
  ///   - data: The XML.
  ///   - file: The path that errors name.
  /// - Returns: The entities as they are described, still unchecked.
  /// - Throws: ``ModelError`` with the place of each fault.
  static func read(_ data: Data, file: String) throws(ModelError) -> ModelDocument {
    let reader = XcodeModelReader(file: file)
    let parser = XMLParser(data: data)
    parser.delegate = reader
    parser.shouldResolveExternalEntities = false
    let isComplete = parser.parse()
    if let fault = reader.faults.first, !reader.hasModel { throw ModelError([fault]) }
    guard isComplete else {
      throw ModelError(
        "malformed XML, \(XMLFault.text(of: parser.parserError)); restore the file or save it "
          + "anew with Xcode",
        file: file, line: max(1, parser.lineNumber), column: max(1, parser.columnNumber))
    }
    guard reader.faults.isEmpty else { throw ModelError(reader.faults) }
    return reader.document
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes values: [String: String]
  ) {
    guard skippedDepth == 0 else {
      skippedDepth += 1
      return
    }
    let element = XcodeModelElement(values: values)
    switch name {
    case "model":
      hasModel = true
    case _ where !hasModel:
      keep(
        ["expected the root element \"model\" of an Xcode data model, found \"\(name)\""], parser)
      parser.abortParsing()
    case "entity":
      entity = element.entity()
      document.source.note(line: parser.lineNumber, entity: element.name)
    case "attribute" where entity != nil:
      let (description, faults) = element.attribute()
      attribute = description
      note(description.name, faults, parser)
    case "relationship" where entity != nil:
      let (description, faults) = element.relationship()
      relationship = description
      note(description.name, faults, parser)
    case "userInfo":
      break
    case "entry":
      annotate(element)
    default:
      skippedDepth = 1
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard skippedDepth == 0 else {
      skippedDepth -= 1
      return
    }
    switch name {
    case "attribute":
      if let attribute { entity?.attributes.append(attribute) }
      attribute = nil
    case "relationship":
      if let relationship { entity?.relationships.append(relationship) }
      relationship = nil
    case "entity":
      if let entity { document.entities.append(entity) }
      entity = nil
    default:
      break
    }
  }

  private func annotate(_ element: XcodeModelElement) {
    guard let key = element.values["key"] else { return }
    let value = element.values["value"] ?? ""
    if attribute != nil {
      attribute?.userInfo[key] = value
    } else if relationship != nil {
      relationship?.userInfo[key] = value
    } else {
      entity?.userInfo[key] = value
    }
  }

  private func note(_ property: String, _ faults: [String], _ parser: XMLParser) {
    if let entity {
      document.source.note(line: parser.lineNumber, entity: entity.name, property: property)
    }
    keep(faults, property: property, parser)
  }

  private func keep(_ messages: [String], property: String? = nil, _ parser: XMLParser) {
    let location = ModelIssue.Location(
      file: document.source.file, line: parser.lineNumber, column: nil)
    faults += messages.map {
      ModelIssue(entity: entity?.name, property: property, message: $0, location: location)
    }
  }
}
