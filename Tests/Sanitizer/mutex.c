// Tells the thread sanitizer of the locks of Swift's Synchronization.Mutex, for a run with script/test --sanitize=thread,
// which preloads this (ld.so(8)).
//
// On Linux the mutex is a futex (FUTEX_LOCK_PI). Its quick path is compiled into the caller, where the sanitizer sees it; the
// slow path, where somebody has to wait, lies in libswiftSynchronization, which is not built with it: every hand-over
// from one waiting thread to another would be reported as a race. So both slow paths are defined here as well, call the
// real ones, and say what they did. A library without the sanitizer calls them too, and then nothing is said.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// sanitizer/tsan_interface.h
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

// The names are part of Swift's ABI: `_MutexHandle._lockSlow(_: UInt32)` and `_MutexHandle._unlockSlow()`.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SELF __attribute__((swift_context)) void *self

typedef __attribute__((swiftcall)) void Lock(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) void Unlock(SELF);

Lock lock_slow __asm__(LOCK);
Unlock unlock_slow __asm__(UNLOCK);

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF) {
  ((Lock *)dlsym(RTLD_NEXT, LOCK))(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

__attribute__((swiftcall)) void unlock_slow(SELF) {
  if (__tsan_release) __tsan_release(self);
  ((Unlock *)dlsym(RTLD_NEXT, UNLOCK))(self);
}
