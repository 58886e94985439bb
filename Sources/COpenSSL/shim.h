// OpenSSL's libcrypto, as Swift sees it: https://docs.openssl.org/3.0/man7/crypto
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
