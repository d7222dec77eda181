// Raw memory: the words of the command line, which the system has allocated and keeps until the process ends. They are
// overwritten before any other thread runs, byte for byte, and never beyond their end.

import CommandLineSupport
import Foundation
import Graft

/// Keeps secrets out of the list of processes, which every user of a machine may see.
enum ProcessList {
  /// The options whose values may be secrets.
  private static let options: Set<String> = ["--header", "--data"]

  /// Overwrites secrets in the command line: values of headers, bodies, and user and password in a URL.
  ///
  /// - Precondition: The arguments have been copied.
  static func hideSecrets() {
    var previous = ""
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = unsafe CommandLine.unsafeArgv[index] else { return }
      let text = unsafe String(cString: word)
      let shown = hidden(text, after: previous)
      if shown != text {
        let count = unsafe strlen(word)
        let bytes = Array(shown.utf8.prefix(count))
        let room = unsafe UnsafeMutableBufferPointer(start: word, count: count)
        for (offset, byte) in (bytes + Array(repeating: 0x20, count: count - bytes.count))
          .enumerated()
        {
          unsafe room[offset] = CChar(bitPattern: byte)
        }
      }
      previous = text
    }
  }

  /// Returns a word as others may see it.
  private static func hidden(_ word: String, after previous: String) -> String {
    if options.contains(previous) { return word.hasPrefix("@") ? word : "***" }
    for option in options where word.hasPrefix(option + "=") {
      return word.dropFirst(option.count + 1).hasPrefix("@") ? word : option + "=***"
    }
    return Secrets.removed(from: word)
  }
}
