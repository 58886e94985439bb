// libsodium, as Swift sees it: https://doc.libsodium.org
#include <sodium.h>
