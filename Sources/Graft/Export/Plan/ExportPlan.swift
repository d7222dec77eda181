// What is written for each object of an entity, compiled once: a list of steps, each with its key as
// ready bytes and the number of its column. Nothing is looked up by name while objects are written.
//
// For this entity, whose objects have a nested object for two of their properties,
//
//     Hero: name at "name", city at "home.city", planet at "home.planet"
//
// the steps are: attribute `name` under "name"; begin an object under "home"; attribute `city` under
// "city"; attribute `planet` under "planet"; end the object.
//
// Steps are small and hold no references, since each is copied for each object: what else they need
// is in tables of the plan.

/// How the objects of a model are written.
final class ExportPlan: Sendable {
  let schema: ModelSchema
  let options: ExportOptions
  /// How numbers are spelled.
  let spellings: Spellings
  /// By entity number.
  let entities: [EntityExport]
  /// Keys and constants as JSON, one behind the other.
  private let literals: [UInt8]
  /// What is written for each element alike.
  let loops: [ExportLoop]
  /// The relationships of all steps.
  ///
  /// They are passed on by their number here: writing recurses, and copies would take stack at each
  /// level.
  let relationships: [RelationshipStep]
  let patterns: [DatePattern]
  let transformers: [CustomTransformer]

  /// Compiles a plan.
  ///
  /// - Parameters:
  ///   - schema: The model.
  ///   - options: How objects are written.
  ///   - spellings: How numbers are spelled.
  /// - Throws: ``ExportError`` where the options name what the model does not have, or too many objects
  ///   share one JSON object.
  init(
    _ schema: ModelSchema, _ options: ExportOptions, spellings: Spellings = Spellings()
  ) throws {
    var builder = try ExportPlanBuilder(schema, options, spellings)
    entities = try schema.entities.map { try builder.export(of: $0) }
    literals = builder.literals
    relationships = builder.relationships
    loops = builder.loops
    patterns = builder.patterns
    transformers = builder.transformers
    self.schema = schema
    self.options = options
    self.spellings = spellings
  }

  /// Writes a key of a step.
  @inline(__always)
  func write(key: ExportStep.Literal, to json: inout JSONWriter) {
    let literals = literals
    json.key(prepared: literals.span.extracting(key.range))
  }

  /// Writes a constant of a step.
  func write(_ constant: ExportStep.Literal, to json: inout JSONWriter) {
    let literals = literals
    json.literal(literals.span.extracting(constant.range))
  }
}

/// The plans of one exporter: that of its model, and, for graphs that were read from strings where
/// the model has numbers, that of the graph that was written last.
final class ExportPlans: Sendable {
  private let plan: ExportPlan
  private let last = Guarded<ExportPlan?>(nil)

  init(_ plan: ExportPlan) {
    self.plan = plan
  }

  /// The plan for a graph.
  ///
  /// - Throws: ``ExportError``, as compiling the plan did before.
  func plan(for graph: Graph) throws -> ExportPlan {
    let spellings = graph.storage.spellings
    if spellings.isPlain { return plan }
    return try last.withLock { last in
      if let last, last.spellings == spellings { return last }
      let plan = try ExportPlan(plan.schema, plan.options, spellings: spellings)
      last = plan
      return plan
    }
  }
}

