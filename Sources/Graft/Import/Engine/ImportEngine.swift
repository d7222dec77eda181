// Turns events into objects. The way of `{"id": 7, "user": {"id": 3}}`:
//
// - `startObject`   The plan says that the document is a tweet: hand off to an entity parser of Tweet.
// - `key "id"`      The plan says what comes next: a value of the attribute `id`.
// - `number 7`      Converted, it becomes a pending value of the tweet's parser.
// - `key "user"`    What comes next is the object of the relationship `author`.
// - `startObject`   Hand off to a child parser, of User.
// - …
// - `endObject`     The user ends: `ObjectMerger` finds or inserts it (`ObjectResolver`) and writes it
//                   (`RecordWriter`); it is handed back to the tweet's parser as a pending value.
// - `endObject`     The tweet ends likewise, and is an object of a root.
//
// The engine is the one sink of all events, with a stack of entity parsers inside, where a public
// `YAJLParserDelegate` hands off to another delegate. The idea is the same; but a call through the
// table of a protocol for each event costs too much (docs/decisions/0001-one-sink-class.md).
//
// All memory that is touched per event is in the plan, in `position` or in `parsers`, and is plain:
// no event counts a reference or checks for exclusive access. `position.open` mirrors the open
// containers that the plan knows; inside one that is skipped only `skippedDepth` counts.
//
// Raw memory: the parser gives keys with the padding that `KeyTable` reads, and so does a replay buffer. C
// functions hand on their context as it came.

/// Makes objects of a document's events.
final class ImportEngine: EventSink {
  let plan: ImportPlan
  let options: ImportOptions
  private let model: GraphModel
  let position: DocumentPosition
  let parsers: EntityParserStack
  let diagnostics: ImportDiagnostics
  let converter: ValueConverter
  let references: ReferenceResolver
  // Exclusivity is unchecked here and in the other parts of the engine. An event is handled from
  // its start to its end before the next one, and no part calls back into the function that changes
  // its state. Checks at run time were 1.5 % of an import.
  @safe @exclusivity(unchecked) var statistics: ImportStatistics
  private let merger: ObjectMerger
  private let decider: EntityDecider
  let keyWatcher: KeyWatcher
  private let publisher: ImportPublisher
  private let removed: RemovedObjects?
  @safe @exclusivity(unchecked) private var capture = JSONCapture()
  @safe @exclusivity(unchecked) private var late = LateValues()
  @safe @exclusivity(unchecked) private var outerValues = OuterValues()
  /// The events of an object whose entity is not known yet.
  private var buffer: ReplayBuffer?
  @safe @exclusivity(unchecked) private var schedule: SaveSchedule
  /// The point of the last save, if this import resumes another one.
  private let resumed: ImportPlace?

  init(
    plan: ImportPlan, options: ImportOptions, destination: any BatchDestination
  ) throws(StoreError) {
    let transaction = try destination.begin(of: plan.rootEntities)
    transaction.rebaseRules = plan.rebaseRules(in: options.mode)
    let shared = ImportPart(plan, options, transaction)
    self.plan = plan
    self.options = options
    model = destination.model
    schedule = SaveSchedule(destination.savePolicy)
    resumed = destination.resumed
    position = shared.position
    parsers = shared.parsers
    diagnostics = shared.diagnostics
    converter = ValueConverter(shared)
    let resolver = ObjectResolver(shared)
    let conflicts = ConflictTracker(shared, isInBatches: destination.releasesSavedObjects)
    let writer = RecordWriter(shared, resolver: resolver)
    removed = writer.removed
    merger = ObjectMerger(
      shared, resolver: resolver, writer: writer, hooks: HookRunner(shared), conflicts: conflicts)
    references = ReferenceResolver(
      shared, converter: converter, resolver: resolver, writer: writer)
    decider = EntityDecider(shared, converter: converter, resolver: resolver)
    keyWatcher = KeyWatcher(shared)
    publisher = ImportPublisher(
      shared, destination: destination, resolver: resolver, writer: writer,
      references: references, conflicts: conflicts)
    statistics = ImportStatistics(
      rootCount: plan.roots.count, entityCount: shared.schema.entities.count,
      capturedCount: options.capturedPaths.count)
    super.init()
    guard resumed != nil else { return }
    position.beginResuming()
    // This makes each end of a container be compared with the point of the save.
    statistics.objectsSinceSave = .max
  }

