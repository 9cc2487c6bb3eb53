#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

#include <stdbool.h>
#include <stdint.h>

// Counts the memory blocks that this process asks for, in all threads: malloc, calloc, realloc of
// nothing or to another place, and the aligned ones. Linking this target into an executable is
// enough; elsewhere than on Linux with glibc nothing is counted.

/// Whether allocations are counted here.
bool callocationcounter_is_available(void);

/// The number of blocks asked for since the process started.
uint64_t callocationcounter_count(void);

/// The number of bytes asked for since the process started.
uint64_t callocationcounter_bytes(void);

#endif
