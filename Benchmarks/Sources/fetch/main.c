// The HTTP client: GET requests, on one kept connection unless stated otherwise. ADDRESS is the path of a
// Unix socket, or a port of 127.0.0.1.
//
//   fetch times ADDRESS PATH REQUESTS      one request after another: {"p50":…,"p99":…} in microseconds
//   fetch new PORT PATH REQUESTS TOKEN     the same on a new connection each, with the bearer token TOKEN
//   fetch download ADDRESS PATH            one response body, read to its end: {"bytes":…,"perSecond":…}
//   fetch paced PORT PATH CONNECTIONS RATE SECONDS TOKEN
//                                          RATE requests a second over CONNECTIONS connections, each due at a fixed
//                                          time: the times from then to the response, as for times
//
// Any status except 200 ends the run, as does a response without Content-Length.
#include <errno.h>
#include <figures.h>
#include <sockets.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { BUFFER = 256 * 1024, WARM_UP = 200 };

static char request[4096];
static size_t request_size;
static char buffer[BUFFER + 1];  // with a terminating NUL

static void make_request(const char *path, const char *more) {
  int size = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\n%s\r\nAccept: application/json\r\n\r\n", path, more);
  if (size >= (int)sizeof request) {
    errno = ENAMETOOLONG;
    figures_fail(path);
  }
  request_size = (size_t)size;
}

static int connect_to(const char *address) {
  if (strchr(address, '/') != NULL) return sockets_connect_at(address);
  return sockets_connect_to_port((uint16_t)figures_number(address, 1));
}

_Noreturn static void refuse(const char *what) {
  fprintf(stderr, "fetch: %s: %s\n", what, buffer);
  exit(1);
}

static size_t read_some(int descriptor, size_t offset) {
  ssize_t count = read(descriptor, buffer + offset, BUFFER - offset);
  if (count == 0) errno = ECONNRESET;
  if (count <= 0) figures_fail("read");
  return (size_t)count;
}

// Reads the head of a response, and returns the length of the body. `received` is set to the number
// of body bytes that came with the head.
static uint64_t read_head(int descriptor, uint64_t *received) {
  size_t filled = 0;
  char *end;
  do {
    filled += read_some(descriptor, filled);
    buffer[filled] = '\0';
  } while ((end = strstr(buffer, "\r\n\r\n")) == NULL && filled < BUFFER);
  if (end == NULL || strncmp(buffer, "HTTP/1.1 200 ", 13) != 0) refuse("not a response with status 200");
  char *length = strcasestr(buffer, "\r\ncontent-length:");
  if (length == NULL || length > end) refuse("no Content-Length");
  *received = filled - (size_t)(end + 4 - buffer);
  return strtoull(length + strlen("\r\ncontent-length:"), NULL, 10);
}

static uint64_t exchange(int descriptor) {
  if (write(descriptor, request, request_size) != (ssize_t)request_size) figures_fail("write");
  uint64_t received, length = read_head(descriptor, &received);
  while (received < length) received += read_some(descriptor, 0);
  if (received > length) refuse("more than one response");
  return length;
}

static void measure_times(int descriptor, size_t count) {
  uint64_t *samples = calloc(count, sizeof *samples);
  if (samples == NULL) figures_fail("calloc");
  for (int index = 0; index < WARM_UP; index++) exchange(descriptor);
  for (size_t index = 0; index < count; index++) {
    uint64_t start = figures_now();
    exchange(descriptor);
    samples[index] = figures_now() - start;
  }
  figures_print(samples, count);
  free(samples);
}

static void measure_new(const char *address, size_t count) {
  uint64_t *samples = calloc(count, sizeof *samples);
  if (samples == NULL) figures_fail("calloc");
  for (size_t index = 0; index < count; index++) {
    uint64_t start = figures_now();
    int descriptor = connect_to(address);
    exchange(descriptor);
    samples[index] = figures_now() - start;
    close(descriptor);
  }
  figures_print(samples, count);
  free(samples);
}

// Each request is due at a fixed time, and waits for a free connection: a slow server makes later ones late, too.
static void measure_paced(const char *address, size_t connections, size_t rate, size_t seconds) {
  size_t count = rate * seconds, sent = 0, done = 0, free_count = 0;
  uint64_t *samples = calloc(count, sizeof *samples), *due = calloc(connections, sizeof *due);
  int *descriptors = calloc(connections, sizeof *descriptors);
  size_t *idle = calloc(connections, sizeof *idle);
  int queue = epoll_create1(EPOLL_CLOEXEC);
  if (samples == NULL || due == NULL || descriptors == NULL || idle == NULL || queue < 0) figures_fail("paced");
  for (size_t index = 0; index < connections; index++) {
    descriptors[index] = connect_to(address);
    exchange(descriptors[index]);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = index};
    if (epoll_ctl(queue, EPOLL_CTL_ADD, descriptors[index], &event) != 0) figures_fail("epoll_ctl");
    idle[free_count++] = index;
  }
  uint64_t start = figures_now(), interval = 1000000000u / rate;
  while (done < count) {
    while (free_count > 0 && sent < count && figures_now() >= start + sent * interval) {
      size_t index = idle[--free_count];
      due[index] = start + sent++ * interval;
      if (write(descriptors[index], request, request_size) != (ssize_t)request_size) figures_fail("write");
    }
    struct epoll_event event;
    // Without a pause: a sleeping client would be late itself.
    if (epoll_wait(queue, &event, 1, 0) != 1) continue;
    size_t index = event.data.u64;
    uint64_t received, length = read_head(descriptors[index], &received);
    while (received < length) received += read_some(descriptors[index], 0);
    samples[done++] = figures_now() - due[index];
    idle[free_count++] = index;
  }
  figures_print(samples, count);
}

static void measure_download(int descriptor) {
  uint64_t start = figures_now(), bytes = exchange(descriptor);
  printf("{\"bytes\":%llu,\"perSecond\":%.0f}\n", (unsigned long long)bytes,
         (double)bytes * 1e9 / (double)(figures_now() - start));
}

static void make_grant_request(const char *port, const char *path, const char *token) {
  char more[256];
  snprintf(more, sizeof more, "Host: localhost:%s\r\nAuthorization: Bearer %s", port, token);
  make_request(path, more);
}

int main(int count, char **arguments) {
  if (count == 6 && strcmp(arguments[1], "new") == 0) {
    make_grant_request(arguments[2], arguments[3], arguments[5]);
    measure_new(arguments[2], (size_t)figures_number(arguments[4], 1));
    return 0;
  }
  if (count == 8 && strcmp(arguments[1], "paced") == 0) {
    make_grant_request(arguments[2], arguments[3], arguments[7]);
    measure_paced(arguments[2], (size_t)figures_number(arguments[4], 1), (size_t)figures_number(arguments[5], 1),
                  (size_t)figures_number(arguments[6], 1));
    return 0;
  }
  bool is_times = count == 5 && strcmp(arguments[1], "times") == 0;
  if (!is_times && (count != 4 || strcmp(arguments[1], "download") != 0)) {
    fprintf(stderr, "usage: fetch times ADDRESS PATH REQUESTS, fetch new PORT PATH REQUESTS TOKEN,\n"
                    "  fetch paced PORT PATH CONNECTIONS RATE SECONDS TOKEN, or fetch download ADDRESS PATH\n");
    return 64;
  }
  make_request(arguments[3], "Host: localhost");
  int descriptor = connect_to(arguments[2]);
  if (is_times) {
    measure_times(descriptor, (size_t)figures_number(arguments[4], 1));
  } else {
    measure_download(descriptor);
  }
}
