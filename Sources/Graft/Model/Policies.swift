// A policy answers one question that JSON leaves open. What does `null` do? What happens to a
// member that an array no longer lists? A policy can be set at three levels, and the nearest level
// counts:
//
//   property  →  options of the import  →  dialect
//
// `missingIdentity` alone is the policy of an entity, and of no property. Each level is a value of
// `Policies`, in which nil means "not answered here". `over(_:)` lays one level over another, and
// `settled` fills the rest with Graft's own defaults.
//
// Example: `JSONNull` of an attribute says `keep`, the import's options say `.error` for `onNull` and
// `.clear` for `onAbsent`. The attribute's `null` is then kept, and its absence clears it.
//
// CONTRIBUTING.md lists the places to change for a new policy. A policy whose default depends on the
// property, such as `writtenAs`, has no field in `SettledPolicies`.

/// The behaviour of an import and an export in the cases that a document leaves open.
///
/// A policy that is nil is left to the next level. A property leaves it to the ``ImportOptions``, and
/// the options to the model's ``Dialect``. Only ``missingIdentity`` is no policy of properties: set it in an
/// ``EntityDescription``, in ``EntityOptions`` or in ``ImportOptions/entities``.
///
/// ```swift
/// options.attributes.onNull = .keep             // of all attributes for which the model says nothing
/// options.relationships = Policies(collection: .union, reference: .ignore)
/// ```
///
/// A policy has an effect where its question arises: ``collection``, for example, has one on
/// to-many relationships only.
public struct Policies: Sendable, Hashable {
  /// The effect of an explicit `null` on an attribute or a relationship.
  public var onNull: NullPolicy?
  /// The effect of an absent key on an attribute or a relationship.
  public var onAbsent: AbsentPolicy?
  /// The effect of an array on a to-many relationship that has members.
  public var collection: CollectionPolicy?
  /// The treatment of an object that a relationship loses.
  ///
  /// A to-many relationship loses a member that a replacing array no longer lists; a to-one
  /// relationship loses its object when it gets another one or none.
  public var removed: RemovedPolicy?
  /// The effect of a bare identifier that names no known object.
  public var reference: ReferencePolicy?
  /// The form in which an export writes an attribute or a relationship.
  public var export: ExportStyle?
  /// The form in which an export writes numbers and booleans of an attribute.
  ///
  /// By default, integers under a key that ends in `_str` are written as strings, and all others as values.
  public var writtenAs: WrittenForm?
  /// The treatment of an object without its identity.
  public var missingIdentity: MissingIdentityPolicy?
  /// Whether a to-many relationship accepts a single object or identifier instead of an array.
  public var wrapsSingleObjects: Bool?

  /// Creates policies with these properties.
  public init(
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    collection: CollectionPolicy? = nil,
    removed: RemovedPolicy? = nil,
    reference: ReferencePolicy? = nil,
    export: ExportStyle? = nil,
    writtenAs: WrittenForm? = nil,
    missingIdentity: MissingIdentityPolicy? = nil,
    wrapsSingleObjects: Bool? = nil
  ) {
    self.onNull = onNull
    self.onAbsent = onAbsent
    self.collection = collection
    self.removed = removed
    self.reference = reference
    self.export = export
    self.writtenAs = writtenAs
    self.missingIdentity = missingIdentity
    self.wrapsSingleObjects = wrapsSingleObjects
  }

  /// Returns these policies, with the next level's where these are nil.
  package func over(_ next: Policies) -> Policies {
    Policies(
      onNull: onNull ?? next.onNull,
      onAbsent: onAbsent ?? next.onAbsent,
      collection: collection ?? next.collection,
      removed: removed ?? next.removed,
      reference: reference ?? next.reference,
      export: export ?? next.export,
      writtenAs: writtenAs ?? next.writtenAs,
      missingIdentity: missingIdentity ?? next.missingIdentity,
      wrapsSingleObjects: wrapsSingleObjects ?? next.wrapsSingleObjects)
  }

  /// These policies, with Graft's own defaults where they are nil.
  var settled: SettledPolicies { SettledPolicies(self) }
}

