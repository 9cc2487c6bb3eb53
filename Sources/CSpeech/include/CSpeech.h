/* What we call of three speech libraries that are found at run time with dlopen.
   Written from their documentation; no header of theirs is needed to build. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* ---- flite 2.x: text to speech ---- */

/// A synthesized waveform (`cst_wave`).
struct cspeech_flite_wave {
    const char *type;
    int sample_rate;
    int num_samples;
    int num_channels;
    const int16_t *samples;
};

/// An utterance (`cst_utterance`), of which only the first field is touched.
struct cspeech_flite_utterance {
    void *features;
};

typedef int (*cspeech_flite_init_fn)(void);
typedef void *(*cspeech_flite_register_fn)(const char *);
typedef struct cspeech_flite_utterance *(*cspeech_flite_new_fn)(void);
typedef int (*cspeech_flite_set_text_fn)(struct cspeech_flite_utterance *, const char *);
typedef int (*cspeech_flite_utt_init_fn)(struct cspeech_flite_utterance *, void *);
typedef void (*cspeech_flite_set_float_fn)(void *, const char *, float);
typedef struct cspeech_flite_utterance *(*cspeech_flite_synth_fn)(struct cspeech_flite_utterance *);
typedef struct cspeech_flite_wave *(*cspeech_flite_wave_fn)(struct cspeech_flite_utterance *);
typedef void (*cspeech_flite_delete_fn)(struct cspeech_flite_utterance *);
typedef void *(*cspeech_flite_relation_fn)(struct cspeech_flite_utterance *, const char *);
typedef void *(*cspeech_flite_head_fn)(void *);
typedef void *(*cspeech_flite_next_fn)(void *);
typedef float (*cspeech_flite_float_fn)(void *, const char *);

/* ---- Moonshine 0.1.x: speech to text (C API version 3.0) ---- */

struct cspeech_moonshine_option {
    const char *name;
    const char *value;
};

struct cspeech_moonshine_line {
    const char *text;
    const float *audio_data;
    size_t audio_data_count;
    float start_time;
    float duration;
    uint64_t id;
    int8_t is_complete, is_updated, is_new, has_text_changed, have_speakers_changed;
    const void *speaker_spans;
    uint64_t speaker_span_count;
    uint32_t last_transcription_latency_ms;
    const void *words;
    uint64_t word_count;
};

_Static_assert(sizeof(struct cspeech_moonshine_line) == 88, "layout of Moonshine 0.1.x");

struct cspeech_moonshine_transcript {
    struct cspeech_moonshine_line *lines;
    uint64_t line_count;
};

typedef int32_t (*cspeech_moonshine_load_fn)(
    const char *, uint32_t, const struct cspeech_moonshine_option *, uint64_t, int32_t);
typedef int32_t (*cspeech_moonshine_transcribe_fn)(
    int32_t, float *, uint64_t, int32_t, uint32_t, struct cspeech_moonshine_transcript **);

/* ---- PocketSphinx: Debian's 5prealpha and 5.x, told apart by their symbols ---- */

typedef const void *(*cspeech_ps_args_fn)(void);
typedef void *(*cspeech_ps_parse_fn)(void *, const void *, int32_t, char **, int32_t);
typedef int (*cspeech_ps_free_config_fn)(void *);
typedef void *(*cspeech_ps_new_config_fn)(const void *);
typedef const void *(*cspeech_ps_set_string_fn)(void *, const char *, const char *);
typedef void *(*cspeech_ps_init_fn)(void *);
typedef int (*cspeech_ps_utterance_fn)(void *);
typedef int (*cspeech_ps_process_fn)(void *, const int16_t *, size_t, int, int);
typedef const char *(*cspeech_ps_hypothesis_fn)(void *, int32_t *);
