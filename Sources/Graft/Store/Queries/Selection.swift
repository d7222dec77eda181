/// The objects that a query found, made one by one as they are asked for.
///
/// It is of one snapshot and never changes. Nothing is looked up before the first object, or the
/// number of objects, is asked for; each time it is asked for anew.
///
/// ```swift
/// let tweets = store.graph.objects(Tweet.self)
/// for tweet in tweets.ordered(by: \.postedAt, .reverse).prefix(10) {
///   print(tweet.text)
/// }
/// print(tweets.where(\.retweets, in: 1_000...).count)
/// ```
public struct Selection<Element: Sendable>: Sendable, Sequence {
  private let plan: SelectionPlan
  private let makeElement: @Sendable (ObjectID, Graph) -> Element

  init(
    _ plan: SelectionPlan, _ makeElement: @escaping @Sendable (ObjectID, Graph) -> Element
  ) {
    self.plan = plan
    self.makeElement = makeElement
  }

  /// The number of objects, none of which is made for it.
  ///
  /// - Complexity: With an index O(log *n*) in the number of the entity's objects for each 32768 of
  ///   them; without, or where objects without a value are among them, O(*n*).
  public var count: Int { plan.count }

  /// Whether there are no objects.
  public var isEmpty: Bool { first == nil }

  /// The first object; nil if there is none.
  public var first: Element? {
    var iterator = makeIterator()
    return iterator.next()
  }

  /// Returns an iterator over the objects.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Iterator {
    Iterator(rows: SelectionRows(plan), makeElement: makeElement)
  }

  /// An iterator over the objects that a query found.
  public struct Iterator: IteratorProtocol {
    private var rows: SelectionRows
    private let makeElement: @Sendable (ObjectID, Graph) -> Element

    init(
      rows: SelectionRows, makeElement: @escaping @Sendable (ObjectID, Graph) -> Element
    ) {
      self.rows = rows
      self.makeElement = makeElement
    }

    /// Advances to the next object.
    ///
    /// - Returns: The object; nil behind the last.
    public mutating func next() -> Element? {
      rows.next().map { makeElement($0, rows.plan.graph) }
    }
  }
}
