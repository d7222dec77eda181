public import Foundation

// The same queries by the attributes of the entity above, which a key path of the entity itself
// does not reach.

extension Objects {
  /// Returns the objects whose attribute of the entity above has a value, by entity and insertion.
  ///
  /// Texts are equal if they have the same code points, numbers if they have the same size, and a
  /// NaN is equal to a NaN; values that are kept as JSON are decoded and compared by `==`.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - value: The value; nil finds the objects that have none.
  /// - Returns: The objects, found when they are asked for.
  /// - Complexity: With an index O(log *n*) for each 32768 objects, when they are asked for;
  ///   without, for nil, or for values that are kept as JSON, O(*n*).
  public func `where`<Value: Equatable>(
    _ attribute: KeyPath<E.Superentity, Attribute<Value>>, equals value: Value
  ) -> Selection<Object<E>> {
    let core = type.superPrototype[keyPath: attribute].core
    return select(core.number) { $0.equal(to: value, core.codec) }
  }

  /// Returns the objects whose attribute of the entity above is in a range, the least value first
  /// and by insertion where values are the same.
  ///
  /// Numbers and dates are compared by size, texts by their code points, decimals by all their
  /// digits, anything else by the form in which it is kept. Objects without a value are in no
  /// range, nor is a NaN.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - range: The range, such as `5...` or `"a"..<"b"`.
  /// - Returns: The objects, found when they are asked for.
  /// - Complexity: With an index O(log *n*) for each 32768 objects until the first, when it is
  ///   asked for; without, O(*n*), and those in the range are sorted.
  public func `where`<Value: Comparable, Range: RangeExpression<Value> & Sendable>(
    _ attribute: KeyPath<E.Superentity, Attribute<Value>>, in range: Range
  ) -> Selection<Object<E>> {
    let core = type.superPrototype[keyPath: attribute].core
    return select(core.number) {
      $0.within(range, decode: core.codec.decode, encode: core.codec.encode)
    }
  }

  /// Returns the objects whose attribute of the entity above, which may lack a value, is in a
  /// range, the least value first and by insertion where values are the same.
  ///
  /// Numbers and dates are compared by size, texts by their code points, decimals by all their
  /// digits, anything else by the form in which it is kept. Objects without a value are in no
  /// range, nor is a NaN.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - range: The range, such as `5...` or `"a"..<"b"`.
  /// - Returns: The objects, found when they are asked for.
  /// - Complexity: With an index O(log *n*) for each 32768 objects until the first, when it is
  ///   asked for; without, O(*n*), and those in the range are sorted.
  public func `where`<Value: Comparable, Range: RangeExpression<Value> & Sendable>(
    _ attribute: KeyPath<E.Superentity, Attribute<Value?>>, in range: Range
  ) -> Selection<Object<E>> {
    let core = type.superPrototype[keyPath: attribute].core
    return select(core.number) {
      $0.within(range, decode: { core.codec.decode($0) ?? nil }, encode: core.codec.encode)
    }
  }

  /// Returns the objects by the values of an attribute of the entity above.
  ///
  /// Objects with the same value stay in the order of entity and insertion, in reverse as well.
  /// Objects without a value come last, whichever the order. Numbers and dates are compared by
  /// size, with a NaN behind them, texts by their code points, decimals by all their digits, false
  /// before true, anything else by the form in which it is kept.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's key path.
  ///   - order: Whether the least value comes first, or the greatest.
  /// - Returns: The objects, sorted when they are asked for.
  /// - Complexity: With an index a look at each 32768 objects until the first, when it is asked
  ///   for; without, O(*n* log *n*).
  public func ordered<Value>(
    by attribute: KeyPath<E.Superentity, Attribute<Value>>, _ order: SortOrder = .forward
  ) -> Selection<Object<E>> {
    select(type.superPrototype[keyPath: attribute].core.number) { $0.ordered(order) }
  }
}
