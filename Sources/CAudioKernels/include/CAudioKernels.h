#ifndef CAUDIOKERNELS_H
#define CAUDIOKERNELS_H

#include <stddef.h>
#include <stdint.h>

// The few loops of the audio path that are worth vector code which Swift can't express. None of
// these reads or writes outside its arguments.
//
// Base64 goes in whole vectors, with what this CPU offers beyond its baseline; what is left over,
// and every error, is the Swift caller's.

// Encodes a prefix of `source` and returns its length, a multiple of 3 and 0 where there is no
// fast way. Writes four characters for every three bytes; `destination` has room for all of
// `count`'s whole groups.
size_t caudiokernels_base64_encode_prefix(const uint8_t *source, size_t count, uint8_t *destination);

// Decodes a prefix of `source` and returns its length, a multiple of 4 and 0 where there is no
// fast way. Stops before the first vector with a character that isn't in the alphabet, and where
// the next vector might not fit in `capacity`. Writes three bytes for every four characters, and
// may scribble over bytes beyond them within `capacity`.
size_t caudiokernels_base64_decode_prefix(
    const uint8_t *source, size_t count, uint8_t *destination, size_t capacity);

// The sum of the products of two rows of `count` floats, a multiple of 16. It is C so that it is
// fast in debug builds too, where Swift's SIMD types take a call for every operation.
float caudiokernels_dot(const float *left, const float *right, size_t count);

#endif
