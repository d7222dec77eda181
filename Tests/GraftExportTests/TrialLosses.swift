@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Returns the losses of an export of a trial's graph, or of a part of it.
func losses(
  _ trial: ImportTrial, _ content: ExportContent? = nil,
  _ change: (inout ExportOptions) -> Void = { _ in }
) throws -> [ExportLoss] {
  var options = ExportOptions()
  change(&options)
  var report = ExportReport()
  _ = try JSONExporter(model: trial.store.model, options: options)
    .data(content ?? .graph(trial.store.graph), report: &report)
  return report.losses
}
