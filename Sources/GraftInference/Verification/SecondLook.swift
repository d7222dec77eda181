// The first look counts with sketches, in memory that does not grow with the document. The second one imports the
// documents by the model, into a store of its own, and exports them again:
//
//   document ─┬─► JSONImporter ─► GraphStore ─► JSONExporter ─► ContentSurvey ─┐
//             └─► ContentSurvey ───────────────────────────────────────────────┴─► LossSearch
//
// Nothing is estimated: the store has each identity once, and knows which were given two values and
// which identifiers have an object. The two surveys have counted every value.

import Graft
import GraftExport

/// Reads documents a second time, by the model that the first time gave.
final class SecondLook {
  /// The most bytes of JSON to read again; the graph of so much JSON fits into any machine's
  /// memory.
  static let byteLimit = 256 << 20

  /// The reason why the second look was abandoned.
  struct LimitExceeded: Error {}

  let draft: ModelDraft
  private let documents: [SurveyedDocument]
  let model: GraphModel
  private let store: GraphStore
  /// The entity that each sub-entity inherits from.
  private let superentities: [String: String]
  private let byteLimit: Int
  private var byteCount = 0
  private var roots: [Root] = []
  private var importer: JSONImporter?
  private var reader: EventParser?

  /// The objects at the root of a document.
  private struct Root {
    var place: ComparedPlace
    var report = ImportReport()
  }

  /// The results of the second look for an entity.
  struct EntityFacts {
    /// The number of distinct objects, without stubs.
    var identityCount: Int
    /// The number of objects with two values of one attribute.
    var conflictCount: Int
    /// The attributes with two values.
    var attributes: [String]
    /// The first of these values, in words.
    var example: String?
  }

  /// The results of the second look.
  struct Findings {
    var entities: [String: EntityFacts] = [:]
    /// The number of a relationship's distinct identifiers that name an object: `Event.topicIds`.
    var references: [String: (common: Int, compared: Int)] = [:]
    var losses: [String: [InferenceFinding]] = [:]
    /// The values and objects that an import by the model skips.
    var issues: [ImportIssue] = []
    /// The entities with losses other than absent, null and empty values.
    var changedEntities: Set<String> = []
  }

