// For builds with the address sanitizer alone (script/test --sanitize): what its leak detection must not report. It is in the
// program, for the tests start the agent with an environment of their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)

const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

/// What a global is made of once lives until the end; where it holds a `Data`, whose kind stands in the spare bits of its pointer, the pointer is not seen as one.
const char *__lsan_default_suppressions(void) { return "leak:once_slow\n"; }

/// Not a word about what was suppressed: tests look at what the agent prints.
const char *__lsan_default_options(void) { return "print_suppressions=0"; }

#endif
#endif

/// Keeps the file from being empty, which ISO C does not allow.
typedef int ritual_sanitizer_unused;
