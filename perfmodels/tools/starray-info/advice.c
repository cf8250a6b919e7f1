/* What is missing, and how to get it. One row a check. */
#include "info.h"

#include "cuda.h"
#include "doctor.h"
#include "starpu_compat.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool gpu_there(void)
{
    glob_t devices = {0};
    bool some = glob("/dev/nvidia[0-9]*", GLOB_NOSORT, NULL, &devices) == 0;
    globfree(&devices);
    return some;
}

static bool no_cuda_starpu(void)
{
    return gpu_there() && !STA__STARPU_CUDA;
}

static bool no_cuda_starray(void)
{
    return gpu_there() && STA__STARPU_CUDA && !sta__cuda_built();
}

static bool gpu_unused(void)
{
    return gpu_there() && sta__cuda_built() && sta__runtime.gpus == 0;
}

static bool few_workers(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return sta__runtime.settings.cpu == STA__CPU_SEQ && (long)starpu_worker_get_count() < cores &&
           !g_getenv("STARPU_NCPU");
}

static bool no_models(void)
{
    return info_model_count() == 0;
}

static bool no_costs(void)
{
    return !sta__costs_source();
}

static bool calibrates(void)
{
    const char *text = g_getenv("STARPU_CALIBRATE");
    return text && atoi(text) > 0;
}

static bool old_starpu(void)
{
    return !STA__STARPU_1_4;
}

static bool no_lines(void)
{
    return !sta__names_have_lines();
}

void info_advice(struct info *info)
{
    static const struct {
        const char *name;
        bool (*applies)(void);
        const char *text;
    } checks[] = {
        {"CUDA in StarPU", no_cuda_starpu,
         "there is a GPU, but this StarPU was built without CUDA: scripts/build-starpu.sh "
         "builds one with it, then build starray again"},
        {"CUDA in starray", no_cuda_starray,
         "there is a GPU, but starray was built without nvcc: install the CUDA toolkit "
         "and build again"},
        {"the GPU", gpu_unused, "there is a GPU, but no CUDA worker: see nvidia-smi, STARPU_NCUDA and STA_DEVICES"},
        {"cores", few_workers,
         "StarPU has fewer workers than there are cores (Debian 12's build stops at 4): "
         "scripts/build-starpu.sh, or STA_CPU=auto"},
        {"StarPU 1.4", old_starpu, "StarPU 1.3 works on the CPU only: scripts/build-starpu.sh builds 1.4"},
        {"libdw", no_lines, "STA_DOCTOR names functions, not lines: install libdw-dev (elfutils) and build again"},
        {"models", no_models, "nothing was measured on this machine yet: starray-calibrate --quick"},
        {"cost table", no_costs, "costs of work never seen are guessed: starray-calibrate --quick"},
        {"calibration", calibrates,
         "STARPU_CALIBRATE is set: models are measured, and work is placed for that, not for "
         "speed"},
    };
    bool any = false;
    info_section(info, "missing");
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++)
        if (checks[k].applies()) {
            info_row(info, checks[k].name, NULL, "%s", checks[k].text);
            any = true;
        }
    if (!any && !info->json)
        info_row(info, "nothing", NULL, "all is there");
}