/// How the objects of one entity are written.
struct EntityExport {
  /// Everything about an object.
  var steps: [ExportStep] = []
  /// What identifies an object, and what an import needs to make it, where a bare identity does not
  /// do.
  var reference: [ExportStep] = []
  /// Whether an object is an array in JSON: of values by position, or of the members of a relationship.
  var isArray = false
  /// The relationship whose members are the elements of that array, one of the plan's.
  var ownArray: Int32?
  /// The attributes that are read from the objects around (`@parent`), or are the file's name or line.
  var outsideAttributes: [Int] = []
  /// The objects that share the JSON object, the object itself not counted.
  var sharedObjects: [SharedObject] = []
  /// The relationships of the object itself that are written, by their numbers in the plan.
  var relationships: [Int] = []
  /// What has no place, for notices.
  var unwritten: [UnwrittenStep] = []
  /// The only attribute of the identity; nil where it has none or several.
  var identity: AttributeStep?
  /// Whether the object itself has all attributes of the identity.
  var holdsIdentity = true
  /// Whether it has them together with its key.
  var holdsIdentityWithKey = true
  /// The attribute that is an object's key in a keyed collection; nil where keys are positions.
  var key: AttributeStep?
  /// Whether an import sets an attribute from that key (`@key`).
  var importsKey = false
  /// Whether that attribute is written nowhere else.
  var isNamedByKeyOnly = false
  /// Whether that attribute is the whole identity.
  var isKeyIdentity = false
  /// Whether the position is written nowhere else than by the place in the array.
  var isPlacedByPositionOnly = false
  /// Whether an import of a reference that is an object would change relationships of the object that the
  /// reference does not have.
  var isChangedByReference = false
  /// Whether something of an object may be lost, so that it is looked at.
  var isWatched = false
  /// The keys of the object itself, which no member of a relationship that is spread may have.
  var ownKeys: [String] = []
  /// The attribute that an element of an array consists of (`@value`); nil where elements are objects.
  var scalar: AttributeStep?
  /// The number of the attribute that an import reads from a scalar; nil where it reads none.
  var value: Int?
  /// Whether an import takes a scalar for a whole object, and not for its identity.
  var isWholeAsScalar = false
  /// The same under a key.
  var isWholeAsScalarUnderKey = false
  /// Whether there is more to an object than that.
  var hasOthersThanScalar = false
  /// The number of the attribute that is an element's position (`@index`).
  var position: Int?
  /// Whether objects can be referred to by their identity.
  var hasIdentity = false
  /// Whether some objects may lack one all the same.
  var mayBeAnonymous = false
  /// Whether the entity has one object only.
  var isSingleton = false
  /// Whether an object can be met inside itself.
  var isRecursive = false
  /// Whether objects without identity may be nested inside.
  var mayHoldAnonymous = false
  /// Whether a discriminator distinguishes the entity from others of its family.
  var isDiscriminated = false
}

/// A related object whose properties are written into the JSON object of its owner.
struct SharedObject {
  /// The owner: 0 for the object itself, then the shared objects in their order.
  var owner: Int
  /// The number of the owner's relationship.
  var relationship: Int
}

/// One thing that is written for each object of an entity.
struct ExportStep {
  enum Content {
    case attribute(AttributeStep)
    /// One of the plan's relationships.
    case relationship(Int32)
    /// One of the plan's relationships, whose objects are members of the object itself.
    case spread(Int32)
    /// The object of one of the plan's relationships that belongs into the current element of a loop.
    case member(Int32)
    /// One of the plan's loops.
    case each(Int32)
    /// The value of a discriminator.
    case constant(Literal)
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// An element of an array at which there is no property.
    case emptyElement
  }

  /// What is written where there is no value.
  enum NullForm {
    case null
    case nothing
    case constant(Literal)
  }

  /// A range of the plan's literals.
  struct Literal {
    private var start: UInt32
    private var end: UInt32

    init(_ range: Range<Int>) {
      start = UInt32(range.lowerBound)
      end = UInt32(range.upperBound)
    }

    var range: Range<Int> { Int(start)..<Int(end) }
  }

  var content: Content
  var ifNull = NullForm.null
  /// The key, prepared for the writer; nil in an array, where no place can be left out.
  var key: Literal?
  /// The object that is read: 0 for the object itself, then its shared objects in their order.
  var object: Int32 = 0

  init(_ content: Content, ifNull: NullForm = .null) {
    self.content = content
    self.ifNull = ifNull
  }
}

/// A property that has no place, and how to tell whether an import finds its value all the same.
struct UnwrittenStep {
  /// What is written where the property's path leads.
  enum Substitute {
    /// An attribute, which says the same if it has the same value.
    case attribute(AttributeStep)
    /// JSON that an attribute keeps whole.
    case json(attribute: Int)
    /// An attribute of the object of a to-one relationship, one of the plan's.
    case related(relationship: Int, AttributeStep)
    /// Another relationship of the object, by its number, which says the same if it leads to the same.
    case relationship(Int)
  }

