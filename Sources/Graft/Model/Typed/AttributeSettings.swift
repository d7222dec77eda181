/// What is said about an attribute besides its type, in the terms of a model.
struct AttributeSettings: Sendable {
  var paths: JSONPaths?
  var format: String?
  var transformer: AttributeTransformer?
  var policies: Policies
  var isIndexed = false
  var defaultValue: AttributeValue?
  var minimum: AttributeBound?
  var maximum: AttributeBound?
  var pattern: String?

  init(
    _ paths: JSONPaths?, format: String?, transformer: AttributeTransformer?,
    length: ClosedRange<Int>?, pattern: String?, onNull: NullPolicy?, onAbsent: AbsentPolicy?,
    export: ExportStyle?, isIndexed: Bool
  ) {
    self.paths = paths
    self.format = format
    self.transformer = transformer
    self.pattern = pattern
    policies = Policies(onNull: onNull, onAbsent: onAbsent, export: export)
    self.isIndexed = isIndexed
    guard let length else { return }
    minimum = .value(.integer(Int64(length.lowerBound)))
    maximum = length.upperBound == .max ? nil : .value(.integer(Int64(length.upperBound)))
  }
}
