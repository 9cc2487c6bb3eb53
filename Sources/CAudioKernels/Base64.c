#include "CAudioKernels.h"

// Why this is C: Swift's SIMD types have no byte shuffle, and a Swift package is built for the
// baseline CPU, which on x86-64 has none either. Here one function can be built for AVX2 and be
// chosen when the process runs.

#if defined(__x86_64__)

#include <immintrin.h>

// The 32 characters for 24 bytes: 12 in each half, `group` says where.
__attribute__((target("avx2"), always_inline))
static inline __m256i encode_step(__m128i low, __m128i high, __m256i group) {
    // What to add to a value to make it a character: by 0 for a-z, 1-10 for digits, 11 for +,
    // 12 for /, 13 for A-Z.
    const __m256i offsets = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        'a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
        '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0));
    const __m256i lanes = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), group);
    // The first and third value move right by 10 and 6, the second and fourth left by 4 and 8:
    // multiplications, since words can't be shifted by different counts.
    const __m256i odd = _mm256_mulhi_epu16(
        _mm256_and_si256(lanes, _mm256_set1_epi32(0x0FC0FC00)), _mm256_set1_epi32(0x04000040));
    const __m256i even = _mm256_mullo_epi16(
        _mm256_and_si256(lanes, _mm256_set1_epi32(0x003F03F0)), _mm256_set1_epi32(0x01000010));
    const __m256i values = _mm256_or_si256(odd, even);
    const __m256i isUpper = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), values);
    const __m256i range = _mm256_or_si256(
        _mm256_subs_epu8(values, _mm256_set1_epi8(51)),
        _mm256_and_si256(isUpper, _mm256_set1_epi8(13)));
    return _mm256_add_epi8(values, _mm256_shuffle_epi8(offsets, range));
}

__attribute__((target("avx2")))
static size_t encode_avx2(const uint8_t *source, size_t count, uint8_t *destination) {
    // Each group of three bytes b0 b1 b2 becomes the lane b1 b0 b2 b1, so that every pair of
    // 6-bit values lies within one 16-bit word.
    const __m128i group = _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
    size_t taken = 0;
    // A step loads 28 bytes and uses 24.
    while (count - taken >= 28) {
        const __m128i low = _mm_loadu_si128((const __m128i *)(source + taken));
        const __m128i high = _mm_loadu_si128((const __m128i *)(source + taken + 12));
        const __m256i text = encode_step(low, high, _mm256_broadcastsi128_si256(group));
        _mm256_storeu_si256((__m256i *)(destination + taken / 3 * 4), text);
        taken += 24;
    }
    // Where fewer follow, the upper half is loaded from four bytes before.
    if (count - taken >= 24) {
        const __m128i low = _mm_loadu_si128((const __m128i *)(source + taken));
        const __m128i high = _mm_loadu_si128((const __m128i *)(source + taken + 8));
        const __m128i later = _mm_add_epi8(group, _mm_set1_epi8(4));
        const __m256i text = encode_step(low, high, _mm256_set_m128i(later, group));
        _mm256_storeu_si256((__m256i *)(destination + taken / 3 * 4), text);
        taken += 24;
    }
    return taken;
}

__attribute__((target("avx2")))
static size_t decode_avx2(
    const uint8_t *source, size_t count, uint8_t *destination, size_t capacity) {
    // A character is valid if the classes of its two halves have no bit in common; after
    // W. Mula and D. Lemire, "Faster Base64 Encoding and Decoding Using AVX2 Instructions"
    // (https://arxiv.org/abs/1704.00605). By high half: 1 for 2x, 2 for 3x, 4 for 4x and 6x,
    // 8 for 5x and 7x, 16 for all that have no valid character.
    const __m256i highClasses = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(16, 16, 1, 2, 4, 8, 4, 8, 16, 16, 16, 16, 16, 16, 16, 16));
    // By low half: the classes in which it isn't valid.
    const __m256i lowClasses = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        16 + 1 + 4, 16 + 1, 16 + 1, 16 + 1, 16 + 1, 16 + 1, 16 + 1, 16 + 1, 16 + 1, 16 + 1,
        16 + 1 + 2, 16 + 2 + 8, 16 + 1 + 2 + 8, 16 + 1 + 2 + 8, 16 + 1 + 2 + 8, 16 + 2 + 8));
    // What to add to a character to make it a value: by its high half, and 1 for the slash.
    const __m256i offsets = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 63 - '/', 62 - '+', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i group = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
    const __m256i halves = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
    size_t taken = 0;
    size_t made = 0;
    while (count - taken >= 32 && capacity - made >= 32) {
        const __m256i text = _mm256_loadu_si256((const __m256i *)(source + taken));
        const __m256i low = _mm256_and_si256(text, _mm256_set1_epi8(15));
        const __m256i high = _mm256_and_si256(_mm256_srli_epi32(text, 4), _mm256_set1_epi8(15));
        if (!_mm256_testz_si256(
                _mm256_shuffle_epi8(lowClasses, low), _mm256_shuffle_epi8(highClasses, high))) {
            break;
        }
        // The comparison is -1 for the slash, which makes its 2 a 1.
        const __m256i isSlash = _mm256_cmpeq_epi8(text, _mm256_set1_epi8('/'));
        const __m256i values = _mm256_add_epi8(
            text, _mm256_shuffle_epi8(offsets, _mm256_add_epi8(high, isSlash)));
        const __m256i pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi32(0x01400140));
        const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
        const __m256i bytes =
            _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(fours, group), halves);
        _mm256_storeu_si256((__m256i *)(destination + made), bytes);
        taken += 32;
        made += 24;
    }
    return taken;
}