  /// The source of the events, which outlives the engine's use of it.
  var source: any EventSource {
    get { diagnostics.source }
    set { diagnostics.source = newValue }
  }

  // MARK: Events

  override func key(_ text: BorrowedBuffer<UInt8>) -> Bool {
    if position.mode == .skipping { return true }
    return attempt { () throws(ImportStop) in try receiveKey(text) }
  }

  override func string(_ text: BorrowedBuffer<UInt8>) -> Bool {
    receiveOrSkip(.string(text)) { action in
      // A string for a string attribute is by far the most frequent value.
      guard action.conversion == .string else { return false }
      keepBytes(text, action)
      return true
    }
  }

  override func number(_ text: BorrowedBuffer<UInt8>) -> Bool {
    receiveOrSkip(.number(text)) { keepNumber(text.withSpan { NumberScan($0) }, $0) }
  }

  override func number(_ text: BorrowedBuffer<UInt8>, _ scan: NumberScan) -> Bool {
    receiveOrSkip(.number(text)) { keepNumber(scan, $0) }
  }

  override func boolean(_ value: Bool) -> Bool { receiveOrSkip(.boolean(value)) { _ in false } }

  override func null() -> Bool { receiveOrSkip(.null) { _ in false } }

  override func startObject() -> Bool {
    attempt { () throws(ImportStop) in try receiveStart(isArray: false) }
  }

  override func startArray() -> Bool {
    attempt { () throws(ImportStop) in try receiveStart(isArray: true) }
  }

  override func endObject() -> Bool {
    attempt { () throws(ImportStop) in try receiveEnd(isArray: false) }
  }

  override func endArray() -> Bool {
    attempt { () throws(ImportStop) in try receiveEnd(isArray: true) }
  }

  /// Handles a scalar.
  ///
  /// - Parameters:
  ///   - scalar: The scalar.
  ///   - keep: Keeps it as the value of an attribute that has no other action; returns false if that takes
  ///     more than the common conversions.
  /// - Returns: Whether the parser goes on.
  @inline(__always)
  private func receiveOrSkip(_ scalar: ScalarEvent, _ keep: (PropertyAction) -> Bool) -> Bool {
    let mode = position.mode
    if mode == .skipping { return true }
    guard mode == .reading else {
      return attempt { () throws(ImportStop) in try receive(scalar) }
    }
    let next = position.takeNext(in: plan)
    if next < 0 { return true }
    let actions = plan.values[Int(next)].scalars
    if actions.count == 1, case .property(let action) = plan.scalars[Int(actions.start)],
      action.isAttribute, action.isOwnValue, keep(action)
    {
      return true
    }
    return attempt { () throws(ImportStop) in try read(scalar, actions) }
  }

  /// Handles an event in the current mode.
  ///
  /// - Returns: Whether the parser goes on.
  @inline(__always)
  private func attempt(_ body: () throws(ImportStop) -> Void) -> Bool {
    do throws(ImportStop) {
      try body()
      return true
    } catch {
      failure = error.error
      return false
    }
  }

  // `receive…` distinguishes the modes, `divert` handles the three less frequent ones, and `read…`
  // follows the plan.

  /// Handles the key of the value that comes next.
  @inline(__always)
  func receiveKey(_ text: BorrowedBuffer<UInt8>) throws(ImportStop) {
    guard position.mode == .reading else { return try divert(.key(text)) }
    try readKey(text)
  }

  /// Handles an event while events are buffered, captured or skipped.
  @inline(never)
  private func divert(_ event: DocumentEvent) throws(ImportStop) {
    guard position.mode == .capturing else {
      if position.mode == .buffering { try keepInBuffer(event) }
      return
    }
    if capture.isActive { try write(event) }
    try checkLate(late.record(event))
    let isSkipped = position.skippedDepth > 0
    switch event {
    case .key(let text): if !isSkipped { try readKey(text) }
    case .scalar(let scalar): if !isSkipped { try read(scalar) }
    case .start(let isArray):
      if isSkipped { position.skippedDepth &+= 1 } else { try readStart(isArray: isArray) }
    case .end:
      late.keepEnded()
      if isSkipped { position.skippedDepth &-= 1 } else { try close() }
      if !capture.isActive, !late.isRecording {
        position.mode = position.skippedDepth > 0 ? .skipping : .reading
      }
    }
  }

