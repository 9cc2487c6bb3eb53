#include "CAllocationCounter.h"

#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <errno.h>
#include <stddef.h>

// The executable's own definitions come before those of the C library, for all shared libraries
// too. They forward to glibc's real names, which it exports for this purpose: dlsym would
// allocate while it looks for them.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static uint64_t blocks;
static uint64_t bytes;

static void count(size_t size) {
    __atomic_fetch_add(&blocks, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&bytes, size, __ATOMIC_RELAXED);
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    void *result = __libc_realloc(block, size);
    if (result != block) {
        count(size);
    }
    return result;
}

void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
        return EINVAL;
    }
    count(size);
    void *result = __libc_memalign(alignment, size);
    if (result == NULL) {
        return ENOMEM;
    }
    *block = result;
    return 0;
}

void free(void *block) {
    __libc_free(block);
}

bool callocationcounter_is_available(void) { return true; }
uint64_t callocationcounter_count(void) { return __atomic_load_n(&blocks, __ATOMIC_RELAXED); }
uint64_t callocationcounter_bytes(void) { return __atomic_load_n(&bytes, __ATOMIC_RELAXED); }

#else

bool callocationcounter_is_available(void) { return false; }
uint64_t callocationcounter_count(void) { return 0; }
uint64_t callocationcounter_bytes(void) { return 0; }

#endif
