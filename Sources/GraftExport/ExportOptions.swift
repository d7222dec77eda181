import Graft

/// The options for writing objects.
///
/// Annotations of the model state where and how properties are written. These options hold without
/// an annotation, and ``styles`` overrides both.
public struct ExportOptions: Sendable, Hashable {
  /// The order of the keys of an object.
  public enum KeyOrder: String, Sendable, Hashable, CaseIterable {
    /// The model's order: attributes, then relationships, inherited ones first.
    case model
    /// The order of the keys' code points.
    case sorted
  }

  /// The form of an object that occurs again after it has been written.
  public enum RepeatPolicy: String, Sendable, Hashable, CaseIterable {
    /// The object is written in full. If it leads to objects without identity, which an import
    /// would insert again each time, it is written as its identity.
    case automatic
    /// The object is written in full each time.
    case nested
    /// The object is written as its identity, so that the size of an export is bounded by the size
    /// of the graph.
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
  /// The form of related objects for which no annotation states one.
  public var relationships: ExportStyle = .nested
  /// The form of properties, by entity name and property name, such as
  /// `["Tweet": ["author": .identifier]]`.
  ///
  /// A form holds for sub-entities too.
  public var styles: [String: [String: ExportStyle]] = [:]
  /// The mapping by which the objects were imported, if it differs from the model's.
  ///
  /// A property that it names is written to the first of its paths there.
  public var mapping: JSONMapping?
  /// The number of levels to which objects are nested; deeper objects are written as their
  /// identities.
  ///
  /// 0 nests none; nil sets no bound but ``nestingLimit``.
  public var depth: Int?
  /// The form of an object that occurs again elsewhere than inside itself.
  public var repeats: RepeatPolicy = .automatic
  /// The greatest depth of nested objects, at most 1000; deeper nesting is an error.
  ///
  /// An import with default options reads up to 1000 levels.
  ///
  /// Writing takes up to 2 KiB of stack for each level in a release build, and more in a debug
  /// build. The default fits a thread of 512 KiB; more is safe where there is more, such as on the
  /// main thread.
  public var nestingLimit: Int = 256
  /// The greatest number of objects nested in one object; more are an error.
  ///
  /// In a densely connected graph there are more paths between objects than there is memory for.
  public var objectLimit: Int = 1_000_000

  /// Creates the default options.
  public init() {}

  /// Sets the form of a property of a typed entity; see ``styles``.
  ///
  /// ```swift
  /// options.write(\Tweet.author, as: .identifier)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property's key path; it holds for the entities below its own too.
  ///   - style: The form in which it is written.
  public mutating func write<E: Entity, P: Property>(
    _ property: KeyPath<E, P>, as style: ExportStyle
  ) {
    guard let name = EntityType<E>.shared.name(of: property) else {
      misuse("the key path leads to no property that \(E.entityName) declares")
    }
    styles[E.entityName, default: [:]][name] = style
  }
}
