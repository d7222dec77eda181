/// The checked, frozen set of entities whose objects a store keeps.
public struct GraphModel: Sendable {
  let schema: ModelSchema
}
