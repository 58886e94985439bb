#include "COpenRPC.h"

static const unsigned char document[] = {
#embed "../../docs/openrpc.json"
};

const unsigned char *ritual_openrpc(size_t *size) {
  *size = sizeof document;
  return document;
}
