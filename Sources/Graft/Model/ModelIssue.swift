/// Something wrong or doubtful in a model, with the place and the remedy.
public struct ModelIssue: Sendable, Hashable, CustomStringConvertible {
  /// A place in a model file.
  public struct Location: Sendable, Hashable {
    /// The path of the file.
    public let file: String
    /// The line, counted from 1; nil where the format does not tell.
    public let line: Int?
    /// The column in the line, counted from 1; nil where the format does not tell.
    public let column: Int?
  }

  /// The entity concerned; nil for an issue of the whole model.
  public let entity: String?
  /// The attribute or relationship concerned; nil for an issue of the whole entity.
  public let property: String?
  /// What was expected, what was found and what to do about it, in one line.
  public let message: String
  /// Where it stands in the model's file; nil for a model made in code.
  public let location: Location?

  /// The issue in one line, for example `Model.xml:12: Hero.name: unknown attribute type "Sting",
  /// did you mean "String"?`.
  public var description: String {
    var text = ""
    if let location {
      text = location.file
      if let line = location.line { text += ":\(line)" }
      if let column = location.column { text += ":\(column)" }
      text += ": "
    }
    if let entity { text += property.map { "\(entity).\($0): " } ?? "\(entity): " }
    return text + message
  }
}
