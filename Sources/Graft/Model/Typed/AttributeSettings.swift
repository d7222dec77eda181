/// What is said about an attribute besides its type, in the terms of a model.
struct AttributeSettings: Sendable {
  var paths: JSONPaths?
  var format: String?
  var transformer: AttributeTransformer?
  var onNull: NullPolicy?
  var onAbsent: AbsentPolicy?
  var export: ExportStyle?
  var isIndexed = false
  var defaultValue: AttributeValue?
  var minimum: String?
  var maximum: String?
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
    self.onNull = onNull
    self.onAbsent = onAbsent
    self.export = export
    self.isIndexed = isIndexed
    guard let length else { return }
    minimum = String(length.lowerBound)
    maximum = length.upperBound == .max ? nil : String(length.upperBound)
  }

  /// The annotations that say the same in a model file; the transformer's is the model's to name.
  var annotations: [String: String] {
    var notes: [String: String] = [:]
    notes["JSONKeyPath"] = paths?.annotation
    notes["JSONDateFormat"] = format
    notes["JSONNull"] = onNull?.rawValue
    notes["JSONAbsent"] = onAbsent?.rawValue
    notes["JSONExport"] = export?.rawValue
    return notes
  }
}
