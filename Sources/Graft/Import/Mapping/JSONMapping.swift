/// Where in JSON properties stand, given at the call instead of in the model.
///
/// ```swift
/// var options = ImportOptions()
/// options.mapping = [
///   "Tweet": [
///     "id_str": "id",
///     "created_at": .property("postedAt", format: "EEE MMM dd HH:mm:ss Z yyyy"),
///     "user": ["name": "authorName"],
///     "coordinates": [0: "longitude", 1: "latitude"],
///   ]
/// ]
/// ```
///
/// Keys are paths (see ``JSONPath``), numbers are positions in an array, and what is nested leads
/// further down while the same object is filled. A property that stands at several paths is read
/// from the first that is present. A mapping is laid over the model's own: a property that it names
/// is read from the mapping's paths only, all others from where the model says; under the key `-`
/// stand those that are not read at all. It holds for the
/// named entity and for those below, the nearest entity's counting where several name a property.
///
/// Names are checked when an import begins, or before by ``validate(against:)``.
public struct JSONMapping: Sendable, Hashable {
  var rules: [MappingRule] = []

  /// Creates a mapping that changes nothing.
  public init() {}

  /// Adds a place from which a property is read; where there is one already, as its fallback.
  ///
  /// - Parameters:
  ///   - path: The path from the entity's object to the value, such as `user.name` or
  ///     `coordinates[0]`.
  ///   - property: The name of an attribute or relationship.
  ///   - entity: The name of the entity.
  ///   - format: How the attribute's dates are written: `auto`, `iso8601`, `unix`, `unix-ms` or a
  ///     Unicode date pattern; nil keeps the model's.
  ///   - transformer: What makes the attribute's value of what stands in JSON; nil keeps the model's.
  /// - Throws: ``JSONPathError`` where the text is no path.
  public mutating func map(
    _ path: String, to property: String, of entity: String, format: String? = nil,
    transformer: AttributeTransformer? = nil
  ) throws(JSONPathError) {
    let target = Target.property(property, format: format, transformer: transformer)
    add(target.prefixed(by: .success(try JSONPath(path))), of: entity)
  }

  /// Keeps a property from being read, wherever the model says that it stands.
  ///
  /// - Parameters:
  ///   - property: The name of an attribute or relationship.
  ///   - entity: The name of the entity.
  public mutating func keepOut(_ property: String, of entity: String) {
    add(Target.property(property).placed(at: "-"), of: entity)
  }

  /// Makes sure that a model has all that the mapping names.
  ///
  /// - Parameter model: The model of the store to import into.
  /// - Throws: ``ModelError`` with all errors found.
  /// - Complexity: O(*n*) in the number of the mapping's places and the model's properties.
  public func validate(against model: GraphModel) throws(ModelError) {
    _ = try model.schema.applying(self)
  }

  mutating func add(_ target: Target, of entity: String) {
    for var rule in target.rules {
      rule.entity = entity
      rules.append(rule)
    }
  }
}
