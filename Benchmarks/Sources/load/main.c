// The load client: sends one line and reads one line over a Unix socket.
//
//   load kept SOCKET REQUESTS          one connection, one request after another: {"p50":…,"p99":…}
//                                      in microseconds
//   load paced SOCKET REQUESTS US      as kept, with a pause of US microseconds before each request
//   load new SOCKET REQUESTS           a connection for each request, connect and close included
//   load ended SOCKET REQUESTS         as new, for a server that ends its answer by closing
//   load rate SOCKET CONNECTIONS MS    CONNECTIONS connections, each with one request in flight:
//                                      {"perSecond":…}
//
// The request is one line on standard input.
#include <errno.h>
#include <figures.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BATCH = 64, LONGEST = 64 * 1024, WARM_UP = 200 };

static char request[LONGEST];
static size_t request_size;

static void read_request(void) {
  if (fgets(request, sizeof request, stdin) == NULL) figures_fail("no request on standard input");
  request_size = strlen(request);
  if (request[request_size - 1] != '\n') {
    fprintf(stderr, "load: the request is longer than %d bytes or does not end its line\n", LONGEST - 2);
    exit(64);
  }
}

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) figures_fail("socket");
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) figures_fail(path);
  return descriptor;
}

static void send_request(int descriptor) {
  if (write(descriptor, request, request_size) != (ssize_t)request_size) figures_fail("write");
}

// Reads until the end of the line. An error response ends the run, because its time would be
// meaningless.
static void read_answer(int descriptor) {
  static char answer[LONGEST];
  size_t filled = 0;
  do {
    ssize_t count = read(descriptor, answer + filled, sizeof answer - 1 - filled);
    if (count == 0) errno = ECONNRESET;
    if (count <= 0) figures_fail("read");
    filled += (size_t)count;
  } while (answer[filled - 1] != '\n');
  answer[filled] = '\0';
  if (strstr(answer, "\"error\"") != NULL) {
    fprintf(stderr, "load: the server answered with an error: %s", answer);
    exit(1);
  }
}

static uint64_t timed_exchange(int descriptor) {
  uint64_t start = figures_now();
  send_request(descriptor);
  read_answer(descriptor);
  return figures_now() - start;
}

// Reads until the server closes.
static void read_to_end(int descriptor) {
  static char answer[LONGEST];
  size_t filled = 0;
  ssize_t count;
  while ((count = read(descriptor, answer + filled, sizeof answer - 1 - filled)) > 0) filled += (size_t)count;
  if (count < 0 || filled == 0) figures_fail("read");
  answer[filled] = '\0';
  if (strstr(answer, "\"success\"") == NULL) {
    fprintf(stderr, "load: the server answered with an error: %s\n", answer);
    exit(1);
  }
}

static uint64_t timed_connection(const char *path, void (*read_it)(int)) {
  uint64_t start = figures_now();
  int descriptor = connect_to(path);
  send_request(descriptor);
  read_it(descriptor);
  close(descriptor);
  return figures_now() - start;
}

enum mode { KEPT, NEW, ENDED };

static void measure_times(const char *path, size_t count, enum mode mode, long pause) {
  int kept = mode == KEPT;
  void (*read_it)(int) = mode == ENDED ? read_to_end : read_answer;
  uint64_t *samples = calloc(count, sizeof *samples);
  if (samples == NULL) figures_fail("calloc");
  int descriptor = kept ? connect_to(path) : -1;
  for (int index = 0; index < WARM_UP; index++) kept ? timed_exchange(descriptor) : timed_connection(path, read_it);
  for (size_t index = 0; index < count; index++) {
    if (pause > 0) usleep((useconds_t)pause);
    samples[index] = kept ? timed_exchange(descriptor) : timed_connection(path, read_it);
  }
  figures_print(samples, count);
  free(samples);
}

static int open_connections(const char *path, long connections) {
  int queue = epoll_create1(EPOLL_CLOEXEC);
  if (queue < 0) figures_fail("epoll_create1");
  for (long index = 0; index < connections; index++) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = connect_to(path)};
    if (epoll_ctl(queue, EPOLL_CTL_ADD, event.data.fd, &event) != 0) figures_fail("epoll_ctl");
    send_request(event.data.fd);
  }
  return queue;
}

static void measure_rate(const char *path, long connections, long milliseconds) {
  int queue = open_connections(path, connections);
  uint64_t start = figures_now(), end = start + (uint64_t)milliseconds * 1000000u, now = start, answered = 0;
  while (now < end) {
    struct epoll_event events[BATCH];
    int ready = epoll_wait(queue, events, BATCH, 1000);
    if (ready <= 0) figures_fail("no answer within a second");
    for (int index = 0; index < ready; index++) {
      read_answer(events[index].data.fd);
      send_request(events[index].data.fd);
    }
    answered += (uint64_t)ready;
    now = figures_now();
  }
  printf("{\"perSecond\":%.0f}\n", (double)answered * 1e9 / (double)(now - start));
}

int main(int count, char **arguments) {
  if (count >= 4) {
    const char *mode = arguments[1], *path = arguments[2];
    long number = figures_number(arguments[3], 1);
    read_request();
    if (count == 4 && strcmp(mode, "kept") == 0) return measure_times(path, (size_t)number, KEPT, 0), 0;
    if (count == 4 && strcmp(mode, "new") == 0) return measure_times(path, (size_t)number, NEW, 0), 0;
    if (count == 4 && strcmp(mode, "ended") == 0) return measure_times(path, (size_t)number, ENDED, 0), 0;
    if (count == 5 && strcmp(mode, "paced") == 0) {
      return measure_times(path, (size_t)number, KEPT, figures_number(arguments[4], 1)), 0;
    }
    if (count == 5 && strcmp(mode, "rate") == 0) {
      return measure_rate(path, number, figures_number(arguments[4], 1)), 0;
    }
  }
  fprintf(stderr, "usage: load kept|new|ended SOCKET REQUESTS, load paced SOCKET REQUESTS US, or load rate SOCKET CONNECTIONS MS; the request on stdin\n");
  return 64;
}
