/* Workers rest while there is nothing to do. All of it with the lock. */
#ifndef STA__REST_H
#define STA__REST_H

void sta__rest_start(void);
void sta__workers_wake(void);   /* before a task is submitted */
void sta__rest_when_idle(void); /* at the start of each call: pauses them when nothing has run for a while */
void sta__rest_forbid(void);    /* the program has tasks of its own */
void sta__wait_begin(void);     /* around waiting for StarPU */
void sta__wait_end(void);       /* and pauses them after a long wait, when nothing is left to do */

#endif