  /// Writes a part of a value that is kept as JSON.
  private func write(_ event: DocumentEvent) throws(ImportStop) {
    capture.write(event)
    // A pending value has room for a count of 32 bits.
    let limit = min(options.bufferLimit, Int(UInt32.max))
    guard capture.json.buffer.count <= limit else {
      throw diagnostics.limitExceeded(
        "a value that is kept as JSON takes more than \(limit) bytes; read what is needed of it by paths,"
          + " or raise bufferLimit")
    }
  }

  @inline(__always)
  private func readKey(_ text: BorrowedBuffer<UInt8>) throws(ImportStop) {
    let container = position.container
    // Keys of the parser and of a replay buffer have their padding.
    let value = unsafe container.pointee.keys.value(of: text)
    position.takeKey(value)
    if !container.pointee.watch.isEmpty { try watchKey(text) }
  }

  // A function of its own, so that the common path needs few registers.
  @inline(never)
  private func watchKey(_ text: BorrowedBuffer<UInt8>) throws(ImportStop) {
    try keyWatcher.watch(text, roots: statistics.roots)
  }

  /// Handles a scalar.
  @inline(__always)
  func receive(_ scalar: ScalarEvent) throws(ImportStop) {
    guard position.mode == .reading else { return try divert(.scalar(scalar)) }
    try read(scalar)
  }

  @inline(__always)
  private func read(_ scalar: ScalarEvent) throws(ImportStop) {
    let next = position.takeNext(in: plan)
    if next >= 0 { try read(scalar, plan.values[Int(next)].scalars) }
  }

  /// Handles the start of an object or array.
  @inline(__always)
  func receiveStart(isArray: Bool) throws(ImportStop) {
    if position.mode == .skipping { return position.enterSkipped() }
    guard position.mode == .reading else { return try divert(.start(isArray: isArray)) }
    try readStart(isArray: isArray)
  }

  @inline(__always)
  private func readStart(isArray: Bool) throws(ImportStop) {
    let next = position.takeNext(in: plan)
    let node = next < 0 ? -1 : plan.values[Int(next)].container(isArray: isArray)
    guard node >= 0 else { return position.skipContainer() }
    try open(node, isArray: isArray)
  }

  /// Handles the end of an object or array.
  @inline(__always)
  func receiveEnd(isArray: Bool) throws(ImportStop) {
    if position.mode == .skipping { return position.leaveSkipped() }
    guard position.mode == .reading else { return try divert(.end(isArray: isArray)) }
    try close()
  }

  // MARK: Containers

  /// Begins an object or array that the plan knows.
  private func open(_ node: Int32, isArray: Bool) throws(ImportStop) {
    guard plan.container(node).pointee.decision < 0 else {
      return try openUndecided(node, isArray: isArray)
    }
    try openDecided(node, isArray: isArray)
  }

  /// Begins an object or array, the entities of all objects being known.
  private func openDecided(_ node: Int32, isArray: Bool) throws(ImportStop) {
    let container = plan.container(node)
    for index in container.pointee.starts.indices {
      try perform(plan.starts[index], isArray: isArray)
    }
    position.enter(node, isArray: isArray, in: plan)
    handOff(to: container.pointee.handOffs, depth: Int32(position.depth))
    for index in container.pointee.ownStarts.indices {
      try perform(plan.starts[index], isArray: isArray)
    }
    for index in container.pointee.ownActions.indices {
      // These read the key or index, not a scalar, hence `null`.
      try readObjectProperty(.null, plan.objectActions[index])
    }
  }

  /// Carries out the action at the start of a container for one property.
  private func perform(_ action: StartAction, isArray: Bool) throws(ImportStop) {
    switch action {
    case .property(let action): try perform(action, isArray: isArray)
    case .outer(let slot, let steps):
      try replaceOuterValue(.container(isArray: isArray), slot: Int(slot), steps: Int(steps))
    case .captured(let number):
      statistics.captured[Int(number)] = isArray ? .array : .object
    case .unread(let property): keyWatcher.beginUnread(property, isArray: isArray)
    case .inUnread: keyWatcher.noteUnreadContainer()
    }
  }

