import CTestSetUp
import Graft

/// Makes an engine the default one, so that one build of the tests runs with either; CTestSetUp calls it before
/// the first test, where the environment names one.
@_cdecl("graft_tests_use_engine")
public func useEngineInTests(_ name: UnsafePointer<CChar>) {
  let name = String(cString: name)
  guard let engine = ParserOptions.Engine(rawValue: name) else {
    fatalError("GRAFT_ENGINE names the engine \"\(name)\", which this build does not have")
  }
  ParserOptions.Engine.makeDefault(engine)
}
