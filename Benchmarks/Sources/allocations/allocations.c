// Counts the heap allocations of a program. Loaded with LD_PRELOAD, in place of glibc's functions; the count is the first 8
// bytes of the file in ALLOCATIONS_FILE, where the measuring program reads it.
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's own names of the functions that are replaced here.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Atomic uint64_t unshared;
static _Atomic uint64_t *count = &unshared;

__attribute__((constructor)) static void share(void) {
  const char *path = getenv("ALLOCATIONS_FILE");
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, sizeof *count) != 0) abort();
  void *memory = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) abort();
  count = memory;
  close(file);
}

static void note(void) { atomic_fetch_add_explicit(count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  note();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  note();
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? 12 : 0;  // ENOMEM
}
