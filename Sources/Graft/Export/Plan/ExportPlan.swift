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
  /// The numbers of the entities in the order in which a whole graph is written.
  let order: [Int]
  /// Keys and constants as JSON, one behind the other.
  private let literals: [UInt8]
  /// What is written for each element alike.
  let loops: [ExportLoop]
  /// The relationships of all steps.
  ///
  /// They are passed on by their number here: writing recurses, and copies would take stack at each
  /// level.
  let relationships: [RelationshipStep]
  /// Where each of them is written.
  let places: [RelationshipPlace]
  /// What objects of each entity read around them, and what is written where others read inside them.
  let surroundings: [Surroundings]
  /// Values that objects read from around them, and that nothing else says there.
  let lent: [LentValue]
  /// Attributes that are read from the places of other properties.
  let emptyStrings: [(object: Int, attribute: Int)]
  /// Whether objects of some entity read values from around them.
  let readsAround: Bool
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
    let entities = try schema.entities.map { try builder.export(of: $0) }
    self.entities = entities
    order = ExportOrder(builder.surroundings, builder.relationships, schema).numbers
    literals = builder.literals
    relationships = builder.relationships
    places = builder.places
    lent = builder.lent
    emptyStrings = builder.emptyStrings
    surroundings = builder.surroundings
    readsAround = surroundings.contains { !$0.outer.isEmpty }
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
  /// Whether it, or an object inside it, reads from around the object itself.
  var readsAround = false
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
  /// The key by which an import tells the sub-entity, as JSON, where nothing in the object does.
  var keyName: [UInt8]?
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
    /// One of the plan's lent values.
    case lent(Int32)
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
    /// `""` where one of the plan's attributes holds that, and else null.
    case emptyString(Int32)
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
    /// An attribute of one of the objects of a to-many relationship, one of the plan's, or the scalar that is
    /// written for that object.
    case member(relationship: Int, position: Int, AttributeStep, isScalar: Bool)
    /// Another relationship of the object, by its number, which says the same if it leads to the same.
    case relationship(Int)
    /// The identity of a to-one relationship's object, by the number of the relationship.
    case identity(relationship: Int, AttributeStep)
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
  /// The object that the substitute is of.
  var substituteObject = 0
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
  /// The relationships whose objects tell the key of the element that they are in.
  var grouped: [Int] = []
  var isGrouped: Bool { !grouped.isEmpty }
}

/// Where a relationship's objects are written in their owner's JSON object.
struct RelationshipPlace {
  /// The path to one of them.
  let steps: [JSONPath.Step]
  /// The JSON objects on the way there.
  let objects: [Int]

  /// The attribute that is the key of an object on the way: `browser` of `stats.*.*`, where the destination
  /// reads that at `@parent.@key`.
  let groupedBy: AttributeStep?

  init(_ path: JSONPath, groupedBy: AttributeStep? = nil) {
    self.groupedBy = groupedBy
    steps = path.steps
    objects = path.objectsOnTheWay
  }
}

/// What objects of an entity read around them, and what others read inside them.
struct Surroundings {
  /// What an import reads from the JSON objects around (`@parent`).
  var outer: [OuterStep] = []
  /// What is written where objects inside read values from around them.
  var readInside: [JSONPath: OuterValue] = [:]
  /// The relationships that are written into the JSON object, by their numbers in the plan.
  var relationships = 0..<0
}

/// A property that an object reads from the JSON objects around it.
struct OuterStep {
  /// What one of its paths leads to.
  enum Source {
    case around(OuterPlace)
    /// A constant, as it is in a JSON string.
    case constant([UInt8])
  }

  var property: UnwrittenProperty.Property
  /// The object that has it: 0 for the object itself, others for its shared objects.
  var object: Int
  /// How an attribute would be written; for a relationship, the identity of its object; nil where that is
  /// no single attribute.
  var step: AttributeStep?
  /// In their order.
  var sources: [Source]
}

/// What is written at a place where objects inside an object read a value.
enum OuterValue {
  case attribute(AttributeStep, object: Int)
  /// A constant, as it is in a JSON string.
  case constant([UInt8])
  /// An attribute of the object of a to-one relationship, one of the plan's.
  case related(relationship: Int, AttributeStep, isIdentity: Bool)
  /// The identity of the object of a to-one relationship, by its number.
  case identity(relationship: Int, AttributeStep)
  /// One of the plan's lent values.
  case lent(Int)
}

/// A value that the objects of a relationship read from their owner's JSON object, where nothing else is
/// written: the first of them that has one lends it.
struct LentValue {
  /// The number of the owner's entity.
  var entity: Int
  /// The owner: 0 for the object itself, others for its shared objects.
  var object: Int
  /// The number of the owner's relationship.
  var relationship: Int
  var attribute: AttributeStep
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

    var isPattern: Bool {
      switch self {
      case .pattern, .foundationPattern: true
      default: false
      }
    }
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
  /// Whether the inverse is an ordered list that an import adds to, and says all that this says: saying it here
  /// too would put the list into another order.
  var isToldByInverse: Bool
  /// Whether this is an ordered list that an import adds to, and the inverse has an order too.
  var isAddedTo: Bool
  /// Whether an import takes out of this list what it does not mention.
  var isReplaced: Bool
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
  /// Whether references are objects, since objects elsewhere read their identity there.
  var refersByObject = false
  /// Whether its objects find around them what they read there.
  var canHoldReaders = false
}
