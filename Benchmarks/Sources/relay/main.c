// The baseline of the egress socket: accepts on a Unix socket, opens one TCP connection to a port of
// 127.0.0.1 for each client, and copies bytes both ways in one epoll loop, with read(2) and write(2).
// In a measurement the difference to this program is the agent's own cost.
//
//   relay SOCKET PORT      prints a line when it listens; ends on SIGTERM
#include <errno.h>
#include <figures.h>
#include <signal.h>
#include <sockets.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BATCH = 64, BUFFER = 64 * 1024 };

// One end of a relayed connection. `buffer` holds the bytes from `start` to `end` that were read
// here and not yet written to `other`. Nothing more is read while there are any (back-pressure).
struct end {
  int descriptor;
  uint32_t events;
  size_t start, end;
  struct end *other;
  struct pair *pair;
  char buffer[BUFFER];
};

struct pair {
  struct end client, server;
  bool is_closed;
  struct pair *next_closed;
};

static int queue;
static struct pair *closed;  // freed after the batch of events, which may still refer to them

// A connect on the loopback interface does not wait.
static int connect_to(uint16_t port) {
  int descriptor = sockets_connect_to_port(port);
  sockets_set_nonblocking(descriptor);
  return descriptor;
}

static void watch(struct end *end, struct pair *pair, int descriptor, struct end *other) {
  *end = (struct end){.descriptor = descriptor, .events = EPOLLIN, .other = other, .pair = pair};
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = end};
  if (epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) != 0) figures_fail("epoll_ctl");
}

static void accept_all(int listener, uint16_t port) {
  for (;;) {
    int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client < 0) return;
    struct pair *pair = malloc(sizeof *pair);
    if (pair == NULL) figures_fail("malloc");
    pair->is_closed = false;
    watch(&pair->client, pair, client, &pair->server);
    watch(&pair->server, pair, connect_to(port), &pair->client);
  }
}

static void close_pair(struct pair *pair) {
  close(pair->client.descriptor);
  close(pair->server.descriptor);
  pair->is_closed = true;
  pair->next_closed = closed;
  closed = pair;
}

static void free_closed(void) {
  while (closed != NULL) {
    struct pair *next = closed->next_closed;
    free(closed);
    closed = next;
  }
}

// Reads where the buffer is empty, and waits for room where the other end's buffer is not.
static void update_events(struct end *end) {
  uint32_t events = (end->start == end->end ? EPOLLIN : 0u) | (end->other->start < end->other->end ? EPOLLOUT : 0u);
  if (events == end->events) return;
  end->events = events;
  struct epoll_event event = {.events = events, .data.ptr = end};
  if (epoll_ctl(queue, EPOLL_CTL_MOD, end->descriptor, &event) != 0) figures_fail("epoll_ctl");
}

static bool is_temporary(int error) { return error == EAGAIN || error == EINTR; }

// Writes what was read at `end` to the other end. False if the connection has broken.
static bool flush(struct end *end) {
  ssize_t count = write(end->other->descriptor, end->buffer + end->start, end->end - end->start);
  if (count < 0) return is_temporary(errno);
  end->start += (size_t)count;
  if (end->start == end->end) end->start = end->end = 0;
  return true;
}

// False if the connection has ended.
static bool fill(struct end *end) {
  ssize_t count = read(end->descriptor, end->buffer, sizeof end->buffer);
  if (count == 0) return false;
  if (count < 0) return is_temporary(errno);
  end->end = (size_t)count;
  return flush(end);
}

// The end of either side ends both: HTTP clients do not close one direction.
static void serve(struct end *end, uint32_t ready) {
  if (end->pair->is_closed) return;
  bool is_open = true;
  if (ready & EPOLLOUT) is_open = flush(end->other);
  if (is_open && end->start == end->end && ready & (EPOLLIN | EPOLLHUP | EPOLLERR)) is_open = fill(end);
  if (!is_open) {
    close_pair(end->pair);
    return;
  }
  update_events(end);
  update_events(end->other);
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: relay SOCKET PORT\n");
    return 64;
  }
  signal(SIGPIPE, SIG_IGN);  // a client may disconnect with a response in flight
  uint16_t port = (uint16_t)figures_number(arguments[2], 1);
  int listener = sockets_listen_at(arguments[1]);
  queue = epoll_create1(EPOLL_CLOEXEC);
  if (queue < 0) figures_fail("epoll_create1");
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  if (epoll_ctl(queue, EPOLL_CTL_ADD, listener, &event) != 0) figures_fail("epoll_ctl");
  printf("listening\n");
  fflush(stdout);
  for (;;) {
    struct epoll_event events[BATCH];
    int ready = epoll_wait(queue, events, BATCH, -1);
    for (int index = 0; index < ready; index++) {
      if (events[index].data.ptr == NULL) {
        accept_all(listener, port);
      } else {
        serve(events[index].data.ptr, events[index].events);
      }
    }
    free_closed();
  }
}