size_t caudiokernels_base64_encode_prefix(const uint8_t *source, size_t count, uint8_t *destination) {
    return __builtin_cpu_supports("avx2") ? encode_avx2(source, count, destination) : 0;
}

size_t caudiokernels_base64_decode_prefix(
    const uint8_t *source, size_t count, uint8_t *destination, size_t capacity) {
    return __builtin_cpu_supports("avx2")
        ? decode_avx2(source, count, destination, capacity) : 0;
}

#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)

#include <arm_neon.h>

static const uint8_t alphabet[64] = {
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P',
    'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'a', 'b', 'c', 'd', 'e', 'f',
    'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v',
    'w', 'x', 'y', 'z', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '/'};

// The values of the characters 0-63 and 64-127; the top bit marks what isn't in the alphabet.
static const uint8_t values[128] = {
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 62, 128, 128, 128, 63,
    52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 128, 128, 128, 128, 128, 128,
    128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 128, 128, 128, 128, 128,
    128, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
    41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 128, 128, 128, 128, 128};

static uint8x16x4_t load_table(const uint8_t *table) {
    uint8x16x4_t result;
    result.val[0] = vld1q_u8(table);
    result.val[1] = vld1q_u8(table + 16);
    result.val[2] = vld1q_u8(table + 32);
    result.val[3] = vld1q_u8(table + 48);
    return result;
}

size_t caudiokernels_base64_encode_prefix(const uint8_t *source, size_t count, uint8_t *destination) {
    const uint8x16x4_t table = load_table(alphabet);
    const uint8x16_t low6 = vdupq_n_u8(63);
    size_t taken = 0;
    while (count - taken >= 48) {
        const uint8x16x3_t in = vld3q_u8(source + taken);
        const uint8x16_t second =
            vorrq_u8(vshlq_n_u8(in.val[0], 4), vshrq_n_u8(in.val[1], 4));
        const uint8x16_t third =
            vorrq_u8(vshlq_n_u8(in.val[1], 2), vshrq_n_u8(in.val[2], 6));
        uint8x16x4_t out;
        out.val[0] = vqtbl4q_u8(table, vshrq_n_u8(in.val[0], 2));
        out.val[1] = vqtbl4q_u8(table, vandq_u8(second, low6));
        out.val[2] = vqtbl4q_u8(table, vandq_u8(third, low6));
        out.val[3] = vqtbl4q_u8(table, vandq_u8(in.val[2], low6));
        vst4q_u8(destination + taken / 3 * 4, out);
        taken += 48;
    }
    return taken;
}

// A look-up outside its table gives 0, so exactly one of the two tables answers for a character
// below 128; above, neither does, and the character's own top bit marks it.
static uint8x16_t look_up(uint8x16x4_t low, uint8x16x4_t high, uint8x16_t text) {
    const uint8x16_t value = vorrq_u8(
        vqtbl4q_u8(low, text), vqtbl4q_u8(high, veorq_u8(text, vdupq_n_u8(64))));
    return vorrq_u8(value, vandq_u8(text, vdupq_n_u8(128)));
}

size_t caudiokernels_base64_decode_prefix(
    const uint8_t *source, size_t count, uint8_t *destination, size_t capacity) {
    const uint8x16x4_t low = load_table(values);
    const uint8x16x4_t high = load_table(values + 64);
    size_t taken = 0;
    size_t made = 0;
    while (count - taken >= 64 && capacity - made >= 48) {
        const uint8x16x4_t text = vld4q_u8(source + taken);
        const uint8x16_t a = look_up(low, high, text.val[0]);
        const uint8x16_t b = look_up(low, high, text.val[1]);
        const uint8x16_t c = look_up(low, high, text.val[2]);
        const uint8x16_t d = look_up(low, high, text.val[3]);
        if (vmaxvq_u8(vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d))) & 128) {
            break;
        }
        uint8x16x3_t out;
        out.val[0] = vorrq_u8(vshlq_n_u8(a, 2), vshrq_n_u8(b, 4));
        out.val[1] = vorrq_u8(vshlq_n_u8(b, 4), vshrq_n_u8(c, 2));
        out.val[2] = vorrq_u8(vshlq_n_u8(c, 6), d);
        vst3q_u8(destination + made, out);
        taken += 64;
        made += 48;
    }
    return taken;
}

#else

size_t caudiokernels_base64_encode_prefix(const uint8_t *source, size_t count, uint8_t *destination) {
    (void)source, (void)count, (void)destination;
    return 0;
}

size_t caudiokernels_base64_decode_prefix(
    const uint8_t *source, size_t count, uint8_t *destination, size_t capacity) {
    (void)source, (void)count, (void)destination, (void)capacity;
    return 0;
}

#endif
