#pragma once

#include <stdbool.h>

/// Whether every library of this process frees through the `free` of this target, which overwrites what it is given: true
/// wherever the target is linked in, but for builds with a sanitizer, which brings an allocator of its own.
bool ritual_wipe_is_in_force(void);