  private func perform(_ action: PropertyStart, isArray: Bool) throws(ImportStop) {
    switch action.effect {
    case .root:
      statistics.roots[Int(action.number)].wasFound = true
      statistics.roots[Int(action.number)].hasContainer = true
    case .collection:
      parsers.push(
        .collection, number: action.number, pathIndex: action.pathIndex, levelsUp: action.levelsUp)
    case .capture(let attribute):
      capture.begin(
        isArray: isArray, attribute, parser: parsers.index(levelsUp: action.levelsUp))
      position.mode = .capturing
    case .late(let node):
      guard
        let value = lateValue(
          action.number, action.pathIndex, node, levelsUp: action.levelsUp)
      else {
        break
      }
      late.begin(isArray: isArray, value)
      position.mode = .capturing
    case .mismatch:
      let property = plan.properties[Int(action.property)]
      let isNested = isArray && position.isInArray && property.destination >= 0
      // Other properties may be read inside, so the container is not skipped.
      try diagnostics.reject(
        .wrongType, property,
        found: isNested ? "an array inside an array" : isArray ? "an array" : "an object",
        expected: property.readsIdentifiers && position.isInArray
          ? property.expectationOfOne(in: model.schema) : nil,
        at: action.pathIndex, levelsUp: action.levelsUp)
    }
  }

  /// Hands off to one child parser for each object that begins with a value.
  func handOff(to handOffs: Range32, depth: Int32) {
    let parent = parsers.topIndex
    for index in handOffs.indices {
      parsers.handOff(
        to: plan.handOffs[index].entity, number: Int32(index), from: parent, depth: depth,
        sharesValues: handOffs.count > 1, isSkipped: position.isOnlyMentioning)
    }
  }

  /// Ends an object or array that the plan knows.
  private func close() throws(ImportStop) {
    let container = plan.container(position.top.node)
    if !container.pointee.watch.isEmpty { keyWatcher.leaveObject() }
    if position.mode == .capturing { try finishCaptures() }
    for _ in 0..<container.pointee.handOffs.count { try closeParser() }
    if outerValues.depth == position.depth { outerValues.leave(position.depth) }
    try saveIfDue()
    position.leave(in: plan)
  }

  /// Ends the innermost entity parser: its object is merged into the graph and handed back to the
  /// parsers whose relationships lead to it.
  func closeParser() throws(ImportStop) {
    if parsers.top.hasLateValues { try readLateValues() }
    let parser = parsers.top
    statistics.readCounts[Int(parser.entity)] &+= 1
    if position.isResuming {
      if options.deletesMissing { merger.noteIfUnidentified(parser) }
      return parsers.pop()
    }
    let object = try merger.merge(parser)
    try merger.checkSource()
    parsers.pop()
    for index in plan.handOffs[Int(parser.handOff)].handBacks.indices {
      let target = plan.handBacks[index]
      guard let object else {
        if target.kind == .root { statistics.roots[Int(target.number)].passedOverCount += 1 }
        parsers.noteDropped(
          for: target, from: parser, givesWay: options.errorPolicy == .skipValue, in: plan)
        continue
      }
      if target.kind == .root {
        countRootObject(object, of: target.number)
      } else {
        parsers.handBack(object, to: target, from: parser)
      }
    }
  }

  /// Counts the objects of roots that have waited for the objects around them.
  private func countWaitingRootObjects() {
    for (object, number) in merger.takeRootObjects() {
      statistics.roots[Int(number)].passedOverCount -= 1
      countRootObject(object, of: number)
    }
  }

  /// Counts an object of a root.
  func countRootObject(_ object: ObjectID, of number: Int32) {
    statistics.objectsSinceSave += 1
    removed?.mention(object)
    statistics.countRootObject(
      object, of: Int(number), isListed: options.listsRootObjects,
      isSingle: isSingleObject(ofRoot: Int(number)))
  }

  /// Returns whether the path of a root leads to the current object itself, without a wildcard or
  /// an array in between.
  private func isSingleObject(ofRoot number: Int) -> Bool {
    let steps = plan.roots[number].path.collectionPath.steps
    return !steps.contains(where: \.isWildcard)
      && position.depth == steps.count + 1 && !position.top.isArray
  }

