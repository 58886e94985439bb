// Reports the locks of Swift's Synchronization.Mutex to the thread sanitizer, for a run with
// script/test --sanitize=thread, which preloads this library (ld.so(8)).
//
// On Linux the mutex is a futex (FUTEX_LOCK_PI). Its fast path is compiled into the caller, where
// the sanitizer sees it; the slow path, for a thread that has to wait, is in
// libswiftSynchronization, which is built without the sanitizer, so that every transfer from one
// waiting thread to another would be reported as a race. This library therefore defines both slow
// paths, calls the real ones, and reports the operation to the sanitizer. A library without the
// sanitizer calls them too; nothing is reported then.
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
