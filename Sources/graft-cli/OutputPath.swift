import CommandLineSupport
import Foundation

/// Refuses to write a result over a file that the command reads or changes.
enum OutputPath {
  /// - Parameters:
  ///   - file: The file that the result replaces; nil for none.
  ///   - option: The option that names it.
  ///   - others: The other files of the command, addresses among them.
  /// - Throws: ``UsageError`` if it is one of them.
  static func check(
    _ file: String?, of option: String, besides others: [String]
  ) throws(UsageError) {
    guard let file, file != "-" else { return }
    let place = Self.place(of: file)
    guard let other = others.first(where: { !$0.isEmpty && Self.place(of: $0) == place }) else {
      return
    }
    throw UsageError("\(option) would replace \(other), which the command uses; name another file")
  }

  private static func place(of file: String) -> String {
    URL(fileURLWithPath: file).resolvingSymlinksInPath().standardizedFileURL.path
  }
}
