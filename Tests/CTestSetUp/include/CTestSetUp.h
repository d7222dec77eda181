// Swift Testing has no step before the first test, and the tests of all targets are one process. A constructor
// runs when the process, or on Apple's systems the bundle of tests, is loaded: before any test, and before the
// first use of anything of Graft. The library itself reads no environment variable, so that an app in whose
// environment there happens to be one is not changed by it.

/// Makes the engine that the environment variable GRAFT_ENGINE names the default one of this process.
///
/// GraftTestSupport defines it, and CTestSetUp calls it.
void graft_tests_use_engine(const char *name);
