/* The table of the scans' loops, for the best instruction set of this machine. */
#include "scan.h"

#include "isa.h"

#include <pthread.h>

typedef void (*filler)(struct sta__scan_loops *loops);

/* A table of fillers by dtype for each instruction set. */
#define FILLERS(isa)                                                                                                   \
    void sta__scans_bool_##isa(struct sta__scan_loops *), sta__scans_i8_##isa(struct sta__scan_loops *),               \
        sta__scans_i16_##isa(struct sta__scan_loops *), sta__scans_i32_##isa(struct sta__scan_loops *),                \
        sta__scans_i64_##isa(struct sta__scan_loops *), sta__scans_u8_##isa(struct sta__scan_loops *),                 \
        sta__scans_u16_##isa(struct sta__scan_loops *), sta__scans_u32_##isa(struct sta__scan_loops *),                \
        sta__scans_u64_##isa(struct sta__scan_loops *), sta__scans_f32_##isa(struct sta__scan_loops *),                \
        sta__scans_f64_##isa(struct sta__scan_loops *), sta__scans_c64_##isa(struct sta__scan_loops *),                \
        sta__scans_c128_##isa(struct sta__scan_loops *);                                                               \
    static const filler fillers_##isa[STA__DTYPES] = {                                                                 \
        [STA_bool] = sta__scans_bool_##isa,      [STA_int8] = sta__scans_i8_##isa,                                     \
        [STA_int16] = sta__scans_i16_##isa,      [STA_int32] = sta__scans_i32_##isa,                                   \
        [STA_int64] = sta__scans_i64_##isa,      [STA_uint8] = sta__scans_u8_##isa,                                    \
        [STA_uint16] = sta__scans_u16_##isa,     [STA_uint32] = sta__scans_u32_##isa,                                  \
        [STA_uint64] = sta__scans_u64_##isa,     [STA_float32] = sta__scans_f32_##isa,                                 \
        [STA_float64] = sta__scans_f64_##isa,    [STA_complex64] = sta__scans_c64_##isa,                               \
        [STA_complex128] = sta__scans_c128_##isa};

STA__EACH_ISA(FILLERS)

static struct sta__scan_loops table[STA__DTYPES][STA__OPS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill(void)
{
    const filler *fillers = *STA__BEST_ISA(fillers);
    for (int dtype = 0; dtype < STA__DTYPES; dtype++)
        if (fillers[dtype])
            fillers[dtype](table[dtype]);
}

const struct sta__scan_loops *sta__scan_loops(int op, sta_dtype dtype)
{
    pthread_once(&once, fill);
    if ((unsigned)op >= STA__OPS || !sta__dtype_valid(dtype))
        return NULL;
    const struct sta__scan_loops *loops = &table[dtype][op];
    return loops->line || loops->serial ? loops : NULL;
}
