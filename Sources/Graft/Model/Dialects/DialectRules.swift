/// The rules for reading one importer's annotations, and the defaults of a model that has them.
///
/// A dialect reads the annotations of an entity or property itself; inheritance, checks and numbers are
/// up to the ``ModelCompiler``.
protocol DialectRules: Sendable {
  /// The policies in which the dialect differs from Graft's default.
  var policies: Policies { get }
  var deletesRemovedChildren: Bool { get }
  var instantiatesAbstract: Bool { get }
  var fillsExistingTarget: Bool { get }

  /// The annotation names that the dialect reads.
  var names: AnnotationNames { get }

  /// Reads the annotations of an entity itself, without inherited ones.
  func readEntity(_ notes: AnnotationReader) -> EntityNotes
  /// Reads the annotations of an attribute, as they hold for an entity that has it.
  func readAttribute(
    _ attribute: AttributeDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> AttributeNotes
  /// Reads the annotations of a relationship, as they hold for an entity that has it.
  func readRelationship(
    _ relationship: RelationshipDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> RelationshipNotes
}

extension DialectRules {
  var policies: Policies { Policies() }
  var deletesRemovedChildren: Bool { false }
  var instantiatesAbstract: Bool { false }
  var fillsExistingTarget: Bool { false }
}

/// The annotation names of a dialect, by where they may be written.
struct AnnotationNames: Sendable {
  var entity: Set<String> = []
  var attribute: Set<String> = []
  var relationship: Set<String> = []

  var all: Set<String> { entity.union(attribute).union(relationship) }
}

/// The entity for which a property is read: the declaring one, or one below.
struct PropertyOwner {
  var name: String
  /// The entity's annotations together with those of the entities above; the lower one's win.
  var userInfo: [String: String]
}

/// The paths of a property, and the annotation that they come from.
struct PathNotes {
  var paths: [JSONPath] = []
  /// The annotation; nil if the property's name alone decides.
  var origin: String?

  /// Returns the path of a property that is found under its own name.
  static func sameName(_ name: String) -> PathNotes {
    PathNotes(paths: [JSONPath([.member(name)])])
  }
}

/// The annotations of an attribute.
struct AttributeNotes {
  var place = PathNotes()
  var dateFormat = DateFormat.automatic
  var transformerName: String?
  var policies = Policies()
  var values: [AttributeValue]?
  var unknownValue: AttributeValue?
  /// The transformer for the attribute's values where none is named.
  var readyMade: TransformerKind?
  /// Whether a scalar must be of the attribute's own type.
  var isStrict = false
  /// The annotation by which the attribute claims to be the identity of its entity.
  var identityAnnotation: String?
}

/// The annotations of a relationship.
struct RelationshipNotes {
  var place = PathNotes()
  var identifierPaths: [JSONPath] = []
  /// The destination's attribute by which related objects are found.
  var relatedBy: IdentityNotes?
  var policies = Policies()
}

/// The annotations of an entity; a nil property is inherited.
struct EntityNotes {
  var identity: IdentityNotes?
  var isSingleton: Bool?
  var missingIdentity: MissingIdentityPolicy?
  var discriminators: [JSONPath]?
  var discriminatorValue: String?
  var unknownEntity: String?
  var modifiedAttribute: String?
  var entityMapperName: String?
  /// The mapper itself, where the description has it.
  var mapper: EntityMapper?
  var dictionaryTransformerName: String?
}

/// The names of the attributes that identify an object.
struct IdentityNotes {
  /// The effect of an identity that names no attribute: an error, a warning or none.
  enum Strength {
    /// A missing name is an error.
    case required(annotation: String)
    /// The name is a warning, and there is no identity.
    case attempted(annotation: String)
    /// There is no error: the first name that an attribute has counts, if there is one.
    case convention
  }

  var names: [String]
  var strength: Strength
  /// Whether the identity of the entity above comes first and these are added.
  var extendsInherited = false
  /// Whether these count only if the entity above has no identity.
  var yieldsToInherited = false

  /// Whether the names come from code or from an annotation of Graft's own dialect.
  var isOfGraft: Bool {
    if case .required("JSONRelatedBy") = strength { true } else { false }
  }
}
