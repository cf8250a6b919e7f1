/* Headers of families as text, for programs that are compiled at run time: the build makes them (cmake/Texts.cmake). */
#ifndef STA__TEXTS_H
#define STA__TEXTS_H

extern const char sta__text_cuda_at[], sta__text_cuda_columns[], sta__text_cuda_complex[], sta__text_cuda_device[],
    sta__text_cuda_fold[], sta__text_cuda_merge[], sta__text_cuda_rows[], sta__text_cuda_scan[], sta__text_cuda_walk[],
    sta__text_half[], sta__text_rules[], sta__text_scalar[], sta__text_scalar_bool[], sta__text_scalar_complex[],
    sta__text_scalar_floating[], sta__text_scalar_integer[], sta__text_scalar_special[];

#endif
