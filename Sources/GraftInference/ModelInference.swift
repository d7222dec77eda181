public import Foundation
public import Graft
import GraftExport
import Synchronization

/// Infers a model from documents.
///
/// Documents are fed in chunks, as to a ``Graft/JSONImporter``; several are evidence for one model.
///
/// ```swift
/// let inference = ModelInference()
/// try inference.parse(data)
/// let model = try inference.finish()
/// let store = GraphStore(model: try model.graphModel())
/// ```
///
/// Memory grows with the number of different places in the documents, and not with the number of
/// values. The methods may be called from any thread, one at a time.
public final class ModelInference: Sendable {
  private let session: Mutex<InferenceSession>

  /// Creates an inference without evidence.
  ///
  /// - Parameter options: What is known of the documents.
  public init(options: InferenceOptions = InferenceOptions()) {
    session = Mutex(InferenceSession(options: options))
  }

  /// Begins a document.
  ///
  /// - Parameters:
  ///   - rootName: The name of the objects, if the document is an array of them; nil if unknown.
  ///   - fileName: The name of the document's file, which names the objects at its root if nothing
  ///     else does: `users.json` holds users.
  ///   - options: The options of the parser.
  /// - Throws: ``Graft/ParsingError`` if the document before it is not at its end.
  public func beginDocument(
    rootName: String? = nil, fileName: String? = nil, options: ParserOptions = ParserOptions()
  ) throws {
    try session.withLock { try $0.beginDocument(rootName, fileName, options) }
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: The next bytes of the document, cut anywhere.
  /// - Throws: ``Graft/ParsingError``.
  /// - Complexity: O(*n*) in the number of bytes.
  public func parse(_ chunk: RawSpan) throws {
    try session.withLock { try $0.parse(chunk) }
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: The next bytes of the document, cut anywhere.
  /// - Throws: ``Graft/ParsingError``.
  /// - Complexity: O(*n*) in the number of bytes.
  public func parse(_ chunk: some ContiguousBytes) throws {
    try chunk.withRawSpan { try parse($0) }
  }

  /// Ends the document.
  ///
  /// - Throws: ``Graft/ParsingError`` where something is missing.
  public func endDocument() throws { try session.withLock { try $0.endDocument() } }

  /// Finds the model of all documents.
  ///
  /// - Returns: The model.
  /// - Throws: ``Graft/ParsingError`` if the last document is incomplete,
  ///   ``GraftInference/InferenceError`` if the documents have no objects, or an option has an
  ///   unknown name.
  /// - Complexity: Depends on the number of places, which is limited.
  public func finish() throws -> InferredModel {
    try session.withLock { session in
      InferredModel(try session.draft(), truncatedTo: session.exceededPlaceLimit)
    }
  }

  // MARK: The second look

  /// Begins to read the documents a second time.
  ///
  /// - Parameters:
  ///   - sourceCount: The number of documents that can be read again.
  ///   - exclusions: The conclusions that the documents contradict.
  /// - Throws: ``Graft/ModelError`` where a name that was given does not fit,
  ///   ``GraftInference/InferenceError`` where not all documents can be read again.
  func beginSecondLook(at sourceCount: Int, excluding exclusions: Exclusions) throws {
    try session.withLock { session in
      let look = try SecondLook(try session.draft(excluding: exclusions))
      let count = look.draft.documents.count
      guard sourceCount == count else {
        throw InferenceError(
          "expected a source for each of \(count) documents that were read, found \(sourceCount)")
      }
      session.secondLook = look
    }
  }

  /// Reads the documents a second time, one after the other.
  func withSecondLook(_ body: (SecondLook) throws -> Void) throws {
    try session.withLock { session in
      if let look = session.secondLook { try body(look) }
    }
  }

  /// Ends the second look.
  ///
  /// - Parameters:
  ///   - exclusions: Gets the conclusions that the documents contradict.
  ///   - canExclude: Whether the documents can be read once more, without these.
  /// - Returns: The model; nil where there are such conclusions.
  /// - Throws: The error of an export.
  func finishSecondLook(_ exclusions: inout Exclusions, canExclude: Bool) throws -> InferredModel? {
    try session.withLock { session in
      defer { session.secondLook = nil }
      guard let look = session.secondLook else { return nil }
      let findings = look.findingsOfImport()
      let found = canExclude ? Verification(look.draft, findings).exclusions : Exclusions()
      guard found.isEmpty else {
        exclusions.formUnion(found)
        return nil
      }
      let verification = Verification(look.draft, try look.compare(findings))
      verification.apply()
      return InferredModel(
        look.draft, truncatedTo: session.exceededPlaceLimit, verification, compiled: look.model)
    }
  }
}

/// The documents of an inference, and the reader of the one that is being read.
private struct InferenceSession {
  private let options: InferenceOptions
  private var documents: [SurveyedDocument] = []
  private var reader: EventParser?
  /// Reads the documents again.
  var secondLook: SecondLook?

  init(options: InferenceOptions) { self.options = options }

  mutating func beginDocument(
    _ rootName: String?, _ fileName: String?, _ options: ParserOptions
  ) throws {
    try endDocument()
    var options = options
    options.format = options.format ?? fileName.flatMap { ParserOptions.Format.named(by: $0) }
    let survey = ShapeSurvey(
      knownPlaces: documents.last?.survey.placeCount ?? 0, placeLimit: self.options.placeLimit)
    documents.append(
      SurveyedDocument(
        survey: survey, rootName: rootName, fileName: fileName, options: options))
    reader = EventParser(sendingTo: survey, options: options)
  }

  mutating func parse(_ chunk: RawSpan) throws {
    if reader == nil { try beginDocument(nil, nil, ParserOptions()) }
    try reader?.parse(chunk)
  }

  mutating func endDocument() throws {
    let reader = reader
    self.reader = nil
    try reader?.finish()
  }

  /// The limit of places, if there are more; nil otherwise.
  var exceededPlaceLimit: Int? {
    documents.contains { $0.survey.isTruncated } ? options.placeLimit : nil
  }

  /// Finds the model of all documents.
  ///
  /// - Parameter exclusions: The conclusions that the documents contradict.
  /// - Returns: Its draft.
  /// - Throws: ``Graft/ParsingError``, or ``GraftInference/InferenceError`` where there is none.
  mutating func draft(excluding exclusions: Exclusions = Exclusions()) throws -> ModelDraft {
    try endDocument()
    guard var draft = ModelDrafting.model(of: documents, exclusions: exclusions, options: options)
    else {
      throw InferenceError(documents.first?.survey.root ?? Shape())
    }
    if !options.identities.isEmpty {
      let identities = try GivenIdentities(options.identities, in: draft).byPath
      draft =
        ModelDrafting.model(
          of: documents, identities: identities, exclusions: exclusions, options: options) ?? draft
    }
    if let fault = draft.fault { throw fault }
    return draft
  }
}

/// The identities that the user has given, by the places of their entities.
private struct GivenIdentities {
  private(set) var byPath: [String: [String]] = [:]

  init(_ identities: [String: [String]], in model: ModelDraft) throws {
    for (name, attributes) in identities.sortedByKey() {
      guard let draft = model.reachable.first(where: { $0.name == name }) else {
        throw InferenceError(
          "there is no entity \"\(name)\""
            + suggestion(for: name, in: model.reachable.map(\.name)))
      }
      let keys = try attributes.map { attribute in
        guard let property = draft.properties.first(where: { $0.isNamed(attribute) }) else {
          throw InferenceError(
            "\(name) has no \"\(attribute)\""
              + suggestion(for: attribute, in: draft.properties.map(\.name)))
        }
        if case .relationship = property.role {
          throw InferenceError(
            "\(name).\(attribute) has objects in it; name attributes by which \(name) is identified"
          )
        }
        return property.path == [.key] ? "@key" : property.key
      }
      for place in draft.places { byPath[model.table[place].path] = keys }
    }
  }
}

/// A model that was inferred from documents.
public struct InferredModel: Sendable {
  /// The objects at the root of a document.
  public struct Root: Sendable, Hashable {
    /// The name of their entity.
    public let entity: String
    /// The path of the objects: the document itself and its elements, or its members.
    public let path: JSONPath
    /// The root for importing the objects.
    public var importRoot: ImportRoot { ImportRoot(entity, at: path) }

    package init(entity: String, path: JSONPath) {
      (self.entity, self.path) = (entity, path)
    }
  }

  /// The entities.
  public let entities: [EntityDescription]
  /// The objects at the root of each document, in the order of the documents; nil where a document has none.
  public let roots: [Root?]
  /// The conclusions, with the reasons for them.
  public let findings: [InferenceFinding]
  /// Descriptions of parts that were not read.
  public internal(set) var notices: [String]
  /// Whether the documents were read a second time, and nothing is estimated.
  public let isVerified: Bool
  /// Whether the first document is one of lines.
  let isNDJSON: Bool
  /// Facts about the data of each entity, by its name.
  let facts: [String: EntityFacts]
  /// The model of the entities, if it is compiled already.
  private let compiled: GraphModel?

  /// - Parameters:
  ///   - draft: The draft of the model.
  ///   - placeLimit: The limit of places, if there are more.
  ///   - verification: The results of a second look; nil without one.
  ///   - compiled: The model by which the second look was taken.
  init(
    _ draft: ModelDraft, truncatedTo placeLimit: Int?, _ verification: Verification? = nil,
    compiled: GraphModel? = nil
  ) {
    roots = draft.rootPaths.map { root in root.map { Root(entity: $0.entity, path: $0.path) } }
    entities = ModelAssembly(draft).entities
    self.compiled = compiled?.entities == entities ? compiled : nil
    findings = Explanation(draft, verification).findings
    isVerified = verification != nil
    isNDJSON = draft.documents.first?.options.format == .ndjson
    facts = Dictionary(
      draft.reachable.map { ($0.name, EntityFacts($0, in: draft.table)) },
      uniquingKeysWith: { first, _ in first })
    notices =
      placeLimit.map {
        ["the documents have more than \($0) different places; what lies beyond is kept as JSON"]
      } ?? []
    notices += roots.compactMap(\.self).compactMap { root in
      guard case .element(let position)? = root.path.steps.first else { return nil }
      return "the list at [\(position)] is imported, and not the objects beside it"
    }
  }

  /// A sentence about each entity: the number of its objects, its identity, and the places of its objects.
  public var overview: [String] {
    entities.filter { $0.superentity == nil }.map { entity in
      let kinds = entities.filter { $0.superentity == entity.name }.map(\.name)
      let places = facts[entity.name]?.places ?? []
      let shown = places.prefix(3).map { $0 == "$" ? "the root" : $0 }
      let more = places.count - shown.count
      return "\(entity.name): \(entity.userInfo[ModelAnnotations.evidence] ?? "")"
        + (entity.identity.map { ", by \($0.joined(separator: " + "))" } ?? "")
        + (kinds.isEmpty ? "" : "; each is \(AnnotationReader.enumeration(of: kinds, with: "or"))")
        + "; at \(AnnotationReader.enumeration(of: Array(shown), with: "and"))"
        + (more > 0 ? " and \(more) more" : "")
    }
  }

  /// The nested objects of each entity; a line for each entity that has any.
  public var structure: [String] {
    entities.compactMap { entity in
      let parts = entity.relationships.filter { $0.policies.export != .identifier }.map { part in
        (part.isToMany ? "⇉ " : "→ ") + part.destination + " at "
          + (AnnotationWriter.annotations(of: part)["JSONKeyPath"] ?? part.name)
      }
      return parts.isEmpty ? nil : "\(entity.name) holds \(parts.joined(separator: ", "))"
    }
  }

  /// Returns the model, compiled and checked.
  ///
  /// - Throws: ``Graft/ModelError`` where a name that was given does not fit.
  public func graphModel() throws(ModelError) -> GraphModel {
    if let compiled { return compiled }
    return try GraphModel(entities: entities, dialect: .graft)
  }

  /// Returns the model, with the objects that an import without named roots reads.
  ///
  /// - Parameter roots: Their entities and paths.
  /// - Returns: The model.
  /// - Throws: ``Graft/ModelError`` where a name that was given does not fit.
  package func graphModel(importing roots: [Root]) throws(ModelError) -> GraphModel {
    var entities = entities
    for index in entities.indices {
      let root = roots.first { $0.entity == entities[index].name }
      entities[index].userInfo[ModelAnnotations.root] = root.map { $0.path.description }
    }
    return try GraphModel(entities: entities, dialect: .graft)
  }

  /// Returns the list that the object at a root holds, such as `items` of `{"items": […], "next": "…"}`.
  ///
  /// - Parameter root: The object.
  /// - Returns: The list; nil if the object has an identity, or no list or several.
  package func onlyList(in root: Root) -> Root? {
    guard let entity = entities.first(where: { $0.name == root.entity }),
      root.path.steps.isEmpty, entity.identity?.isEmpty ?? true
    else { return nil }
    let lists = entity.relationships.filter(\.isToMany)
    guard lists.count == 1, let list = lists.first,
      let path = try? JSONPath(
        AnnotationWriter.annotations(of: list)["JSONKeyPath"] ?? list.name)
    else { return nil }
    return Root(entity: list.destination, path: path)
  }
}