  // MARK: Objects whose entity depends on their content

  /// Begins an object whose entity is not known yet.
  private func openUndecided(_ node: Int32, isArray: Bool) throws(ImportStop) {
    // While a buffer is replayed, it has the object as a whole; it is not copied again.
    if let replayed = source as? ReplayBuffer {
      return try openVariant(of: node, in: replayed, object: replayed.cursor)
    }
    buffer = ReplayBuffer(
      container: node, isArray: isArray, mode: position.mode, baseDepth: position.depth + 1,
      outside: source, limit: options.bufferLimit)
    position.mode = .buffering
    try replayBufferIfDecided()
  }

  /// Keeps an event until the object's entity is known.
  private func keepInBuffer(_ event: DocumentEvent) throws(ImportStop) {
    guard let buffer else { return }
    if case .end(let isArray) = event, buffer.isAtObject {
      try replayBuffer()
      return try receiveEnd(isArray: isArray)
    }
    guard buffer.record(event) else { throw overflow(of: buffer) }
    switch event {
    case .key, .start: break
    case .scalar, .end: try replayBufferIfDecided()
    }
  }

  @inline(never)
  private func overflow(of buffer: ReplayBuffer) -> ImportStop {
    let decision = plan.decisions[Int(plan.container(buffer.container).pointee.decision)]
    let identity =
      decision.choices.allSatisfy(\.entitiesWithSubentities.isEmpty) ? "" : " and the identity"
    let awaited =
      decision.outerValues.isEmpty
      ? "the object's entity was known; put the discriminator\(identity)"
      : "the values were known that objects inside read of this one; put them"
    return diagnostics.limitExceeded(
      "more than \(options.bufferLimit) bytes were buffered before \(awaited)"
        + " earlier in the object, or raise bufferLimit")
  }

  /// Replays the buffer if nothing need be awaited any more.
  private func replayBufferIfDecided() throws(ImportStop) {
    guard let buffer else { return }
    let number = Int(plan.container(buffer.container).pointee.decision)
    guard let keys = plan.awaitedKeys[number] else { return }
    let decision = plan.decisions[number]
    // A key or index is known at once; but without a key only the whole object names its entity.
    let isKnown = keys.isEmpty ? !decision.needsKey || buffer.hasKey : buffer.hasSeen(keys)
    guard isKnown, buffer.isAtObject,
      buffer.undecidedCount == 0
        || buffer.undecidedCount < 16 && buffer.isLastKey(among: decision.identityKeys)
    else { return }
    guard decider.isDecided(decision, in: buffer) else {
      buffer.undecidedCount += 1
      return
    }
    try replayBuffer()
  }

  /// Decides the object's entity, and reads the buffered events.
  private func replayBuffer() throws(ImportStop) {
    guard let buffer else { return }
    self.buffer = nil
    position.mode = buffer.mode
    source = buffer
    defer { source = buffer.outside }
    try openVariant(of: buffer.container, in: buffer, object: -1)
    try buffer.replay(to: self)
  }

  /// Begins a buffered object, or its replacement by transformers, as an object of its entity.
  private func openVariant(
    of node: Int32, in buffer: ReplayBuffer, object: Int
  ) throws(ImportStop) {
    let decision = plan.decisions[Int(plan.container(node).pointee.decision)]
    var variant = node
    var contents = buffer
    var isRewritten = decision.rewriters.isEmpty
    do throws(ImportError) {
      if !isRewritten, !buffer.isArray(object),
        let replacement = try decider.rewrite(decision.rewriters, in: buffer, object: object)
      {
        contents = replacement
      }
      isRewritten = true
      variant = try decider.container(
        node, decision, in: contents, object: contents === buffer ? object : -1)
    } catch {
      try diagnostics.leaveOut(error)
      // The transformer that failed may have been about to give another identity.
      if !isRewritten {
        for rewriter in decision.rewriters { diagnostics.noteUnidentified(of: rewriter.entity) }
      }
      // The object is still read: `deletesMissing` must not delete the objects that it mentions.
      position.onlyMention()
    }
    keep(decision.outerValues, of: contents === buffer ? object : -1, in: contents)
    guard contents !== buffer else {
      return try openDecided(variant, isArray: buffer.isArray(object))
    }
    buffer.skip(object)
    source = contents
    defer { source = buffer }
    try openDecided(variant, isArray: false)
    try contents.replay(to: self)
  }

