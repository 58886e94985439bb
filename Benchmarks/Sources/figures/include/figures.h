// Time samples, and the line of JSON that a measuring program prints about them.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Returns CLOCK_MONOTONIC in nanoseconds.
uint64_t figures_now(void);

/// Sorts the samples (nanoseconds) and prints {"count":…,"p50":…,"p99":…,"min":…} in microseconds.
void figures_print(uint64_t *samples, size_t count);

/// Prints `what` with the description of errno and exits with status 1.
_Noreturn void figures_fail(const char *what);

/// Parses a whole number from the command line; exits with status 64 if `text` is not a number of
/// at least `least`.
long figures_number(const char *text, long least);
