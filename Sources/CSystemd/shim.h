// libsystemd (notifications, passed descriptors, the journal), and the few Linux calls that the Glibc module does not show: prctl(2) is variadic there, timerfd_create(2)
// rtnetlink(7), accept4(2) and malloc_trim(3) are not part of it.
#include <linux/openat2.h>
#include <linux/rtnetlink.h>
#include <linux/stat.h>
#include <malloc.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
// Where in our sources an entry comes from is nothing that the journal should hold: the plain functions, not its macros.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>
#include <unistd.h>

/// SO_PEERPIDFD (Linux 6.5, asm-generic/socket.h), which older headers lack.
static const int ritual_so_peerpidfd = 77;

/// The inode of a pidfd, which no other process has until the next boot: on pidfs (Linux 6.9). Before, all pidfds have the
/// same inode. 0, or -1.
static inline int ritual_pidfd_inode(int descriptor, uint64_t *inode) {
  struct statfs system;
  struct stat status;
  if (fstatfs(descriptor, &system) != 0 || system.f_type != 0x50494446) return -1;  // PID_FS_MAGIC
  if (fstat(descriptor, &status) != 0) return -1;
  *inode = status.st_ino;
  return 0;
}

/// Device and inode of an open file, or of a link in /proc, as the kernel has them in memory (AT_STATX_DONT_SYNC): does not
/// wait for a network or FUSE file system. 0, or -1.
///
/// The numbers here and below are those of linux/fcntl.h, which cannot be included beside fcntl.h, and of openat2, which is the
/// same on all architectures.
static inline int ritual_known_file(int directory, const char *path, uint64_t *device, uint64_t *inode) {
  struct statx status;
  const int flags = 0x4000 | 0x1000;  // AT_STATX_DONT_SYNC, AT_EMPTY_PATH
  if (syscall(SYS_statx, directory, path, flags, STATX_INO, &status) != 0) return -1;
  *device = makedev(status.stx_dev_major, status.stx_dev_minor);
  *inode = status.stx_ino;
  return 0;
}

/// Device and inode of the file at a path whose folders the kernel has in memory (openat2(2), RESOLVE_CACHED). -1 otherwise,
/// and for a file that does not exist: does not wait for a disk either.
static inline int ritual_known_path(const char *path, uint64_t *device, uint64_t *inode) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = 010000000 | 02000000;  // O_PATH, O_CLOEXEC
  how.resolve = 0x20;  // RESOLVE_CACHED, Linux 5.12, which older headers lack
  int descriptor = (int)syscall(437, -100, path, &how, sizeof how);  // openat2, AT_FDCWD
  if (descriptor < 0) return -1;
  int status = ritual_known_file(descriptor, "", device, inode);
  close(descriptor);
  return status;
}

/// The path from which this process was started (AT_EXECFN, getauxval(3)), or null.
static inline const char *ritual_started_path(void) { return (const char *)getauxval(AT_EXECFN); }

/// prctl(PR_SET_DUMPABLE, 0): no core dump, no ptrace by the same uid. 0, or -1 with errno.
static inline int ritual_set_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// setrlimit(2) and getrlimit(2). Not glibc's functions, which use prlimit64: the unit denies it, because it sets the limits of
/// other processes too. 0, or -1 with errno.
static inline int ritual_set_limit(int resource, uint64_t limit) {
  struct rlimit both = {limit, limit};
  return (int)syscall(SYS_setrlimit, resource, &both);
}

static inline int ritual_soft_limit(int resource, uint64_t *limit) {
  struct rlimit both;
  int status = (int)syscall(SYS_getrlimit, resource, &both);
  if (status == 0) *limit = both.rlim_cur;
  return status;
}

/// Raises the soft limit to `wanted`, or to the hard limit if that is lower; never lowers it. 0, or -1 with errno.
static inline int ritual_raise_soft_limit(int resource, uint64_t wanted) {
  struct rlimit both;
  if (syscall(SYS_getrlimit, resource, &both) != 0) return -1;
  if (both.rlim_cur >= wanted || both.rlim_cur == both.rlim_max) return 0;
  both.rlim_cur = wanted < both.rlim_max ? wanted : both.rlim_max;
  return (int)syscall(SYS_setrlimit, resource, &both);
}

/// A timer on the wall clock, for `ritual_clock_watch_arm`. A descriptor, or -1 with errno.
static inline int ritual_clock_watch(void) {
  return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

/// Arms the timer so that it becomes readable when the wall clock is set, or the machine resumes from a suspend
/// (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET). Its own expiry is never reached. 0, or -1 with errno.
static inline int ritual_clock_watch_arm(int descriptor) {
  struct itimerspec never;
  memset(&never, 0, sizeof never);
  never.it_value.tv_sec = INT64_MAX / 1000000000; // ktime_t counts nanoseconds: the year 2262
  return timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

/// A socket that becomes readable when a route comes or goes (rtnetlink(7)). A descriptor, or -1 with errno.
static inline int ritual_route_watch(void) {
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (descriptor < 0) return -1;
  struct sockaddr_nl address;
  memset(&address, 0, sizeof address);
  address.nl_family = AF_NETLINK;
  address.nl_groups = RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}

/// Accepts a TCP connection over IPv4 from a listener that does not block (accept4(2)), with the address and port of its
/// client in the machine's byte order. A descriptor that does not block and is closed on exec, or -1 with errno.
static inline int ritual_accept(int listener, uint32_t *address, uint16_t *port) {
  struct sockaddr_in client;
  socklen_t size = sizeof client;
  memset(&client, 0, sizeof client);
  int descriptor = (int)syscall(SYS_accept4, listener, &client, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  *address = ntohl(client.sin_addr.s_addr);
  *port = ntohs(client.sin_port);
  return descriptor;
}

/// A connection to a bus as its client (sd-bus(3)). Where the bus's socket is not there yet, or nobody serves it, the
/// connection waits for it with inotify(7) (sd_bus_set_watch_bind(3)). A call waits `timeout` microseconds for its answer.
/// 0, or the negative errno.
static inline int ritual_bus_open(const char *address, uint64_t timeout, sd_bus **result) {
  sd_bus *bus = NULL;
  int status = sd_bus_new(&bus);
  if (status >= 0) status = sd_bus_set_address(bus, address);
  if (status >= 0) status = sd_bus_set_bus_client(bus, 1);
  if (status >= 0) status = sd_bus_set_watch_bind(bus, 1);
  if (status >= 0) status = sd_bus_set_method_call_timeout(bus, timeout);
  if (status >= 0) status = sd_bus_start(bus);
  if (status < 0) {
    sd_bus_unref(bus);
    return status;
  }
  *result = bus;
  return 0;
}

/// memfd_secret(2), Linux 5.14; its number is the same on all architectures.
static inline int ritual_memfd_secret(unsigned flags) { return (int)syscall(447, flags); }
