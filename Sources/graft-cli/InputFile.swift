import Foundation

/// Tells the kinds of files that a command was given apart, by their names.
enum InputFile {
  /// Returns whether a name is an address on the web.
  static func isAddress(_ name: String) -> Bool {
    ["http://", "https://"].contains { name.lowercased().hasPrefix($0) }
  }

  /// Returns whether a file can be read only once: standard input, a pipe or a device.
  static func isStream(_ name: String) -> Bool {
    if name == "-" { return true }
    var status = stat()
    guard !isAddress(name), unsafe stat(name, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Returns whether a file can be read again; a pipe and a server's answer cannot.
  static func isRegularFile(_ name: String) -> Bool {
    guard name != "-" else { return false }
    let path = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}
