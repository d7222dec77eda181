/// How an export writes objects.
///
/// Annotations of the model say where and how properties are written; these options say what no
/// annotation does, and ``styles`` overrides both.
public struct ExportOptions: Sendable, Hashable {
  /// The order of the keys of an object.
  public enum KeyOrder: String, Sendable, Hashable, CaseIterable {
    /// That of the model: attributes, then relationships, inherited ones first.
    case model
    /// That of the code points of the keys.
    case sorted
  }

  /// What becomes of an object that has been written already and is met again elsewhere.
  public enum RepeatPolicy: String, Sendable, Hashable, CaseIterable {
    /// It is written in full, unless it leads to objects without identity, which an import would
    /// insert again each time. Then it is written as its identity.
    case automatic
    /// It is written in full each time.
    case nested
    /// It is written as its identity, so that the size of an export is bounded by that of the graph.
    case identifier
  }

  /// Whether attributes without a value and relationships to nothing are written as `null`.
  ///
  /// Otherwise they are left out, unless the absence of the key would mean a default value.
  public var writesNull: Bool = true
  /// Whether a to-many relationship without members is written as `[]`; otherwise it is left out.
  public var writesEmpty: Bool = true
  /// Whether the text is broken into lines and indented.
  public var isPretty: Bool = false
  /// Whether each object is written on a line of its own, without an array around them; lines are
  /// never pretty.
  public var isNDJSON: Bool = false
  /// The order of the keys of an object.
  public var keyOrder: KeyOrder = .model
  /// How related objects are written where no annotation says.
  public var relationships: ExportStyle = .nested
  /// How properties are written, by the names of their entities and their own, such as
  /// `["Tweet": ["author": .identifier]]`; holds for sub-entities too.
  public var styles: [String: [String: ExportStyle]] = [:]
  /// How deep objects are nested in one another; deeper ones are written as their identities.
  ///
  /// 0 nests none; nil sets no bound but ``nestingLimit``.
  public var depth: Int?
  /// What becomes of an object that is met again elsewhere than inside itself.
  public var repeats: RepeatPolicy = .automatic
  /// How deep objects may nest before it is an error, 1000 at most, which is what an import reads
  /// where nothing else is asked of it.
  ///
  /// Writing takes up to 2 KiB of stack for each level in a release build, and more in a debug
  /// build. The default fits a thread of 512 KiB; more is safe where there is more, such as on the
  /// main thread.
  public var nestingLimit: Int = 256
  /// How many objects may nest in one before it is an error: a graph in which everything leads to
  /// everything has more paths than there is room for.
  public var objectLimit: Int = 1_000_000

  /// Creates the options that hold where nothing else is asked for.
  public init() {}

  /// Says how a property of a typed entity is written; see ``styles``.
  ///
  /// ```swift
  /// options.write(\Tweet.author, as: .identifier)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property's key path; it holds for the entities below its own too.
  ///   - style: How it is written.
  public mutating func write<E: Entity, P: Property>(
    _ property: KeyPath<E, P>, as style: ExportStyle
  ) {
    guard let name = EntityType<E>.shared.name(of: property) else {
      misuse("the key path leads to no property that \(E.entityName) declares")
    }
    styles[E.entityName, default: [:]][name] = style
  }
}
