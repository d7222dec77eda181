/// The parts of a plan while it is being compiled.
struct PlanTables {
  var states: [ValueState] = []
  var containers: [ContainerState] = []
  var scalars: [ScalarAction] = []
  var starts: [StartAction] = []
  var opens: [OpenAction] = []
  var deliveries: [Delivery] = []
  var elements: [ElementEntry] = []
  var decisions: [PlanDecision] = []
  var properties: [PropertyPlan] = []
  var objectScalars: [Int32: Range32] = [:]
  var lookedUp: [Set<Int>] = []
  var hooks: [ImportHooks?] = []
  var deletionScopes: [(@Sendable (GraphObject) -> Bool)?] = []

  mutating func add(_ actions: [ScalarAction]) -> Range32 { Self.append(actions, to: &scalars) }
  mutating func add(_ actions: [StartAction]) -> Range32 { Self.append(actions, to: &starts) }
  mutating func add(_ actions: [OpenAction]) -> Range32 { Self.append(actions, to: &opens) }
  mutating func add(_ entries: [Delivery]) -> Range32 { Self.append(entries, to: &deliveries) }
  mutating func add(_ entries: [ElementEntry]) -> Range32 { Self.append(entries, to: &elements) }

  private static func append<Element>(_ new: [Element], to buffer: inout [Element]) -> Range32 {
    let range = Range32(start: Int32(buffer.count), count: Int32(new.count))
    buffer += new
    return range
  }
}