  /// Keeps the values of an object that objects inside it read.
  private func keep(
    _ values: [PlanDecision.OuterValue], of object: Int, in buffer: ReplayBuffer
  ) {
    for value in values {
      let content: OuterValues.Content
      var event = object
      switch value.path.steps {
      case [.key]:
        buffer.move(to: object)
        // An object that is in no other object has no key, which differs from a key of `null`.
        guard let key = buffer.currentKey else { continue }
        content = .init(.string(key))
      case [.index]:
        guard value.index != .none else { continue }
        buffer.move(to: object)
        let index = value.index == .zero ? 0 : buffer.currentIndex
        content = .init(converter.scalar(ofIndex: index))
      default:
        guard let index = buffer.value(at: value.path, of: object) else { continue }
        event = index
        content =
          buffer.scalar(index).map { .init($0) } ?? .container(isArray: buffer.isArray(index))
      }
      buffer.move(to: event)
      outerValues.add(
        OuterValues.Value(
          depth: position.depth + 1, slot: value.slot, location: buffer.tokenLocation,
          content: content))
    }
    buffer.move(to: object)
  }

  /// Replaces a value that nested objects read, because its key occurs again and the later value
  /// counts.
  ///
  /// - Parameters:
  ///   - content: The value found there now.
  ///   - slot: The slot of the value.
  ///   - steps: The number of steps from the object to the value.
  /// - Throws: If objects have read another value already, and the error policy ends the import.
  func replaceOuterValue(
    _ content: OuterValues.Content, slot: Int, steps: Int
  ) throws(ImportStop) {
    // A buffer is searched as a whole, so its last value is already known.
    guard !(source is ReplayBuffer) else { return }
    let value = OuterValues.Value(
      depth: position.depth - (steps - 1), slot: slot, location: source.tokenLocation,
      content: content)
    guard !outerValues.replace(with: value) else { return }
    try diagnostics.leaveOut(
      diagnostics.error(
        .key,
        message:
          "\"\(plan.outerPaths[slot])\" occurs again with another value, after objects inside"
          + " have read it at \"@parent\"; remove one of the two, or put both before these objects")
    )
  }

  /// Reads a value of a JSON object around the innermost object, if there is one.
  func readOuterValue(
    slot: Int, levels: Int, _ action: PropertyAction
  ) throws(ImportStop) {
    // The container of an object that is a mere scalar is the one around it.
    let own = parsers.top.depth == 0 ? 0 : 1
    let depth = position.depth(ofObjectAbove: position.depth - own, levels: levels)
    guard let value = outerValues.read(slot: slot, depth: depth) else { return }
    // Report errors at the place of the value, and not at the reader's.
    diagnostics.elsewhere = .init(location: value.location, depth: depth, slot: slot)
    defer { diagnostics.elsewhere = nil }
    switch value.content {
    case .scalar(let kind, let text):
      try text.withBorrowed { text throws(ImportStop) in
        try give(ScalarEvent(kind: kind, text: text), to: action)
      }
    case .container(let isArray):
      try diagnostics.reject(.wrongType, action, found: isArray ? "an array" : "an object")
    }
  }

  // MARK: Values at later paths

  /// Keeps a scalar at a later path of a relationship until the object that has it ends.
  func keepLate(
    _ scalar: ScalarEvent, at node: Int32, _ action: PropertyAction
  ) throws(ImportStop) {
    guard
      let value = lateValue(
        action.number, action.pathIndex, node, levelsUp: action.levelsUp)
    else {
      return
    }
    late.add(scalar, value)
    try checkLate(true)
  }

  /// Returns a value at a later path that begins now; nil if there is one at an earlier path already.
  private func lateValue(
    _ number: Int32, _ pathIndex: UInt8, _ node: Int32, levelsUp: Int32
  ) -> LateValues.Value? {
    let owner = parsers.index(levelsUp: levelsUp)
    parsers[owner].hasLateValues = true
    let isKept = late.areKept(number, pathIndex, of: owner) {
      parsers.hasRelationship(number, before: pathIndex, of: owner)
    }
    guard isKept else { return nil }
    let depth = Int(parsers[owner].depth)
    return LateValues.Value(
      owner: owner, number: number, pathIndex: pathIndex, node: node,
      buffer: ReplayBuffer(
        valueIn: depth, containerDepth: position.depth > depth ? position.depth : nil,
        outside: source, limit: options.bufferLimit))
  }

