// Samples of time, and the one line of JSON that a measuring program prints about them.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t figures_now(void);

/// Sorts the samples (nanoseconds) and prints {"count":…,"p50":…,"p99":…,"min":…} in microseconds.
void figures_print(uint64_t *samples, size_t count);

/// Ends the program with words about errno.
_Noreturn void figures_fail(const char *what);

/// A whole number of the command line; ends the program where it is none, or below `least`.
long figures_number(const char *text, long least);
