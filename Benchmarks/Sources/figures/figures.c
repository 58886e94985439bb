#include "figures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t figures_now(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) figures_fail("clock_gettime");
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int compare(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static double microseconds(const uint64_t *sorted, size_t count, double part) {
  size_t index = (size_t)(part * (double)(count - 1) + 0.5);
  return (double)sorted[index] / 1000.0;
}

void figures_print(uint64_t *samples, size_t count) {
  qsort(samples, count, sizeof *samples, compare);
  printf("{\"count\":%zu,\"p50\":%.2f,\"p99\":%.2f,\"min\":%.2f}\n", count, microseconds(samples, count, 0.50),
         microseconds(samples, count, 0.99), microseconds(samples, count, 0));
}

void figures_fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

long figures_number(const char *text, long least) {
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  if (errno != 0 || *text == '\0' || *end != '\0' || number < least) {
    fprintf(stderr, "not a number of at least %ld: %s\n", least, text);
    exit(64);
  }
  return number;
}
