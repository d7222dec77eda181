#include "CTestSetUp.h"

#include <stdlib.h>

__attribute__((constructor)) static void set_up(void) {
  const char *name = getenv("GRAFT_ENGINE");
  if (name) graft_tests_use_engine(name);
}
