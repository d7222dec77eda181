import Graft

/// A step that is carried out for each object of an entity.
struct ExportStep {
  enum Content {
    case attribute(AttributeStep)
    /// One of the plan's relationships.
    case relationship(Int32)
    /// One of the plan's relationships, whose objects are members of the object itself.
    case spread(Int32)
    /// The object of one of the plan's relationships that belongs in the current element of a loop.
    case member(Int32)
    /// One of the plan's loops.
    case each(Int32)
    /// The value of a discriminator.
    case constant(Literal)
    /// One of the plan's hoisted values.
    case hoisted(Int32)
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// An element of an array without a property.
    case emptyElement
  }

  /// The output for a property without a value.
  enum NullForm {
    case null
    case nothing
    case constant(Literal)
    /// `""` if one of the plan's attributes has that value, and else null.
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
  /// The loss of a missing value, if an import of the output refuses it or gives another one.
  var lossIfNull: LossReason?
  /// The key, prepared for the writer; nil in an array, where no place can be left out.
  var key: Literal?
  /// The object that is read: 0 for the object itself, then its shared objects in their order.
  var object: Int32 = 0

  init(_ content: Content, ifNull: NullForm = .null) {
    self.content = content
    self.ifNull = ifNull
  }
}

/// A property that an import does not read where it is written, or that has no place, and the check whether an import
/// recovers its value nevertheless.
struct LossCheck {
  /// The output at the end of the property's path.
  enum Substitute {
    /// An attribute; nothing is lost if it has the same value.
    case attribute(AttributeStep)
    /// JSON that an attribute keeps whole.
    case json(attribute: Int)
    /// An attribute of the object of a to-one relationship, one of the plan's.
    case related(relationship: Int, AttributeStep)
    /// An attribute of one of the objects of a to-many relationship, one of the plan's, or the
    /// scalar that is written for that object.
    case member(relationship: Int, position: Int, AttributeStep, isScalar: Bool)
    /// Another relationship of the object, by its number; nothing is lost if it leads to the same objects.
    case relationship(Int)
    /// The identity of a to-one relationship's object, by the number of the relationship.
    case identity(relationship: Int, AttributeStep)
  }

  var property: LostProperty.Property
  /// The object that it is read from: 0 for the object itself, others for its shared objects.
  var object: Int
  /// The reason to report.
  var reason = LossReason.noPlace
  /// Whether an import finds the written value if the substitute has none.
  var isFoundWithoutSubstitute = false
  /// The step that would write the attribute, or the one by which a relationship refers to its objects.
  var step: AttributeStep?
  /// The value that an import gives to an attribute that it does not find.
  var defaultValue: AttributeValue?
  /// Whether the inverse of a relationship is written, so that no link is lost in a whole graph.
  var isInverseWritten = false
  var substitute: Substitute?
  /// The object that the substitute is of.
  var substituteObject = 0
}

/// The steps that are repeated for each element of an array, or each member of an object.
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
  /// The relationships whose objects store the element's key as an attribute.
  var grouped: [Int] = []
  var isGrouped: Bool { !grouped.isEmpty }
}

/// The place of a relationship's objects in their owner's JSON object.
struct RelationshipPlace {
  /// The path to one of them.
  let steps: [JSONPath.Step]
  /// The JSON objects on the way there.
  let objects: [Int]
  /// The key that an import finds for each object, if it is the name of the relationship's place.
  let key: String?

  /// The attribute with the key of an object on the way: `browser` of `stats.*.*`, if the destination reads the key
  /// at `@parent.@key`.
  let groupedBy: AttributeStep?

  init(_ path: JSONPath, groupedBy: AttributeStep? = nil) {
    self.groupedBy = groupedBy
    steps = path.steps
    objects = path.objectsOnTheWay
    key = if case .member(let name)? = path.steps.last { name } else { nil }
  }
}

