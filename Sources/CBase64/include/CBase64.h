#ifndef CBASE64_H
#define CBASE64_H

#include <stddef.h>
#include <stdint.h>

// Base64 in whole vectors, with whatever this CPU offers beyond its baseline; what is left over,
// and every error, is the Swift caller's. None of these reads or writes outside its arguments.

// Encodes a prefix of `source` and returns its length, a multiple of 3 and 0 where there is no
// fast way. Writes four characters for every three bytes; `destination` has room for all of
// `count`'s whole groups.
size_t cbase64_encode_prefix(const uint8_t *source, size_t count, uint8_t *destination);

// Decodes a prefix of `source` and returns its length, a multiple of 4 and 0 where there is no
// fast way. Stops before the first vector with a character that isn't in the alphabet, and where
// the next vector might not fit in `capacity`. Writes three bytes for every four characters, and
// may scribble over bytes beyond them within `capacity`.
size_t cbase64_decode_prefix(
    const uint8_t *source, size_t count, uint8_t *destination, size_t capacity);

#endif
