// Memory is overwritten when it is freed: tokens and passwords pass through Swift's strings and arrays, NIO's buffers and
// the decoders, and none of these wipes what it lets go of.
//
// A definition of `free` in the program itself comes before libc's in the dynamic linker's search (ld.so(8)), so that the libraries
// of the process, libc included, call this one ("Replacing malloc" in glibc's manual). glibc keeps its own reachable as `__libc_free`.
// Allocation stays as it is: only what gives memory back is here. `reallocarray` and all else that frees ends in these two.
#include "CWipe.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stddef.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_OTHER_ALLOCATOR 1
#endif
#endif

#ifdef HAS_OTHER_ALLOCATOR

bool ritual_wipe_is_in_force(void) { return false; }

#else

extern void __libc_free(void *block);
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *block, size_t size);

/// Overwrites, and has the compiler believe that somebody looks at the result: what explicit_bzero(3) does, in line.
static inline void wipe(void *start, size_t count) {
  memset(start, 0, count);
  __asm__ __volatile__("" : : "r"(start) : "memory");
}

/// free(3). The whole block is overwritten, up to what glibc rounded it up to: a block may have been longer before a `realloc`.
void free(void *block) {
  if (block == NULL) return;
  wipe(block, malloc_usable_size(block));
  __libc_free(block);
}

/// realloc(3), which must not leave behind a copy: neither the old block after a move, nor the tail that is cut off.
void *realloc(void *block, size_t size) {
  if (block == NULL) return __libc_malloc(size);
  if (size == 0) {
    // As glibc has it.
    free(block);
    return NULL;
  }
  const size_t usable = malloc_usable_size(block);
  if (size <= usable) {
    wipe((char *)block + size, usable - size);
    // In place, as glibc never moves a block to make it shorter; it gives back the tail if that is worth it.
    return __libc_realloc(block, size);
  }
  void *const longer = __libc_malloc(size);
  if (longer == NULL) return NULL;
  memcpy(longer, block, usable);
  free(block);
  return longer;
}

bool ritual_wipe_is_in_force(void) {
  // The first `free` in the order in which the dynamic linker searches: the one that every library was bound to.
  return dlsym(RTLD_DEFAULT, "free") == (void *)free && dlsym(RTLD_DEFAULT, "realloc") == (void *)realloc;
}

#endif
