// The baseline: a Unix-socket server with one epoll loop that sends back the bytes it reads. In a
// measurement the difference to this server is the agent's own cost.
//
//   echo SOCKET      prints a line when it listens; ends on SIGTERM
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BATCH = 64, BUFFER = 64 * 1024 };

_Noreturn static void fail(const char *what) {
  fprintf(stderr, "echo: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int listen_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    fail(path);
  }
  strcpy(address.sun_path, path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0) fail("socket");
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
  if (listen(listener, SOMAXCONN) != 0) fail("listen");
  return listener;
}

static void watch(int queue, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  if (epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) != 0) fail("epoll_ctl");
}

static void accept_all(int queue, int listener) {
  for (;;) {
    int peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (peer < 0) return;
    watch(queue, peer);
  }
}

// Messages are far smaller than the socket's buffer, so a write is never partial.
static void answer(int peer) {
  static char buffer[BUFFER];
  ssize_t count = read(peer, buffer, sizeof buffer);
  if (count > 0 && write(peer, buffer, (size_t)count) == count) return;
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  close(peer);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: echo SOCKET\n");
    return 64;
  }
  signal(SIGPIPE, SIG_IGN);  // a client may disconnect with a request in flight
  int listener = listen_at(arguments[1]);
  int queue = epoll_create1(EPOLL_CLOEXEC);
  if (queue < 0) fail("epoll_create1");
  watch(queue, listener);
  printf("listening\n");
  fflush(stdout);
  for (;;) {
    struct epoll_event events[BATCH];
    int ready = epoll_wait(queue, events, BATCH, -1);
    for (int index = 0; index < ready; index++) {
      if (events[index].data.fd == listener) {
        accept_all(queue, listener);
      } else {
        answer(events[index].data.fd);
      }
    }
  }
}
