/// How the annotations of one importer are read.
///
/// A dialect reads the annotations of an entity or property itself; inheritance, checks and numbers are
/// up to the ``ModelCompiler``.
protocol DialectRules: Sendable {
  /// The policies where neither an annotation nor an option of the import says otherwise; what is nil
  /// is as in Graft.
  var policies: Policies { get }
  /// Whether a member that a replacing array of objects no longer lists is deleted, where each member
  /// has at most one owner: the inverse is to one.
  var deletesRemovedChildren: Bool { get }
  /// Whether abstract entities have objects.
  var instantiatesAbstract: Bool { get }
  /// Whether a to-one object of an entity without identity is written into the object that is linked
  /// already.
  var fillsExistingTarget: Bool { get }
  /// The annotation names that the dialect reads.
  var names: AnnotationNames { get }

  /// Reads the annotations of an entity itself, without inherited ones.
  func readEntity(_ entity: EntityDescription, _ notes: AnnotationReader) -> EntityNotes
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

/// The entity for which a property is read: the one that declares it, or one below.
struct PropertyOwner {
  var name: String
  /// The entity's annotations together with those of the entities above; the lower one's win.
  var userInfo: [String: String]
}

/// Where in JSON a property is found, and which annotation says so.
struct PathNotes {
  var paths: [JSONPath] = []
  /// The annotation; nil where the property's name alone decides.
  var origin: String?

  /// The property is found under its own name.
  static func sameName(_ name: String) -> PathNotes {
    PathNotes(paths: [JSONPath([.member(name)])])
  }
}

/// What the annotations of an attribute say.
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

/// What the annotations of a relationship say.
struct RelationshipNotes {
  var place = PathNotes()
  var identifierPaths: [JSONPath] = []
  /// The destination's attribute by which related objects are found.
  var relatedBy: IdentityNotes?
  var policies = Policies()
}

/// What the annotations of an entity say; what is nil is inherited.
struct EntityNotes {
  var identity: IdentityNotes?
  var isSingleton: Bool?
  var policies = Policies()
  var discriminators: [JSONPath]?
  var discriminatorValue: String?
  var unknownEntity: String?
  var modifiedAttribute: String?
  var entityMapperName: String?
  /// The mapper itself, where the description has it.
  var mapper: EntityMapper?
  var dictionaryTransformerName: String?
}

/// Which attributes identify an object.
struct IdentityNotes {
  /// What happens to a name that no attribute has.
  enum Strength {
    /// It is an error.
    case required(annotation: String)
    /// It is a warning, and there is no identity.
    case attempted(annotation: String)
    /// Nothing: the first of the names that an attribute has counts, if there is one.
    case convention
  }

  var names: [String]
  var strength: Strength
  /// Whether the identity of the entity above comes first and these are added.
  var extendsInherited = false
  /// Whether these count only if the entity above has no identity.
  var yieldsToInherited = false
}