  private func checkLate(_ isWithinLimit: Bool) throws(ImportStop) {
    guard isWithinLimit, late.byteCount <= options.bufferLimit else {
      throw diagnostics.limitExceeded(
        "more than \(options.bufferLimit) bytes were found at later paths of relationships before their"
          + " object ended; put the first path earlier in the object, or raise bufferLimit")
    }
  }

  /// Reads the values at later paths of the innermost parser's relationships, if there are none at
  /// the earlier ones.
  private func readLateValues() throws(ImportStop) {
    parsers.top.hasLateValues = false
    let waiting = late.take(parsers.topIndex)
    if waiting.isEmpty { return }
    let (mode, outside) = (position.mode, source)
    position.mode = .reading
    // The values that are kept around this object have these events already.
    var outerCapture = JSONCapture()
    if capture.isActive { swap(&capture, &outerCapture) }
    let recording = late.pauseRecording()
    defer {
      if outerCapture.isActive { swap(&capture, &outerCapture) }
      late.resumeRecording(recording)
    }
    for values in waiting {
      // Reading values at a path adds none at an earlier one.
      guard let first = values.first,
        !parsers.hasRelationship(first.number, before: first.pathIndex, of: first.owner)
      else { continue }
      for value in values {
        position.readNext(at: value.node)
        source = value.buffer
        defer { source = outside }
        try value.buffer.replay(to: self)
      }
    }
    position.mode = mode
    position.returnToContainer()
  }

  /// Drops the waiting events, when the import ends before they are read.
  ///
  /// Their buffers lead to the parser, which leads to the engine: together they would never be freed.
  func dropWaitingEvents() {
    buffer = nil
    late = LateValues()
  }

  // MARK: Values kept as JSON

  /// Keeps the values whose JSON ends with the current container.
  private func finishCaptures() throws(ImportStop) {
    guard capture.isActive else { return }
    for finished in capture.takeFinished() { try pushCaptured(finished) }
    if !capture.isActive { capture.reset() }
  }

  /// Keeps a value as JSON until its object ends.
  private func pushCaptured(_ finished: JSONCapture.Capture) throws(ImportStop) {
    var action = finished.action
    action.levelsUp = parsers.topIndex - finished.parser
    // The value may point into the captured JSON, which is lent until the value has been kept.
    let hasValue: Bool? = capture.json.buffer.withBytes(from: finished.start) { text in
      converter.convertContainer(.bytes(text), action.property).map { keepConverted($0, action) }
    }
    guard let hasValue else { return try converter.reject(action, found: "a JSON value") }
    if !hasValue { try readNull(action, found: "a JSON value") }
  }

  // MARK: Publishing

  /// Publishes the objects read so far, if a save is due and possible; called where a container or a root's object ends.
  @inline(__always)
  func saveIfDue() throws(ImportStop) {
    if statistics.objectsSinceSave >= schedule.nextCheck { try saveIfPossible() }
  }

  /// Publishes the objects read so far, if no object is open and a save is due.
  @inline(never)
  private func saveIfPossible() throws(ImportStop) {
    guard position.isResuming || parsers.isAtDocument && publisher.canSave else { return }
    let offset = source.tokenLocation.offset + 1
    if position.isResuming { return try endResuming(at: offset) }
    guard schedule.isDue(objectCount: statistics.objectsSinceSave, offset: offset) else { return }
    countWaitingRootObjects()
    try publisher.save(&statistics, offset: offset)
    schedule.start(offset: offset)
  }

  /// Begins to read objects if the last saved object ends here.
  private func endResuming(at offset: Int) throws(ImportStop) {
    guard let resumed, offset >= resumed.offset else { return }
    guard offset == resumed.offset else { throw ImportStop(Self.otherSource) }
    position.endResuming()
    statistics.startAfterResuming()
    schedule.start(offset: offset)
  }

  private static var otherSource: ImportError {
    ImportError(
      kind: .model,
      message:
        "no object ends at the point of the last save: the source has changed; import it from its"
        + " beginning")
  }

