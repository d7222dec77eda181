public import Foundation

/// An error or a doubt about a model, with the place and the remedy.
public struct ModelIssue: Sendable, Hashable, CustomStringConvertible {
  /// A place in a model file or a mapping file.
  public struct Location: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file.
    public let file: String
    /// The place in the file; nil for an issue of the file as a whole.
    public let position: SourceLocation?

    /// The file, the line and the column, such as `Model.json:12:7`.
    public var description: String { position.map { "\(file):\($0)" } ?? file }
  }

  /// The entity concerned; nil for an issue of the whole model.
  public let entity: String?
  /// The attribute or relationship concerned; nil for an issue of the whole entity.
  public let property: String?
  /// The expectation, the fault and the remedy, in one line.
  public let message: String
  /// The place in the model's file; nil for a model made in code.
  public let location: Location?

  /// The issue in one line, for example `Model.xml:12:5: Hero.name: unknown attribute type "Sting",
  /// did you mean "String"?`.
  public var description: String {
    var text = location.map { "\($0): " } ?? ""
    if let entity { text += property.map { "\(entity).\($0): " } ?? "\(entity): " }
    return text + message
  }
}

/// The errors of a model, or of a mapping laid over one, in the order of the model's entities.
///
/// Errors are compared without ``underlyingError``, which need not be comparable.
public struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error; later versions may add kinds.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    /// A file is not a model or mapping: malformed XML or JSON, or a file of another kind.
    public static let file = Kind(description: "file")
    /// Entities or properties have faults, or do not fit together.
    public static let model = Kind(description: "model")
    /// A mapping has a fault, or names something that the model lacks.
    public static let mapping = Kind(description: "mapping")
  }

  /// The kind of the error.
  public let kind: Kind
  /// The errors with their places; never empty.
  public let issues: [ModelIssue]
  /// The error that caused this one, such as the ``ParsingError`` of a file that is malformed JSON.
  public var underlyingError: (any Error)? { underlying.error }

  private let underlying: UnderlyingError

  /// Creates an error of several issues.
  init(_ issues: [ModelIssue], kind: Kind = .model) {
    self.kind = kind
    self.issues = issues
    underlying = UnderlyingError(nil)
  }

  /// Creates an error of one issue that concerns a file as a whole or a place in it.
  init(
    _ message: String, file: String, at position: SourceLocation? = nil,
    underlyingError: (any Error)? = nil
  ) {
    let location = ModelIssue.Location(file: file, position: position)
    kind = .file
    issues = [ModelIssue(entity: nil, property: nil, message: message, location: location)]
    underlying = UnderlyingError(underlyingError)
  }

  /// The issues, one a line, each with its place and remedy.
  public var message: String { issues.map(\.description).joined(separator: "\n") }

  /// The message.
  public var description: String { message }
}

/// Collects a model's errors and warnings, so that one attempt reports all of them.
///
/// A log belongs to one compilation and is used by one thread. Inherited properties are read once for
/// each entity that has them, so the same issue may be reported several times; it is kept once.
final class IssueLog {
  /// The greatest number of errors, and of warnings, that are kept; a longer list would not be
  /// read.
  private static let limit = 200

  /// The errors in the order of their places in the model's file; without a file, as they were found.
  var errors: [ModelIssue] {
    found.inOrder { ($0.location?.position?.offset ?? 0) < ($1.location?.position?.offset ?? 0) }
  }
  private var found: [ModelIssue] = []
  private(set) var warnings: [ModelIssue] = []
  /// The descriptions of all issues.
  private var known: Set<String> = []
  /// The file of the model, and the places in it that are known so far; nil for a model made in code.
  var source: ModelSource?
  /// The words of messages for the parts of the model.
  let words: ModelVocabulary

  /// Creates a log.
  init(source: ModelSource? = nil, words: ModelVocabulary = .annotations) {
    self.source = source
    self.words = words
  }

  /// Whether the limit of errors is reached.
  ///
  /// Then the search can stop, and messages need not be made.
  var isFull: Bool { found.count >= Self.limit }

  // Never inlined, since a hundred places call them.

  /// Adds an error: the model cannot be used.
  ///
  /// - Parameters:
  ///   - message: The expectation, the fault and the remedy.
  ///   - entity: The entity concerned.
  ///   - property: The property concerned.
  ///   - position: The place in the file; nil for the place of the entity or property.
  @inline(never)
  func error(
    _ message: String, entity: String? = nil, property: String? = nil,
    at position: SourceLocation? = nil
  ) {
    guard !isFull, let issue = newIssue(message, entity, property, position) else { return }
    found.append(issue)
  }

  /// Adds a harmless mistake: an error in a model made in code, and a warning in one from a file,
  /// which may also serve other programs.
  func mistake(_ message: String, entity: String? = nil, property: String? = nil) {
    if source == nil {
      error(message, entity: entity, property: property)
    } else {
      warning(message, entity: entity, property: property)
    }
  }

  /// Adds a warning: the model can be used, but probably means something else than intended.
  @inline(never)
  func warning(
    _ message: String, entity: String? = nil, property: String? = nil,
    at position: SourceLocation? = nil
  ) {
    guard warnings.count < Self.limit,
      let issue = newIssue(message, entity, property, position)
    else { return }
    warnings.append(issue)
  }

  /// Returns an issue; nil if it is known already.
  private func newIssue(
    _ message: String, _ entity: String?, _ property: String?, _ position: SourceLocation?
  ) -> ModelIssue? {
    let issue = ModelIssue(
      entity: entity, property: property, message: message,
      location: source?.location(at: position, entity: entity, property: property))
    return known.insert(issue.description).inserted ? issue : nil
  }
}

extension ModelError: LocalizedError {
  /// The description, which is also the `localizedDescription`.
  public var errorDescription: String? { description }
}

/// The file a model was read from, and where in it each entity and property is.
struct ModelSource: Sendable {
  let file: String
  /// The places by the entity's name, or by both names with U+0000 between them.
  private var locations = [String: SourceLocation]()

  init(file: String) {
    self.file = file
  }

  /// Notes where an entity or a property is described; of several with the same name, the last.
  mutating func note(_ location: SourceLocation, entity: String, property: String? = nil) {
    locations[Self.name(entity, property)] = location
  }

  /// Returns a place in the file; by default the one where an entity or a property is described.
  ///
  /// The place is the entity's if the file has no such property, and the whole file if it has no
  /// such entity.
  func location(
    at position: SourceLocation?, entity: String?, property: String?
  ) -> ModelIssue.Location {
    let described = entity.flatMap { entity in
      locations[Self.name(entity, property)] ?? locations[entity]
    }
    return ModelIssue.Location(file: file, position: position ?? described)
  }

  private static func name(_ entity: String, _ property: String?) -> String {
    property.map { "\(entity)\u{0}\($0)" } ?? entity
  }
}