/// The form in which an attribute is written.
struct AttributeStep {
  enum Form {
    /// The default form of the attribute's type.
    case plain(AttributeType)
    /// A number or boolean as a string.
    case quoted(AttributeType)
    /// A string that holds an integer as that integer.
    case stringAsInteger
    /// A date in one of the plan's patterns.
    case pattern(Int32)
    /// A date in one of the plan's patterns that only Foundation knows, or whose text needs escapes.
    case escapedPattern(Int32)
    case secondsSince1970(isQuoted: Bool)
    case millisecondsSince1970(isQuoted: Bool)
    /// The result of one of the plan's transformers.
    case transformed(Int32)

    /// Whether the output is a date.
    var isDate: Bool {
      switch self {
      case .pattern, .escapedPattern, .secondsSince1970, .millisecondsSince1970: true
      case .plain(let type), .quoted(let type): type == .date
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

  /// The same step for an attribute whose values are strings in JSON: numbers and booleans get quotes.
  var asString: AttributeStep {
    var step = self
    switch form {
    case .plain(let type) where type.isNumberOrBoolean: step.form = .quoted(type)
    case .secondsSince1970: step.form = .secondsSince1970(isQuoted: true)
    case .millisecondsSince1970: step.form = .millisecondsSince1970(isQuoted: true)
    case .plain, .quoted, .stringAsInteger, .pattern, .escapedPattern, .transformed: break
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

/// A transformer, and the form of values of its attribute without it.
struct ReversedTransformer {
  var code: CustomTransformer
  var form: AttributeStep.Form
  /// Whether numbers and booleans that it makes are strings in JSON.
  var isQuoted: Bool
}

/// The form in which a relationship is written.
struct RelationshipStep {
  var number: Int
  /// The number of the entity that it leads to.
  var destination: Int
  /// The number of the inverse at the destination.
  var inverse: Int?
  var isOrdered: Bool
  /// The number of `null` elements before the members.
  ///
  /// They stand for headings of rows, which an import leaves out.
  var skippedElements = 0
  /// Whether the members are written in an object, under keys, instead of an array.
  var isKeyed: Bool
  /// Whether objects are written as references.
  var writesReferences: Bool
  /// Whether a relationship without members is written.
  var writesEmpty: Bool
  /// Whether the owner's relationship implies the link, so that the object can leave out the way
  /// back.
  var isImpliedByOwner: Bool
  /// Whether an import would take the absence of the key for a change, so that the key must be
  /// written.
  var isRequired: Bool
  /// Whether an import refuses the absence of the key.
  var isRefusedIfAbsent: Bool
  /// Whether the inverse is written too, so that one of the two is enough.
  var isInverseWritten: Bool
  /// Whether the inverse is an ordered list to which an import adds, so that writing this
  /// relationship too would change the list's order.
  var isImpliedByInverse: Bool
  /// Whether this is an ordered list to which an import adds, and the inverse is ordered as well.
  var isAddedTo: Bool
  /// Whether an import removes unmentioned members from this list.
  var isReplaced: Bool
  /// Whether the model makes an import skip or refuse the identifier of an object that comes later.
  var needsEarlierObjects: Bool
  /// Whether it makes an import refuse such an identifier, even where the inverse leads back.
  var refusesLaterObjects: Bool
  /// Whether an object that it leads to may lack an identity.
  var mayLeadToAnonymous: Bool
  /// Whether objects without identity are nested in this relationship when the whole graph is
  /// written, and not in its inverse.
  var nestsAnonymous: Bool
  /// The attribute that refers to the destination's objects here; nil if it is their identity.
  var relatedBy: AttributeStep?
  /// Whether a reference never tells the sub-entity.
  var refersByIdentityAlone: Bool
  /// Whether references are objects, because other objects read their identity in them.
  var refersByObject = false
  /// Whether the relationship's objects find the values that they read of enclosing objects.
  var canHoldReaders = false
}
