/// Code that rewrites an object before it is placed in the graph; registered in
/// ``ModelExtensions`` under the name by which entities mention it
/// (`JSONDictionaryTransformerName`).
///
/// ```swift
/// let transformer = DictionaryTransformer { object in
///   var object = object
///   object["id"] = object["legacy_id"]
///   return object
/// }
/// ```
///
/// It is called for each object that stands where the model names the entity, or an entity below
/// that mentions no other, before the object's entity and identity are looked for. Elements of
/// arrays that are no objects, such as bare identifiers and `null`, do not come to it. An object
/// that is read as several entities goes through the code of each in turn.
public struct DictionaryTransformer: Sendable {
  let code: ObjectCode<[String: JSONValue]>

  /// Creates a transformer of a closure.
  ///
  /// - Parameter rewrite: Makes the members that the object shall have of those that it has; nil
  ///   leaves it as it is. What it throws becomes an error of the import with the object's place.
  public init(_ rewrite: @escaping @Sendable ([String: JSONValue]) throws -> [String: JSONValue]?) {
    code = ObjectCode(rewrite)
  }
}
