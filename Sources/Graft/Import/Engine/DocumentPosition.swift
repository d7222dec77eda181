// Raw memory: `container` points into the plan, which outlives the engine that owns this object. Access
// is unchecked for the reason given in ImportEngine.swift.

/// Tracks an import's position in its plan, and whether events there are read, skipped or buffered.
final class DocumentPosition {
  /// The action for each event that arrives.
  enum Mode: UInt8 {
    /// Events are handled by the plan.
    case reading
    /// Events are skipped until the current container ends.
    case skipping
    /// Events go to a `ReplayBuffer` until the entity of their object is known.
    case buffering
    /// Events are read or skipped, and also kept in a `JSONCapture` or in `LateValues`.
    case capturing
  }

  /// An open object or array of the document that the plan knows.
  struct OpenContainer: BitwiseCopyable {
    /// The number of its `ContainerNode`.
    var node: Int32
    /// The index of the last element of an array; -1 before the first.
    var index: Int32
    var isArray: Bool
  }

  @safe @exclusivity(unchecked) var mode = Mode.reading
  /// Whether the innermost container is an array.
  @safe @exclusivity(unchecked) var isInArray = false
  /// The `ValueNode` of the value that comes next, where the innermost container is an object.
  @safe @exclusivity(unchecked) var next: Int32
  /// The innermost container.
  @safe @exclusivity(unchecked) var container: FrozenPlace<ContainerNode>
  /// The number of open containers that are skipped: the outermost one and those inside it.
  @safe @exclusivity(unchecked) var skippedDepth = 0
  /// The depth of the outermost open object that is read for its mentions only; 0 if there is none.
  ///
  /// An update-only import reads unknown objects this way: the objects in them count as mentioned,
  /// so that `deletesMissing` does not delete them.
  @safe @exclusivity(unchecked) var mentionDepth = 0
  @safe @exclusivity(unchecked) private(set) var open = RawStack<OpenContainer>()
  /// The marks of the `ValueNode`s with a value, and then of the `ContainerNode`s with an unread key.
  ///
  /// The first mark of each is for -1, no node.
  private let marks: FixedArray<Bool>
  private let valueCount: Int

  init(_ plan: ImportPlan) {
    valueCount = plan.values.count
    marks = FixedArray(count: plan.values.count + plan.containerCount + 2) { _ in false }
    next = plan.root
    container = plan.documentContainer
  }

  /// Returns whether a value was found at a `ValueNode`.
  func hasFound(_ value: Int) -> Bool { marks[value + 1] }

  /// Returns whether an unread key was found in a `ContainerNode`.
  func hasUnreadKey(_ container: Int) -> Bool { marks[valueCount + 2 + container] }

  /// Sets the node of the next value by a key of the innermost object.
  ///
  /// - Parameter value: The key's `ValueNode`; -1 if the plan does not know the key.
  @inline(__always)
  func takeKey(_ value: Int32) {
    next = value >= 0 ? value : container.pointee.otherwise
    let mark =
      next >= 0 ? Int(next) &+ 1 : valueCount &+ 2 &+ Int(container.pointee.number)
    marks[mark] = true
  }

  /// The number of open containers that the plan knows.
  var depth: Int { open.count }

  /// Returns the depth of the JSON object that is a number of levels up.
  ///
  /// - Parameters:
  ///   - depth: The depth from which to look.
  ///   - levels: The number of levels up to the object that is meant, at least 1.
  /// - Returns: Its depth; 0 if there are fewer objects.
  func depth(ofObjectAbove depth: Int, levels: Int) -> Int {
    var depth = depth
    var levels = levels
    while depth > 0 {
      if !open[depth - 1].isArray { levels -= 1 }
      if levels == 0 { return depth }
      depth -= 1
    }
    return 0
  }

  /// Whether objects are only read to see which others they mention.
  var isOnlyMentioning: Bool { mentionDepth != 0 }

  /// Whether the current input was already saved by the earlier import that this one resumes.
  var isResuming: Bool { mentionDepth == .max }

  /// Only follows the places of values, without reading objects, until ``endResuming()``.
  func beginResuming() { mentionDepth = .max }

  /// Ends the skipping that ``beginResuming()`` has begun.
  func endResuming() { mentionDepth = 0 }

  /// The innermost container.
  @inline(__always)
  var top: OpenContainer { open.top }

  /// Returns the `ValueNode` of the value that begins now; -1 if it is skipped.
  @inline(__always)
  func takeNext(in plan: ImportPlan) -> Int32 {
    guard isInArray else { return next }
    open.top.index &+= 1
    let node =
      container.pointee.elements.count == 0
      ? container.pointee.otherwise : plan.elementNode(of: container.pointee, at: top.index)
    marks[Int(node) &+ 1] = true
    return node
  }

  /// Enters a container.
  @inline(__always)
  func enter(_ node: Int32, isArray: Bool, in plan: ImportPlan) {
    open.push(OpenContainer(node: node, index: -1, isArray: isArray))
    container = plan.container(node)
    isInArray = isArray
  }

  /// Leaves the innermost container.
  @inline(__always)
  func leave(in plan: ImportPlan) {
    if open.count == mentionDepth { mentionDepth = 0 }
    _ = open.pop()
    if open.count == 0 {
      next = plan.root
      isInArray = false
      container = plan.documentContainer
    } else {
      isInArray = top.isArray
      container = plan.container(top.node)
    }
  }

  /// Reads the next value at a given `ValueNode` instead of the one that the innermost container gives.
  func readNext(at node: Int32) {
    next = node
    isInArray = false
  }

  /// Ends the effect of ``readNext(at:)``: the innermost container decides the node of the next value again.
  func returnToContainer() {
    isInArray = open.count > 0 && top.isArray
  }

  /// Skips the container that has just begun.
  @inline(__always)
  func skipContainer() {
    skippedDepth = 1
    if mode == .reading { mode = .skipping }
  }

  /// Enters a container inside a skipped one.
  @inline(__always)
  func enterSkipped() { skippedDepth &+= 1 }

  /// Leaves a skipped container, or one inside it.
  @inline(__always)
  func leaveSkipped() {
    skippedDepth &-= 1
    if skippedDepth == 0 { mode = .reading }
  }

  /// Begins to read an object only to see which others it mentions.
  func onlyMention() {
    if mentionDepth == 0 { mentionDepth = open.count + 1 }
  }
}
