// The API behind the egress socket: an HTTP/1.1 server on 127.0.0.1 with one epoll loop and kept
// connections.
//
//   origin      prints its port when it listens; ends on SIGTERM
//
//   GET /todos            300 bytes of JSON
//   GET /download/MIB     a body of MIB mebibytes
//
// Any other request gets 404. Request bodies are not read: no measurement sends one.
#include <errno.h>
#include <figures.h>
#include <signal.h>
#include <sockets.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BATCH = 64, HEAD = 32 * 1024, BUFFER = 256 * 1024, TODOS = 300 };

struct connection {
  int descriptor;
  bool is_waiting;      // for room in the socket's buffer
  uint64_t remaining;   // bytes of the download that are not yet sent
  size_t filled;
  char head[HEAD + 1];  // with a terminating NUL
};

static int queue;
static char zeros[BUFFER];
static char todos[TODOS + 1];

static void make_todos(void) {
  int filled = snprintf(todos, sizeof todos, "[{\"id\":1,\"task\":\"");
  memset(todos + filled, 'x', TODOS - (size_t)filled);
  memcpy(todos + TODOS - 3, "\"}]", 3);
}

static void watch(int operation, int descriptor, uint32_t events, void *data) {
  struct epoll_event event = {.events = events, .data.ptr = data};
  if (epoll_ctl(queue, operation, descriptor, &event) != 0) figures_fail("epoll_ctl");
}

static void accept_all(int listener) {
  for (;;) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return;
    sockets_set_nodelay(descriptor);
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) figures_fail("calloc");
    connection->descriptor = descriptor;
    watch(EPOLL_CTL_ADD, descriptor, EPOLLIN, connection);
  }
}

static void end(struct connection *connection) {
  close(connection->descriptor);
  free(connection);
}

static void set_waiting(struct connection *connection, bool is_waiting) {
  if (connection->is_waiting == is_waiting) return;
  connection->is_waiting = is_waiting;
  watch(EPOLL_CTL_MOD, connection->descriptor, is_waiting ? EPOLLOUT : EPOLLIN, connection);
}

// Sends as much of the download as the socket takes. False if the connection has broken.
static bool send_download(struct connection *connection) {
  while (connection->remaining > 0) {
    size_t part = connection->remaining < sizeof zeros ? (size_t)connection->remaining : sizeof zeros;
    ssize_t count = write(connection->descriptor, zeros, part);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (count < 0) break;
    connection->remaining -= (uint64_t)count;
  }
  set_waiting(connection, connection->remaining > 0);
  return true;
}

// Heads and small bodies are far smaller than the socket's buffer, so a write is never partial.
static bool send_answer(struct connection *connection, const char *status, uint64_t length, const char *body) {
  char answer[1024];
  int size = snprintf(answer, sizeof answer,
                      "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %llu\r\n\r\n%s", status,
                      (unsigned long long)length, body);
  return write(connection->descriptor, answer, (size_t)size) == size;
}

static bool answer(struct connection *connection) {
  unsigned long long mebibytes;
  if (strncmp(connection->head, "GET /todos ", 11) == 0) return send_answer(connection, "200 OK", TODOS, todos);
  if (sscanf(connection->head, "GET /download/%llu ", &mebibytes) != 1) return send_answer(connection, "404 Not Found", 0, "");
  connection->remaining = mebibytes << 20;
  return send_answer(connection, "200 OK", connection->remaining, "") && send_download(connection);
}

// False if the connection has ended.
static bool read_request(struct connection *connection) {
  ssize_t count = read(connection->descriptor, connection->head + connection->filled, HEAD - connection->filled);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  connection->filled += (size_t)count;
  connection->head[connection->filled] = '\0';
  if (strstr(connection->head, "\r\n\r\n") == NULL) return connection->filled < HEAD;
  connection->filled = 0;  // a client sends its next request after the answer
  return answer(connection);
}

int main(int count, char **arguments) {
  (void)arguments;
  if (count != 1) {
    fprintf(stderr, "usage: origin\n");
    return 64;
  }
  signal(SIGPIPE, SIG_IGN);  // a client may disconnect during a download
  make_todos();
  queue = epoll_create1(EPOLL_CLOEXEC);
  if (queue < 0) figures_fail("epoll_create1");
  uint16_t port;
  int listener = sockets_listen_on_loopback(&port);
  watch(EPOLL_CTL_ADD, listener, EPOLLIN, NULL);
  printf("%d\n", port);
  fflush(stdout);
  for (;;) {
    struct epoll_event events[BATCH];
    int ready = epoll_wait(queue, events, BATCH, -1);
    for (int index = 0; index < ready; index++) {
      struct connection *connection = events[index].data.ptr;
      if (connection == NULL) {
        accept_all(listener);
      } else if (!(connection->is_waiting ? send_download(connection) : read_request(connection))) {
        end(connection);
      }
    }
  }
}
