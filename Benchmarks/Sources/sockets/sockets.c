#include "sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <figures.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_un unix_address(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    figures_fail(path);
  }
  strcpy(address.sun_path, path);
  return address;
}

static struct sockaddr_in loopback_address(uint16_t port) {
  return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int make_socket(int family) {
  int descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) figures_fail("socket");
  return descriptor;
}

static int listen_on(int descriptor, const struct sockaddr *address, socklen_t size) {
  if (bind(descriptor, address, size) != 0) figures_fail("bind");
  if (listen(descriptor, SOMAXCONN) != 0) figures_fail("listen");
  sockets_set_nonblocking(descriptor);
  return descriptor;
}

int sockets_listen_at(const char *path) {
  struct sockaddr_un address = unix_address(path);
  return listen_on(make_socket(AF_UNIX), (struct sockaddr *)&address, sizeof address);
}

int sockets_listen_on_loopback(uint16_t *port) {
  struct sockaddr_in address = loopback_address(0);
  socklen_t size = sizeof address;
  int listener = listen_on(make_socket(AF_INET), (struct sockaddr *)&address, size);
  if (getsockname(listener, (struct sockaddr *)&address, &size) != 0) figures_fail("getsockname");
  *port = ntohs(address.sin_port);
  return listener;
}

int sockets_connect_at(const char *path) {
  struct sockaddr_un address = unix_address(path);
  int descriptor = make_socket(AF_UNIX);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) figures_fail(path);
  return descriptor;
}

int sockets_connect_to_port(uint16_t port) {
  struct sockaddr_in address = loopback_address(port);
  int descriptor = make_socket(AF_INET);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) figures_fail("connect");
  sockets_set_nodelay(descriptor);
  return descriptor;
}

void sockets_set_nonblocking(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) figures_fail("fcntl");
}

void sockets_set_nodelay(int descriptor) {
  int yes = 1;
  if (setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0) figures_fail("setsockopt");
}
