import Foundation

/// The executable `graft`.
///
/// A type marked `@main` instead of a `main.swift`, whose code, callbacks from C included, would be
/// isolated to the main actor and check so at every call.
@main
enum GraftCommand {
  static func main() async {
    // A reader that has seen enough closes the pipe; that is for the writer to notice, not to die
    // of.
    signal(SIGPIPE, SIG_IGN)
    let status = await run(Array(CommandLine.arguments.dropFirst()))
    exit(status.rawValue)
  }

  private static func run(_ arguments: [String]) async -> ExitStatus {
    do {
      return try await Subcommand.run(arguments)
    } catch {
      return Failure.report(error)
    }
  }
}
