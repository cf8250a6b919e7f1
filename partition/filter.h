/* User memory as tiles. */
#ifndef STA__FILTER_H
#define STA__FILTER_H
#include "internal.h"
void sta__roots_finish(void);
#endif
