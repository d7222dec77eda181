// The header is all there is; compiling it here checks it by itself.
#include "CScan.h"
