// libsystemd, and the few Linux calls that the Glibc module does not show: prctl(2) is variadic there.
#include <sys/prctl.h>
#include <systemd/sd-daemon.h>

/// prctl(PR_SET_DUMPABLE, 0): no core dump, no ptrace by the same uid. 0, or -1 with errno.
static inline int ritual_set_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
