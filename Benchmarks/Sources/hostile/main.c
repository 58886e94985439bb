// Hostile clients of one kind, from one thread:
//
//   hostile KIND SOCKET CONNECTIONS
//
// Runs until standard input ends; prints {"connections":N} when all clients have connected.
//
// `churn` reconnects immediately after each request, `visits` after each response; the other kinds
// reconnect 10 ms after the server has closed the connection.
#include <errno.h>
#include <fcntl.h>
#include <figures.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BATCH = 64, PIECE = 64 * 1024, NESTED = 5000, INVALID = 4000, ENDLESS = 100 * 1024 * 1024 };
static const uint64_t SECOND = 1000000000u, PAUSE = SECOND / 100;

#define TOKEN "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"session.token\",\"params\":{}}\n"
#define STATUS "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"agent.status\",\"params\":{}}\n"
#define SUBSCRIBE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"events.subscribe\",\"params\":{}}\n"

struct kind {
  const char *name;
  // `once` is sent when a connection starts, then `again` repeatedly; an empty one is not sent.
  char once[512], again[2 * PIECE];
  size_t again_size;
  bool reads;     // reads its responses
  bool drips;     // sends `again` byte by byte, one per second
  bool churns;    // disconnects after each `once`
  bool visits;    // disconnects after each response
  bool endless;   // ends the line after ENDLESS bytes
};

static struct kind kind;
static const char *path;

struct connection {
  int descriptor;
  size_t sent;        // bytes of `again`
  size_t line;        // bytes since the last end of a line, if `endless`
  uint64_t not_before;
};

static void repeat(const char *format) {
  for (int id = 0; kind.again_size < PIECE; id++) {
    kind.again_size += (size_t)snprintf(kind.again + kind.again_size, 256, format, id);
  }
}

static void fill(char byte, size_t count, bool ends) {
  memset(kind.again, byte, count);
  if (ends) kind.again[count++] = '\n';
  kind.again_size = count;
}

static bool choose(const char *name) {
  kind.name = name;
  kind.reads = true;
  if (strcmp(name, "silent") == 0) {
    strcpy(kind.once, "{\"jsonrpc\":\"2.0\",");
  } else if (strcmp(name, "drip") == 0) {
    kind.drips = true;
    kind.again_size = (size_t)snprintf(kind.again, 256, TOKEN, 1);
  } else if (strcmp(name, "endless") == 0) {
    kind.endless = true;
    fill('x', PIECE, false);
  } else if (strcmp(name, "nested") == 0) {
    fill('[', NESTED, true);
  } else if (strcmp(name, "encoding") == 0) {
    fill((char)0xFF, INVALID, true);
  } else if (strcmp(name, "subscribers") == 0) {
    strcpy(kind.once, SUBSCRIBE);
    kind.reads = false;
  } else if (strcmp(name, "unread") == 0) {
    kind.reads = false;
    repeat(TOKEN);
  } else if (strcmp(name, "flood") == 0) {
    repeat(TOKEN);
  } else if (strcmp(name, "calls") == 0) {
    repeat(STATUS);
  } else if (strcmp(name, "churn") == 0) {
    kind.churns = true;
    snprintf(kind.once, sizeof kind.once, TOKEN, 1);
  } else if (strcmp(name, "visits") == 0) {
    kind.visits = kind.reads = true;
    snprintf(kind.once, sizeof kind.once, TOKEN, 1);
  } else {
    return false;
  }
  return true;
}

static void end(struct connection *connection, uint64_t pause) {
  close(connection->descriptor);
  *connection = (struct connection){.descriptor = -1, .not_before = figures_now() + pause};
}

static void begin(struct connection *connection, int queue) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) figures_fail("socket");
  *connection = (struct connection){.descriptor = descriptor};
  // EAGAIN: the queue of the listening socket is full (connect(2)).
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return end(connection, PAUSE);
  size_t length = strlen(kind.once);
  if (length > 0 && send(descriptor, kind.once, length, MSG_NOSIGNAL) < 0) return end(connection, PAUSE);
  if (kind.churns) return end(connection, 0);
  struct epoll_event event = {.events = EPOLLRDHUP, .data.ptr = connection};
  if (kind.reads) event.events |= EPOLLIN;
  if (kind.again_size > 0 && !kind.drips) event.events |= EPOLLOUT;
  if (epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) != 0) figures_fail("epoll_ctl");
}

// Sends one piece, so that all connections are served in turn.
static bool push(struct connection *connection) {
  size_t count = kind.drips ? 1 : kind.again_size - connection->sent;
  ssize_t sent = send(connection->descriptor, kind.again + connection->sent, count, MSG_NOSIGNAL);
  if (sent < 0) return errno == EAGAIN;
  connection->sent = (connection->sent + (size_t)sent) % kind.again_size;
  connection->line += (size_t)sent;
  if (kind.endless && connection->line >= ENDLESS) {
    connection->line = 0;
    return send(connection->descriptor, "\n", 1, MSG_NOSIGNAL) == 1 || errno == EAGAIN;
  }
  return true;
}

static bool pull(int descriptor) {
  static char sink[PIECE];
  ssize_t count = recv(descriptor, sink, sizeof sink, 0);
  return count > 0 || (count < 0 && errno == EAGAIN);
}

static void serve(struct epoll_event *event) {
  struct connection *connection = event->data.ptr;
  bool lives = (event->events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP)) == 0;
  if (lives && event->events & EPOLLIN) lives = pull(connection->descriptor);
  if (lives && event->events & EPOLLIN && kind.visits) return end(connection, 0);
  if (lives && event->events & EPOLLOUT) lives = push(connection);
  if (!lives) end(connection, PAUSE);
}

static void tend(struct connection *connections, long count, int queue, bool drips) {
  uint64_t now = figures_now();
  for (long index = 0; index < count; index++) {
    struct connection *one = &connections[index];
    if (one->descriptor < 0 && now >= one->not_before) begin(one, queue);
    if (drips && one->descriptor >= 0 && !push(one)) end(one, PAUSE);
  }
}

static bool is_over(void) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, 0) > 0;
}

static int run(long count) {
  struct connection *connections = calloc((size_t)count, sizeof *connections);
  int queue = epoll_create1(EPOLL_CLOEXEC);
  if (connections == NULL || queue < 0) figures_fail("epoll_create1");
  for (long index = 0; index < count; index++) connections[index].descriptor = -1;
  tend(connections, count, queue, false);
  printf("{\"connections\":%ld}\n", count);
  fflush(stdout);
  for (uint64_t last = figures_now(); !is_over();) {
    struct epoll_event events[BATCH];
    int ready = epoll_wait(queue, events, BATCH, kind.churns ? 0 : 10);
    for (int index = 0; index < ready; index++) serve(&events[index]);
    bool drips = kind.drips && figures_now() - last >= SECOND;
    if (drips) last = figures_now();
    tend(connections, count, queue, drips);
  }
  return 0;
}

int main(int count, char **arguments) {
  if (count == 4 && choose(arguments[1])) {
    path = arguments[2];
    return run(figures_number(arguments[3], 1));
  }
  fprintf(stderr, "usage: hostile silent|drip|endless|nested|encoding|subscribers|unread|flood|calls|churn|visits SOCKET CONNECTIONS\n");
  return 64;
}