/// Policies without nil: each is set, or has its default.
///
/// The initial values are Graft's own defaults.
package struct SettledPolicies: Sendable, Equatable {
  /// The value is removed; a required attribute takes its default.
  package var onNull = NullPolicy.clear
  /// An existing object keeps its value, a new one has the default.
  package var onAbsent = AbsentPolicy.keep
  /// The array's objects become the members.
  package var collection = CollectionPolicy.replace
  /// An object that a relationship loses stays in the store.
  var removed = RemovedPolicy.unlink
  /// An unknown identifier makes an object that has only its identity.
  var reference = ReferencePolicy.stub
  /// Attributes are written as their value; for relationships the export's options have a default.
  var export = ExportStyle.nested
  /// An object that lacks its identity cannot be imported.
  package var missingIdentity = MissingIdentityPolicy.error
  /// A to-many relationship needs an array.
  var wrapsSingleObjects = false

  fileprivate init(_ policies: Policies) {
    onNull = policies.onNull ?? onNull
    onAbsent = policies.onAbsent ?? onAbsent
    collection = policies.collection ?? collection
    removed = policies.removed ?? removed
    reference = policies.reference ?? reference
    export = policies.export ?? export
    missingIdentity = policies.missingIdentity ?? missingIdentity
    wrapsSingleObjects = policies.wrapsSingleObjects ?? wrapsSingleObjects
  }
}

// MARK: - Annotations

/// The elements of a model that an annotation can belong to.
package enum AnnotationOwner: Int {
  case entity
  case attribute
  case relationship

  /// The indefinite article for the owner, in messages.
  var article: String { self == .relationship ? "a" : "an" }
}

/// Describes a policy that models may name: its annotation, its valid values, and how they are read and written.
package struct PolicyAnnotation: Sendable {
  /// The name of the annotation: `JSONNull`.
  package let name: String
  /// The parameter of typed entities: `onNull`.
  package let parameter: String
  /// Whether the policy only concerns to-many relationships.
  let isForToMany: Bool
  /// The valid values, by owner.
  private let valid: [[String]]
  private let write: @Sendable (String, inout Policies) -> Void
  private let read: @Sendable (Policies) -> String?

  /// All policies that models may name, in the order of a summary and of the parameters of typed entities.
  package static let all: [PolicyAnnotation] = [
    PolicyAnnotation(
      "JSONNull", "onNull", \.onNull,
      attribute: NullPolicy.allCases, relationship: [.clear, .keep, .error]),
    PolicyAnnotation(
      "JSONAbsent", "onAbsent", \.onAbsent,
      attribute: AbsentPolicy.allCases, relationship: [.keep, .clear, .error]),
    PolicyAnnotation(
      "JSONCollection", "collection", \.collection,
      relationship: CollectionPolicy.allCases, isForToMany: true),
    PolicyAnnotation(
      "JSONRemoved", "removed", \.removed,
      relationship: RemovedPolicy.allCases),
    PolicyAnnotation(
      "JSONSingleObject", "wrapsSingleObjects", \.singleObjects,
      relationship: SingleObjectPolicy.allCases, isForToMany: true),
    PolicyAnnotation(
      "JSONReference", "reference", \.reference, relationship: ReferencePolicy.allCases
    ),
    PolicyAnnotation(
      "JSONExport", "export", \.export,
      attribute: [.nested, .omit], relationship: ExportStyle.allCases),
    PolicyAnnotation(
      "JSONWrittenAs", "writtenAs", \.writtenAs, attribute: WrittenForm.allCases),
    PolicyAnnotation(
      "JSONMissingIdentity", "missingIdentity", \.missingIdentity,
      entity: MissingIdentityPolicy.allCases),
  ]

  // Not inlined, because the list of all policies would contain nine copies.
  @inline(never)
  private init<Policy: RawRepresentable<String> & Sendable>(
    _ name: String, _ parameter: String,
    _ field: any WritableKeyPath<Policies, Policy?> & Sendable,
    entity: [Policy] = [], attribute: [Policy] = [], relationship: [Policy] = [],
    isForToMany: Bool = false
  ) {
    self.name = name
    self.parameter = parameter
    self.isForToMany = isForToMany
    valid = [entity, attribute, relationship].map { $0.map(\.rawValue) }
    write = { $1[keyPath: field] = Policy(rawValue: $0) }
    read = { $0[keyPath: field]?.rawValue }
  }

  /// Returns the values that are valid on an owner; none where the annotation is not read there.
  package func values(on owner: AnnotationOwner) -> [String] { valid[owner.rawValue] }

  /// Returns the argument of the parameter for a value, if that is not the case of its name.
  package func argument(_ value: String) -> String? {
    parameter == "wrapsSingleObjects" ? "\(value == "wrap")" : nil
  }

  /// Sets the policy to a valid value.
  func set(_ value: String, in policies: inout Policies) { write(value, &policies) }

  /// Returns the value that policies have; nil if they leave it to the next level.
  package func value(in policies: Policies) -> String? { read(policies) }

  /// Returns the names of the annotations that are read on an owner.
  static func names(on owner: AnnotationOwner) -> Set<String> {
    Set(all.filter { !$0.values(on: owner).isEmpty }.map(\.name))
  }
}