  /// Finishes the graph after the last event and publishes it.
  ///
  /// - Parameter documentCount: The number of documents: a stream may have none, or many.
  /// - Returns: The report of the import.
  /// - Throws: ``ImportError`` if a root was not found or objects cannot be distinguished,
  ///   ``StoreError`` if the graph cannot be published.
  func finish(documentCount: Int) throws -> ImportReport {
    if position.isResuming { throw Self.otherSource }
    // Without a document there are no objects, and no root is missing, unless missing objects are
    // deleted.
    if documentCount > 0 || options.deletesMissing,
      let error = keyWatcher.missingRoot(statistics.roots)
    {
      throw error
    }
    try refuseObjectsOnOneLine(documentCount)
    let survey = CoverageSurvey(keyWatcher, statistics)
    for notice in survey.notices() { diagnostics.noteNotice { notice } }
    countWaitingRootObjects()
    let identities = MissingIdentitySearch(plan: plan, options: options, model: model)
    for notice in identities.notices(statistics.readCounts) {
      diagnostics.noteNotice { notice }
    }
    var report = try publisher.finish(&statistics)
    if options.reportsCoverage {
      var coverage = survey.coverage()
      (coverage.unreadKeys, coverage.unreadKeyCount) = keyWatcher.unread
      report.coverage = coverage
    }
    return report
  }

  /// Refuses several objects of one document that have only its line as their identity.
  private func refuseObjectsOnOneLine(_ documentCount: Int) throws(ImportError) {
    for entity in plan.entities.map(\.schema) where entity.isIdentifiedByLine {
      let count = statistics.readCounts[entity.number]
      guard count > documentCount else { continue }
      let names = entity.declaredIdentity.map { entity.attributes[$0].name }.joined(separator: ", ")
      let documents = documentCount == 1 ? "1 document" : "\(documentCount) documents"
      throw ImportError(
        kind: .model, entity: entity.name,
        message:
          "the identity of \(entity.name) (\(names)) is the line on which a document begins, and"
          + " \(count) objects were found in \(documents); @line tells lines of NDJSON apart: add"
          + " \"@index\" to the identity, or import as NDJSON")
    }
  }

  /// Lists a line of NDJSON that has been skipped.
  func skipLine(_ fault: ParsingError) {
    statistics.hasBrokenLines = true
    guard !position.isResuming else { return }
    statistics.report.brokenLineCount += 1
    diagnostics.noteIssue { ImportError(fault) }
  }

  // MARK: Direct calls

  override var skipsValue: Bool {
    position.mode == .reading && position.next < 0 && !position.isInArray
  }

  override var skipsContent: Bool { position.mode == .skipping }

  override class var sendTokens: TokenWalk.Sender { { $0.send(to: ImportEngine.self) } }

  #if canImport(CYAJL)
  override class var callbacks: YAJLCallbacks { directCallbacks }

  /// The parser calls the engine directly, and not through its class's table of methods.
  private static let directCallbacks = unsafe YAJLCallbacks(
    null: { unsafe YAJLTrampoline<ImportEngine>.null($0) },
    boolean: { unsafe YAJLTrampoline<ImportEngine>.boolean($0, $1) },
    number: { unsafe YAJLTrampoline<ImportEngine>.number($0, $1, $2) },
    string: { unsafe YAJLTrampoline<ImportEngine>.string($0, $1, $2) },
    startObject: { unsafe YAJLTrampoline<ImportEngine>.startObject($0) },
    key: { unsafe YAJLTrampoline<ImportEngine>.key($0, $1, $2) },
    endObject: { unsafe YAJLTrampoline<ImportEngine>.endObject($0) },
    startArray: { unsafe YAJLTrampoline<ImportEngine>.startArray($0) },
    endArray: { unsafe YAJLTrampoline<ImportEngine>.endArray($0) })
  #endif
}

extension EntitySchema {
  /// Whether the line on which the document begins is the object's only identity.
  fileprivate var isIdentifiedByLine: Bool {
    let paths = identity.map { attributes[$0].paths }
    return paths.contains([JSONPath([.line])])
      && paths.allSatisfy { paths in
        paths.allSatisfy { path in
          switch path.steps.first {
          case .line, .file, .constant: true
          default: false
          }
        }
      }
  }
}
