/* The casts from one dtype to all but the 16-bit floats. loops_cast.c includes it once per dtype, having defined FROM
 * (its type), STA__BRIEF and STA__FROM: INTEGER (bool too), FLOATING or COMPLEX. It takes them back.
 */
STA__CAST(bool, uint8_t, STA__AS(TRUTH, uint8_t, 0, 0))
STA__CAST(i8, int8_t, STA__AS(INTEGER, int8_t, -0x1p7, 0x1p7))
STA__CAST(i16, int16_t, STA__AS(INTEGER, int16_t, -0x1p15, 0x1p15))
STA__CAST(i32, int32_t, STA__AS(INTEGER, int32_t, -0x1p31, 0x1p31))
STA__CAST(i64, int64_t, STA__AS(INTEGER, int64_t, -0x1p63, 0x1p63))
STA__CAST(u8, uint8_t, STA__AS(INTEGER, uint8_t, 0, 0x1p8))
STA__CAST(u16, uint16_t, STA__AS(INTEGER, uint16_t, 0, 0x1p16))
STA__CAST(u32, uint32_t, STA__AS(INTEGER, uint32_t, 0, 0x1p32))
STA__CAST(u64, uint64_t, STA__AS(INTEGER, uint64_t, 0, 0x1p64))
STA__CAST(f32, float, STA__AS(FLOATING, float, 0, 0))
STA__CAST(f64, double, STA__AS(FLOATING, double, 0, 0))
STA__CAST(c64, sta_complex64, STA__AS(COMPLEX, float, 0, 0))
STA__CAST(c128, sta_complex128, STA__AS(COMPLEX, double, 0, 0))

static void STA__NAME(enter)(sta__loop *row)
{
    row[STA_bool] = STA__NAME(to_bool_from);
    row[STA_int8] = STA__NAME(to_i8_from);
    row[STA_int16] = STA__NAME(to_i16_from);
    row[STA_int32] = STA__NAME(to_i32_from);
    row[STA_int64] = STA__NAME(to_i64_from);
    row[STA_uint8] = STA__NAME(to_u8_from);
    row[STA_uint16] = STA__NAME(to_u16_from);
    row[STA_uint32] = STA__NAME(to_u32_from);
    row[STA_uint64] = STA__NAME(to_u64_from);
    row[STA_float32] = STA__NAME(to_f32_from);
    row[STA_float64] = STA__NAME(to_f64_from);
    row[STA_complex64] = STA__NAME(to_c64_from);
    row[STA_complex128] = STA__NAME(to_c128_from);
}

#undef FROM
#undef STA__FROM
#undef STA__BRIEF
