/// Calls your code for the objects of a typed entity while they are imported.
///
/// ```swift
/// options.hooks(for: Product.self) { hooks in
///   hooks.shouldImport = { product in product.name != "Test" }
///   hooks.willImport = { product in product.currency = product.currency.uppercased() }
///   hooks.validate(\.price) { price in
///     guard price > 0 else { throw NotForSale() }
///     return price
///   }
///   hooks.didImport = { product, imported in log.notice("\(imported.path): \(product.name)") }
/// }
/// ```
///
/// Each hook becomes the hook of ``ImportHooks`` with its name. The object has the members of its
/// entity, instead of values by name.
public struct EntityHooks<E: Entity>: Sendable {
  /// Decides whether an object is imported.
  ///
  /// If it is not, objects inside it that have an identity of their own still are.
  public var shouldImport: (@Sendable (Candidate) throws -> Bool)?
  /// Changes an object's values before they are written, if needed.
  public var willImport: (@Sendable (inout Candidate) throws -> Void)?
  /// Throws an error to reject an object, which has all the values that are about to be written.
  public var validate: (@Sendable (Candidate) throws -> Void)?
  /// Receives an object, with all its values, after it has been written.
  public var didImport: (@Sendable (Candidate, ImportedObject) throws -> Void)?

  private var validators = [String: @Sendable (AttributeValue?) throws -> AttributeValue?]()
  private var relationships = [String: @Sendable (Candidate) throws -> Bool]()

  init() {}

  /// Sets a closure that checks the values of an attribute: it returns the value to import, or throws to reject it.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - body: Takes a value of the document, and returns the value to import. It is not called for
  ///     `null`, unless the attribute is optional.
  public mutating func validate<Value>(
    _ attribute: KeyPath<E, Attribute<Value>>,
    _ body: @escaping @Sendable (Value) throws -> Value
  ) {
    let (core, name) = EntityType<E>.shared.attribute(at: attribute)
    validators[name] = { kept in
      if kept == nil, !core.codec.isOptional { return kept }
      return try core.codec.encode(body(core.value(ofKept: kept)))
    }
  }

  /// Sets a closure that decides whether a relationship in the document is written.
  ///
  /// - Parameters:
  ///   - relationship: The relationship's key path.
  ///   - body: Takes the object, and returns whether the relationship is written.
  public mutating func shouldImport<R: Relationship>(
    _ relationship: KeyPath<E, R>, _ body: @escaping @Sendable (Candidate) throws -> Bool
  ) {
    guard let name = EntityType<E>.shared.name(of: relationship) else {
      misuse("the key path leads to no relationship that \(E.entityName) declares")
    }
    relationships[name] = body
  }

  /// The same hooks for an object whose values are read by name.
  var untyped: ImportHooks {
    var hooks = ImportHooks(validators: validators)
    if let shouldImport {
      hooks.shouldImport = { object in try shouldImport(Candidate(object)) }
    }
    if !relationships.isEmpty {
      hooks.shouldImportRelationship = { [relationships] name, object in
        try relationships[name]?(Candidate(object)) ?? true
      }
    }
    if let willImport {
      hooks.willImport = { object in
        var candidate = Candidate(object)
        try willImport(&candidate)
        if let error = candidate.error { throw error }
        object = candidate.untyped
      }
    }
    if let validate {
      hooks.validate = { object in try validate(Candidate(object)) }
    }
    if let didImport {
      hooks.didImportValues = { object, imported in try didImport(Candidate(object), imported) }
    }
    return hooks
  }
}

extension EntityHooks {
  /// An object that has been read, with a member for each attribute of its entity.
  ///
  /// An attribute that is `null` or not in the document reads as in an object without a value: as
  /// nil, or else as its default or the empty value of its type.
  @dynamicMemberLookup
  public struct Candidate: Sendable {
    /// The same object by the names of its attributes, with its place in the document.
    public private(set) var untyped: ImportCandidate
    /// The reason why a value that was set cannot be kept.
    fileprivate var error: (any Error)?

    init(_ untyped: ImportCandidate) {
      self.untyped = untyped
    }

    /// The value of an attribute.
    ///
    /// - Parameter attribute: The attribute's key path.
    public subscript<Value>(
      dynamicMember attribute: any KeyPath<E, Attribute<Value>> & Sendable
    ) -> Value {
      get { self[attribute] }
      set { self[attribute] = newValue }
    }

    /// The value of an attribute, even if a member of the candidate has the same name.
    ///
    /// - Parameter attribute: The attribute's key path.
    public subscript<Value>(_ attribute: KeyPath<E, Attribute<Value>>) -> Value {
      get {
        let (core, name) = EntityType<E>.shared.attribute(at: attribute)
        return core.value(ofKept: untyped.values[name] ?? nil)
      }
      set {
        let (core, name) = EntityType<E>.shared.attribute(at: attribute)
        do {
          untyped.values[name] = .some(try core.codec.encode(newValue))
        } catch {
          self.error = self.error ?? error
        }
      }
    }

    /// Returns whether the document mentions an attribute, even if only as `null`.
    ///
    /// - Parameter attribute: The attribute's key path.
    /// - Returns: Whether it does.
    public func mentions<Value>(_ attribute: KeyPath<E, Attribute<Value>>) -> Bool {
      untyped.values.keys.contains(EntityType<E>.shared.attribute(at: attribute).name)
    }
  }
}