  var property: UnwrittenProperty.Property
  /// The object that it is read from: 0 for the object itself, others for its shared objects.
  var object: Int
  /// How an attribute would be written; for a relationship to one, the identity of its object.
  var step: AttributeStep?
  /// The value that an import gives to an attribute that it does not find.
  var defaultValue: AttributeValue?
  /// Whether the inverse of a relationship is written, so that it is no loss in a whole graph.
  var isInverseWritten = false
  var substitute: Substitute?
}

/// What is written for each element of an array, or member of an object, alike.
///
/// A to-many relationship at `list[*].item` has one of its objects in each element:
/// `{"list": [{"item": …}, {"item": …}]}`.
struct ExportLoop {
  /// The steps for one element.
  var steps: [ExportStep]
  /// The relationships that have one object in each element, by their numbers in the plan.
  var relationships: [Int]
  /// Whether there are steps for the first element alone: lists that are deeper in it.
  var hasFirst: Bool
  /// Whether elements are members of an object, under running numbers.
  var isKeyed: Bool
}

/// How an attribute is written.
struct AttributeStep {
  enum Form {
    /// As an attribute of the type is written where nothing else is asked for.
    case plain(AttributeType)
    /// A number or boolean as a string.
    case quoted(AttributeType)
    /// An integer, as a string where a reader that has only floating-point numbers would round it.
    case quotedIfRounded
    /// A string that holds an integer as that integer.
    case stringAsInteger
    /// A date in one of the plan's patterns.
    case pattern(Int32)
    /// A date in one of the plan's patterns that only Foundation knows.
    case foundationPattern(Int32)
    case secondsSince1970(isQuoted: Bool)
    case millisecondsSince1970(isQuoted: Bool)
    /// What one of the plan's transformers makes of the value.
    case transformed(Int32)
  }

  private var column: Int32
  var form: Form

  init(number: Int, form: Form) {
    column = Int32(number)
    self.form = form
  }

  /// The number of the attribute.
  var number: Int { Int(column) }

  /// The same in the spelling that imports have found.
  func spelled(_ kinds: Spellings.Kinds) -> AttributeStep {
    guard kinds.contains(.string) else { return self }
    let isMixed = kinds.contains(.plain)
    var step = self
    switch form {
    case .plain(let type):
      switch type {
      case .integer64 where isMixed: step.form = .quotedIfRounded
      case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean:
        if !isMixed { step.form = .quoted(type) }
      case .string, .date, .binary, .uuid, .uri, .transformable: break
      }
    case .secondsSince1970: step.form = .secondsSince1970(isQuoted: !isMixed)
    case .millisecondsSince1970: step.form = .millisecondsSince1970(isQuoted: !isMixed)
    case .quoted, .quotedIfRounded, .stringAsInteger, .pattern, .foundationPattern, .transformed:
      break
    }
    return step
  }

  /// Whether the value can be a key.
  var canBeKey: Bool {
    switch form {
    case .plain(.transformable), .transformed, .stringAsInteger: false
    default: true
    }
  }
}

/// How a relationship is written.
struct RelationshipStep {
  var number: Int
  /// The number of the entity that it leads to.
  var destination: Int
  /// The number of the inverse at the destination.
  var inverse: Int?
  var isOrdered: Bool
  /// How many elements of `null` come before the members: headings of rows, which an import leaves out.
  var skippedElements = 0
  /// Whether the members are written in an object, under keys, instead of in an array.
  var isKeyed: Bool
  /// Whether objects are written as references.
  var writesReferences: Bool
  /// Whether a relationship without members is written.
  var writesEmpty: Bool
  /// Whether its owner, in which an object was reached, says everything about the link already, so
  /// that the object can leave out the way back.
  var isImpliedByOwner: Bool
  /// Whether an import takes the absence of the key for something else than no change, so that the
  /// key must be there.
  var isRequired: Bool
  /// Whether the inverse is written too, so that either of the two is enough.
  var isInverseWritten: Bool
  /// Whether an import skips or refuses, as the model says, an identifier of an object that comes later.
  var needsEarlierObjects: Bool
  /// Whether an object that it leads to may lack an identity.
  var mayLeadToAnonymous: Bool
  /// Whether objects without identity are nested in this relationship when the whole graph is
  /// written, and not in its inverse.
  var nestsAnonymous: Bool
  /// The attribute by which the destination's objects are referred to here, where that is not their
  /// identity.
  var relatedBy: AttributeStep?
}
