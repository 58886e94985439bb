// Sockets of the programs that speak HTTP. Each function ends the program if it fails.
#pragma once

#include <stdint.h>

/// Returns a nonblocking listener on the Unix socket `path`.
int sockets_listen_at(const char *path);

/// Returns a nonblocking listener on a free port of 127.0.0.1, which it stores in `port`.
int sockets_listen_on_loopback(uint16_t *port);

/// Connects to the Unix socket `path`. The connection is blocking.
int sockets_connect_at(const char *path);

/// Connects to a port of 127.0.0.1, with TCP_NODELAY. The connection is blocking.
int sockets_connect_to_port(uint16_t port);

void sockets_set_nonblocking(int descriptor);

/// Sends small messages at once (TCP_NODELAY).
void sockets_set_nodelay(int descriptor);
