/* Plots with logarithmic axes, as SVG in the page. */
#ifndef STARRAY_SVG_H
#define STARRAY_SVG_H

#include <stdio.h>

/* What is plotted: the logarithms (10) of the ends of the axes. Empty ranges are made one decade wide. */
struct svg_plot {
    FILE *to;
    int wide, high;
    double x0, x1, y0, y1;
    const char *title, *x_label, *y_label;
    const char *(*x_text)(double value, char *to, size_t bytes), *(*y_text)(double value, char *to, size_t bytes);
};

void svg_range(double *low, double *high, double value); /* widens them; from INFINITY and -INFINITY */
void svg_open(struct svg_plot *plot);                    /* axes, ticks, labels */
double svg_x(const struct svg_plot *plot, double x);
double svg_y(const struct svg_plot *plot, double y);
/* A line through points that are in order of x, with a mark at each of them; CSS classes. */
void svg_line(const struct svg_plot *plot, const double *x, const double *y, int count, const char *classes);
/* Shapes: 0 circle, 1 square, 2 triangle. The tip is what a pointer over it shows. */
void svg_mark(const struct svg_plot *plot, double x, double y, int shape, const char *classes, const char *tip);
void svg_segment(const struct svg_plot *plot, double x0, double y0, double x1, double y1, const char *classes);
void svg_close(const struct svg_plot *plot);

void html_escaped(FILE *to, const char *text);
/* "4 µs", "20 ms"; "4 Ki", "1 Mi"; "10 GB/s", the speed in bytes a microsecond. */
const char *text_of_time(double microseconds, char *to, size_t bytes);
const char *text_of_count(double elements, char *to, size_t bytes);
const char *text_of_bytes(double bytes, char *to, size_t room);
const char *text_of_speed(double speed, char *to, size_t bytes);

#endif