/// The values of the annotation for ``Policies/wrapsSingleObjects``.
private enum SingleObjectPolicy: String, CaseIterable {
  case error
  case wrap
}

extension Policies {
  fileprivate var singleObjects: SingleObjectPolicy? {
    get { wrapsSingleObjects.map { $0 ? .wrap : .error } }
    set { wrapsSingleObjects = newValue.map { $0 == .wrap } }
  }
}

// MARK: - The policies

/// The effect of an explicit `null` on a property.
///
/// For example, the effect of `{"id": 7, "text": null}` on the attribute `text` of tweet 7.
public enum NullPolicy: String, Sendable, Hashable, CaseIterable {
  /// The value is removed; a required attribute takes its default, and is an error if it has none.
  case clear
  /// The object keeps its value.
  case keep
  /// The attribute takes its default value.
  case `default`
  /// The object cannot be imported.
  case error
}

/// The effect of an absent key on a property.
///
/// For example, the effect of `{"id": 7}` on the attribute `text` of tweet 7.
public enum AbsentPolicy: String, Sendable, Hashable, CaseIterable {
  /// An existing object keeps its value; a new one has the default.
  case keep
  /// The value is removed, as by ``NullPolicy/clear``.
  case clear
  /// The attribute takes its default value, in existing objects too.
  case `default`
  /// The object cannot be imported.
  case error
}

/// The effect of an array on a to-many relationship that already has members.
///
/// For example, tweet 7 has the tags 1 and 2, and the document has `{"id": 7, "tags": [2, 3]}`. With
/// ``replace`` its tags are then 2 and 3, with ``union`` 1, 2 and 3.
public enum CollectionPolicy: String, Sendable, Hashable, CaseIterable {
  /// The array's objects become the members.
  case replace
  /// The array's objects are added to the members.
  case union
}

/// The treatment of an object that a relationship loses to a later value.
public enum RemovedPolicy: String, Sendable, Hashable, CaseIterable {
  /// The object is unlinked, and stays in the store.
  case unlink
  /// The object is deleted at the end of the document, if no object has it in this relationship any
  /// more and the document does not mention it.
  ///
  /// A document mentions an object at a root, in an object that is skipped, or in a relationship
  /// that it has written and that still leads to the object.
  ///
  /// An object with an identity that a to-one relationship has lost is deleted only if no link
  /// leads to it. Objects without identity that were linked only to a deleted one are deleted with
  /// it, if their relationship has this policy too.
  case delete
}

/// The effect of a bare identifier that names no known object.
///
/// For example, the effect of `{"id": 7, "author": 3}` if there is no user 3.
public enum ReferencePolicy: String, Sendable, Hashable, CaseIterable {
  /// The identifier makes an object that has only its identity, for a later payload to fill.
  case stub
  /// The identifier is skipped and counted.
  case ignore
  /// The identifier is looked up again when the document has ended.
  case `defer`
  /// The object cannot be imported.
  case error
}

/// The treatment of an object without its identity.
///
/// For example, the treatment of `{"text": "Hi!"}` if tweets are identified by `id`.
public enum MissingIdentityPolicy: String, Sendable, Hashable, CaseIterable {
  /// The object cannot be imported.
  case error
  /// A new object is inserted.
  case insert
  /// The object is skipped and listed.
  case skip
}

/// The form in which an export writes a property.
///
/// For example, an author is `{"id": 3, "name": "Ann"}` with ``nested``, and 3 with ``identifier``.
public enum ExportStyle: String, Sendable, Hashable, CaseIterable {
  /// Related objects are written in full inside their owner, attributes as their value.
  case nested
  /// Related objects are written as their identities.
  ///
  /// One without identity is left out and listed as a loss; an import of the JSON takes it out of the relationship.
  case identifier
  /// The property is left out.
  case omit
}

/// The form in which an export writes numbers, booleans, and dates that are numbers of seconds.
public enum WrittenForm: String, Sendable, Hashable, CaseIterable {
  /// As numbers and booleans: `{"id": 505874924095815681}`.
  case value
  /// As strings: `{"id": "505874924095815681"}`.
  case string
}
