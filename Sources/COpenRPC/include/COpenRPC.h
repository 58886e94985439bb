#pragma once
#include <stddef.h>

/// Returns the bytes of docs/openrpc.json, which live as long as the program, and their number. The
/// document describes the agent's methods; `script/generate` writes it.
const unsigned char *ritual_openrpc(size_t *size);
