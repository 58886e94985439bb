// Measures the time of whole processes.
//
//   spawn exit RUNS -- CMD…      from start to exit; the output is discarded
//   spawn ready RUNS -- CMD…     from start to READY=1 (sd_notify(3)); then sends SIGTERM and waits
//
// Prints {"p50":…,"p99":…} in microseconds. A command that fails ends the measurement.
#include <errno.h>
#include <fcntl.h>
#include <figures.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATIENCE_SECONDS = 10 };

static pid_t start(char **command) {
  posix_spawn_file_actions_t actions;
  pid_t pid;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  errno = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
  if (errno != 0) figures_fail(command[0]);
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

// A handler for SIGALRM, so that the signal interrupts waitpid(2).
static void on_alarm(int number) { (void)number; }

static void await_end(pid_t pid, const char *name) {
  int status;
  alarm(PATIENCE_SECONDS);
  if (waitpid(pid, &status, 0) < 0) {
    kill(pid, SIGKILL);
    fprintf(stderr, "spawn: %s did not end within %d s\n", name, PATIENCE_SECONDS);
    exit(1);
  }
  alarm(0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(stderr, "spawn: %s failed (status %#x)\n", name, status);
    exit(1);
  }
}

// An abstract socket, which needs no file and disappears with this process.
static int notify_socket(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
  char name[64];
  int size = snprintf(name, sizeof name, "@ritual-benchmark-%d", (int)getpid());
  memcpy(address.sun_path, name, (size_t)size);
  address.sun_path[0] = '\0';
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) figures_fail("socket");
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)size);
  if (bind(descriptor, (struct sockaddr *)&address, length) != 0) figures_fail("bind");
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0) figures_fail("setsockopt");
  setenv("NOTIFY_SOCKET", name, 1);
  return descriptor;
}

static void await_ready(int descriptor, pid_t pid) {
  char message[4096];
  for (;;) {
    ssize_t count = recv(descriptor, message, sizeof message - 1, 0);
    if (count < 0) {
      kill(pid, SIGKILL);
      figures_fail("no READY=1 in time");
    }
    message[count] = '\0';
    if (strstr(message, "READY=1") != NULL) return;
  }
}

static void drain(int descriptor) {
  char message[4096];
  while (recv(descriptor, message, sizeof message, MSG_DONTWAIT) >= 0) continue;
}

static uint64_t time_until_exit(char **command) {
  uint64_t begin = figures_now();
  await_end(start(command), command[0]);
  return figures_now() - begin;
}

static uint64_t time_until_ready(int descriptor, char **command) {
  drain(descriptor);
  uint64_t begin = figures_now();
  pid_t pid = start(command);
  await_ready(descriptor, pid);
  uint64_t duration = figures_now() - begin;
  kill(pid, SIGTERM);
  await_end(pid, command[0]);
  return duration;
}

int main(int count, char **arguments) {
  int until_ready = count > 1 && strcmp(arguments[1], "ready") == 0;
  if (count < 5 || strcmp(arguments[3], "--") != 0 || (!until_ready && strcmp(arguments[1], "exit") != 0)) {
    fprintf(stderr, "usage: spawn exit|ready RUNS -- CMD…\n");
    return 64;
  }
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  size_t runs = (size_t)figures_number(arguments[2], 1);
  uint64_t *samples = calloc(runs, sizeof *samples);
  if (samples == NULL) figures_fail("calloc");
  int descriptor = until_ready ? notify_socket() : -1;
  for (size_t index = 0; index < runs; index++) {
    samples[index] = until_ready ? time_until_ready(descriptor, &arguments[4]) : time_until_exit(&arguments[4]);
  }
  figures_print(samples, runs);
  free(samples);
  return 0;
}
