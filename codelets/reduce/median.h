/* What front and kernel of the medians share. */
#ifndef STA__MEDIAN_H
#define STA__MEDIAN_H

#include "internal.h"

/* Memory: [0] the results, [1] the elements: lines of `length`, one after the other. */
struct sta__median_arguments {
    int64_t length;
    bool nan; /* NaNs are left out */
};
extern const struct sta__kernel sta__median_kernel;

#endif
