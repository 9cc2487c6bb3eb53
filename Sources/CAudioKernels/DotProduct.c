#include "CAudioKernels.h"

// Eight floats of any alignment; a vector type of the compiler, so one text serves all CPUs.
typedef float floats __attribute__((vector_size(32), aligned(4), may_alias));

float caudiokernels_dot(const float *left, const float *right, size_t count) {
    floats even = {0};
    floats odd = {0};
    for (size_t index = 0; index < count; index += 16) {
        even += *(const floats *)(left + index) * *(const floats *)(right + index);
        odd += *(const floats *)(left + index + 8) * *(const floats *)(right + index + 8);
    }
    even += odd;
    return ((even[0] + even[4]) + (even[1] + even[5])) + ((even[2] + even[6]) + (even[3] + even[7]));
}
