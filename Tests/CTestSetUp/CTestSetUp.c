#include "CTestSetUp.h"

#include <stdlib.h>

__attribute__((constructor)) static void set_up(void) {
  const char *name = getenv("GRAFT_ENGINE");
  if (name) graft_tests_use_engine(name);
  // For the processes that tests begin, some of which end by a crash on purpose: the backtrace of one
  // takes seconds. This process has read the variable before, and still prints its own.
  setenv("SWIFT_BACKTRACE", "enable=no", 1);
}
