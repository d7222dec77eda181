import Graft
import Synchronization

/// Keeps an importer whose hooks keep it in turn, until the import lets go of them.
final class ImporterHolder: Sendable {
  private let importer = Mutex<JSONImporter?>(nil)

  func hold(_ importer: JSONImporter) { self.importer.withLock { $0 = importer } }

  /// Returns hooks that hold this object, and may cancel its importer.
  func hooks(isCancelling: Bool) -> ImportHooks {
    ImportHooks(shouldImport: { _ in
      if isCancelling { self.importer.withLock { $0?.cancel() } }
      return true
    })
  }
}