  /// - Throws: ``Graft/ModelError`` where a name that was given does not fit.
  init(_ draft: ModelDraft, byteLimit: Int = SecondLook.byteLimit) throws(ModelError) {
    self.draft = draft
    self.byteLimit = byteLimit
    documents = draft.documents
    model = try ModelAssembly(draft).graphModel()
    store = GraphStore(model: model)
    superentities = Dictionary(
      model.entities.compactMap { entity in entity.superentity.map { (entity.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Begins a document.
  ///
  /// - Parameter number: The number of the document in the first look.
  /// - Throws: `ImportError` where it cannot be imported.
  func beginDocument(_ number: Int) throws {
    let document = documents[number]
    let shape = document.survey.root
    let outermost = ComparedPlace(shape)
    var place = outermost
    if let root = draft.table.roots[number] {
      let found = draft.table[root]
      if found.shape === shape.eachMember, let each = outermost.eachMember {
        place = each
      } else if found.shape === shape.element {
        place = outermost.makeElement()
      } else if found.shape === shape.element?.element {
        place = outermost.makeElement().makeElement()
      }
      var options = ImportOptions()
      options.parser = document.options
      options.errorPolicy = .skipValue
      options.listsRootObjects = true
      options.fileName = document.fileName
      let steps = JSONPath(found.steps)
      importer = try store.makeImporter(
        [ImportRoot(draft.draft(at: root).name, at: found.steps.isEmpty ? nil : "\(steps)")],
        options: options)
    }
    roots.append(Root(place: place))
    reader = EventParser(
      sendingTo: ContentSurvey(document: outermost, placeLimit: draft.options.placeLimit),
      options: document.options)
  }

  /// Reads the next bytes of the document.
  func parse(_ chunk: RawSpan) throws {
    byteCount += chunk.byteCount
    guard byteCount <= byteLimit else { throw LimitExceeded() }
    try importer?.parse(chunk)
    try reader?.parse(chunk)
  }

  /// Ends the document.
  func endDocument() throws {
    if let report = try importer?.finish() { roots[roots.count - 1].report = report }
    try reader?.finish()
    importer = nil
    reader = nil
  }

  /// Returns the findings of the import, from which exclusions follow.
  func findingsOfImport() -> Findings {
    var findings = Findings()
    findings.issues = roots.flatMap(\.report.issues)
    let graph = store.graph
    let counts = Dictionary(
      grouping: roots.flatMap(\.report.entities), by: { superentities[$0.entity] ?? $0.entity })
    for entity in draft.reachable {
      findings.entities[entity.name] = facts(of: entity, counts[entity.name] ?? [], graph)
    }
    return findings
  }

  /// Exports the imported objects, and compares.
  ///
  /// - Parameter findings: The findings of the import.
  /// - Returns: These, with the references and losses.
  /// - Throws: The error of an export.
  func compare(_ findings: Findings) throws -> Findings {
    var findings = findings
    let graph = store.graph
    for entity in draft.reachable {
      for property in entity.properties {
        guard case .reference = property.role else { continue }
        findings.references["\(entity.name).\(property.name)"] = try references(
          of: property, in: entity, graph)
      }
    }
    var search = LossSearch(draft)
    let exporter = try JSONExporter(model: model)
    for root in roots {
      let reader = EventParser(
        sendingTo: ContentSurvey(
          exportAt: root.place, placeLimit: draft.options.placeLimit), options: Self.exportOptions)
      let objects = root.report.roots.first?.ids.lazy.compactMap { graph.object($0) }
      guard let objects else { continue }
      do {
        try exporter.write(.objects(objects)) { try reader.parse($0) }
        try reader.finish()
      } catch let error as ExportError {
        note(error, in: &findings)
        return findings
      }
      search.compare(root.place)
    }
    findings.losses.merge(search.losses) { $1 + $0 }
    findings.changedEntities = search.changedEntities
    noteIssues(in: &findings)
    return findings
  }

  private static var exportOptions: ParserOptions {
    var options = ParserOptions()
    options.engine = .native
    options.limits.depth = 2048
    return options
  }

  private func note(_ error: ExportError, in findings: inout Findings) {
    guard let entity = draft.reachable.first else { return }
    findings.losses[entity.name, default: []].append(
      InferenceFinding(
        subject: entity.name, evidence: "no export writes it: \(error)", certainty: .loss))
  }

  /// Notes the values and objects that an import by the model skips.
  private func noteIssues(in findings: inout Findings) {
    for root in roots {
      for issue in root.report.issues.prefix(20) {
        let entity = issue.error.entity ?? draft.reachable.first?.name ?? ""
        let subject = issue.error.property.map { "\(entity).\($0)" } ?? entity
        findings.losses[entity, default: []].append(
          InferenceFinding(
            subject: subject,
            evidence: "an import skips \(issue.error.message) at \(issue.error.path)",
            certainty: .loss))
      }
    }
  }

  // MARK: Identities and references

  private func facts(
    of entity: EntityDraft, _ counts: [ImportReport.EntityCount], _ graph: Graph
  ) -> EntityFacts {
    let names = names(of: entity)
    let objects = (try? graph.objects(entity.name)).map { $0.count { !$0.isStub } } ?? 0
    var attributes: [String] = []
    for name in counts.flatMap(\.conflictingAttributes) where !attributes.contains(name) {
      attributes.append(name)
    }
    let notice = roots.lazy.flatMap(\.report.notices).map(\.error).first {
      $0.kind == .conflict && names.contains($0.entity ?? "")
    }
    return EntityFacts(
      identityCount: objects, conflictCount: counts.reduce(0) { $0 + $1.conflicting },
      attributes: attributes,
      example: notice.map { "\($0.expected ?? "") and \($0.found ?? "")" })
  }

  /// Returns the names of an entity and its sub-entities.
  private func names(of entity: EntityDraft) -> Set<String> {
    var names: Set<String> = [entity.name]
    if entity.variants != nil {
      for (name, superentity) in superentities where superentity == entity.name {
        names.insert(name)
      }
    }
    return names
  }

  /// Returns the number of distinct objects that a relationship identifies and that exist, and the number compared.
  private func references(
    of property: PropertyDraft, in entity: EntityDraft, _ graph: Graph
  ) throws -> (common: Int, compared: Int) {
    let names = names(of: entity)
    var targets: Set<ObjectID> = []
    var known = 0
    for owner in model.entities where names.contains(owner.name) {
      guard let relationship = owner.relationships.first(where: { $0.name == property.name }) else {
        continue
      }
      for object in try graph.objects(owner.name) {
        let found =
          relationship.isToMany
          ? object.objects(property.name) : object.object(property.name).map { [$0] } ?? []
        for target in found where targets.insert(target.id).inserted && !target.isStub {
          known += 1
        }
      }
    }
    return (known, targets.count)
  }
}
