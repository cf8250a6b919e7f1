/* Contract: svg.h. */
#include "svg.h"

#include <math.h>
#include <stdbool.h>

enum { LEFT = 70, RIGHT = 26, ABOVE = 30, BELOW = 42 };

void html_escaped(FILE *to, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&' || *text == '\'')
            fprintf(to, "&#%d;", *text);
        else
            fputc(*text, to);
}

/* ---- numbers ---- */

const char *text_of_time(double microseconds, char *to, size_t bytes)
{
    const double us = microseconds;
    const char *unit = us >= 1e6 ? "s" : us >= 1e3 ? "ms" : us >= 1 ? "µs" : "ns";
    double value = us >= 1e6 ? us / 1e6 : us >= 1e3 ? us / 1e3 : us >= 1 ? us : us * 1e3;
    snprintf(to, bytes, value >= 100 ? "%.0f %s" : "%.3g %s", value, unit);
    return to;
}

static const char *binary(double value, const char *unit, char *to, size_t bytes)
{
    static const char *const prefix[] = {"", "Ki", "Mi", "Gi", "Ti"};
    int k = 0;
    for (; value >= 1024 && k < 4; k++)
        value /= 1024;
    snprintf(to, bytes, value >= 100 ? "%.0f %s%s" : "%.3g %s%s", value, prefix[k], unit);
    return to;
}

const char *text_of_count(double elements, char *to, size_t bytes)
{
    return binary(elements, "", to, bytes);
}

const char *text_of_bytes(double bytes, char *to, size_t room)
{
    return binary(bytes, "B", to, room);
}

const char *text_of_speed(double speed, char *to, size_t bytes)
{
    const char *unit = speed >= 1e6 ? "TB/s" : speed >= 1e3 ? "GB/s" : "MB/s";
    double value = speed >= 1e6 ? speed / 1e6 : speed >= 1e3 ? speed / 1e3 : speed;
    snprintf(to, bytes, value >= 100 ? "%.0f %s" : "%.3g %s", value, unit);
    return to;
}

/* ---- places ---- */

void svg_range(double *low, double *high, double value)
{
    *low = fmin(*low, log10(value));
    *high = fmax(*high, log10(value));
}

double svg_x(const struct svg_plot *p, double x)
{
    return LEFT + (log10(x) - p->x0) / (p->x1 - p->x0) * (p->wide - LEFT - RIGHT);
}

double svg_y(const struct svg_plot *p, double y)
{
    return p->high - BELOW - (log10(y) - p->y0) / (p->y1 - p->y0) * (p->high - BELOW - ABOVE);
}

/* ---- axes ---- */

static void widen(double *low, double *high)
{
    *low = floor(*low + 1e-9);
    *high = ceil(*high - 1e-9);
    if (*high <= *low)
        *high = *low + 1;
}

/* Elements and bytes are powers of two: ticks at every fourth one. */
static void put_x_ticks(const struct svg_plot *p)
{
    char text[40];
    double from = p->x0 / log10(2), to = p->x1 / log10(2);
    int step = to - from > 16 ? 4 : 2;
    for (int bits = (int)ceil(from / step - 1e-9) * step; bits <= (int)floor(to + 1e-9); bits += step) {
        double x = svg_x(p, exp2(bits));
        fprintf(p->to, "<path class='grid' d='M%.1f %dV%d'/>", x, ABOVE, p->high - BELOW);
        fprintf(p->to, "<text class='tick middle' x='%.1f' y='%d'>%s</text>", x, p->high - BELOW + 15,
                p->x_text(exp2(bits), text, sizeof text));
    }
}

static void put_decades(const struct svg_plot *p, bool vertical)
{
    char text[40];
    double low = vertical ? p->x0 : p->y0, high = vertical ? p->x1 : p->y1;
    int step = high - low > 6 ? 2 : 1;
    for (int e = (int)ceil(low - 1e-9); e <= (int)floor(high + 1e-9); e += step) {
        double at = vertical ? svg_x(p, pow(10, e)) : svg_y(p, pow(10, e));
        if (vertical) {
            fprintf(p->to, "<path class='grid' d='M%.1f %dV%d'/>", at, ABOVE, p->high - BELOW);
            fprintf(p->to, "<text class='tick middle' x='%.1f' y='%d'>%s</text>", at, p->high - BELOW + 15,
                    p->x_text(pow(10, e), text, sizeof text));
        } else {
            fprintf(p->to, "<path class='grid' d='M%d %.1fH%d'/>", LEFT, at, p->wide - RIGHT);
            fprintf(p->to, "<text class='tick end' x='%d' y='%.1f'>%s</text>", LEFT - 6, at + 3.5,
                    p->y_text(pow(10, e), text, sizeof text));
        }
    }
}

void svg_open(struct svg_plot *p)
{
    bool powers_of_two = p->x_text == text_of_count || p->x_text == text_of_bytes;
    widen(&p->y0, &p->y1);
    if (powers_of_two) {
        p->x0 -= 0.1;
        p->x1 += 0.1;
    } else {
        widen(&p->x0, &p->x1);
    }
    fprintf(p->to, "<svg viewBox='0 0 %d %d' class='plot' role='img'><title>", p->wide, p->high);
    html_escaped(p->to, p->title);
    fputs("</title>", p->to);
    fprintf(p->to, "<text class='title' x='%d' y='18'>", LEFT);
    html_escaped(p->to, p->title);
    fputs("</text>", p->to);
    if (powers_of_two)
        put_x_ticks(p);
    else
        put_decades(p, true);
    put_decades(p, false);
    fprintf(p->to, "<path class='axis' d='M%d %dV%dH%d'/>", LEFT, ABOVE, p->high - BELOW, p->wide - RIGHT);
    fprintf(p->to, "<text class='label middle' x='%d' y='%d'>%s</text>", (LEFT + p->wide - RIGHT) / 2, p->high - 8,
            p->x_label);
    fprintf(p->to, "<text class='label middle' transform='translate(13 %d) rotate(-90)'>%s</text>\n",
            (ABOVE + p->high - BELOW) / 2, p->y_label);
}

/* ---- what is in them ---- */

void svg_line(const struct svg_plot *p, const double *x, const double *y, int count, const char *classes)
{
    if (count == 0)
        return;
    fprintf(p->to, "<path class='line %s' d='", classes);
    for (int k = 0; k < count; k++)
        fprintf(p->to, "%c%.1f %.1f", k ? 'L' : 'M', svg_x(p, x[k]), svg_y(p, y[k]));
    fputs("'/>", p->to);
}

void svg_mark(const struct svg_plot *p, double x, double y, int shape, const char *classes, const char *tip)
{
    double cx = svg_x(p, x), cy = svg_y(p, y);
    if (shape == 0)
        fprintf(p->to, "<circle class='mark %s' cx='%.1f' cy='%.1f' r='3'>", classes, cx, cy);
    else if (shape == 1)
        fprintf(p->to, "<rect class='mark %s' x='%.1f' y='%.1f' width='5.6' height='5.6'>", classes, cx - 2.8,
                cy - 2.8);
    else
        fprintf(p->to, "<path class='mark %s' d='M%.1f %.1fl3.6 6.2h-7.2z'>", classes, cx, cy - 3.9);
    fputs("<title>", p->to);
    html_escaped(p->to, tip);
    fprintf(p->to, "</title></%s>\n", shape == 0 ? "circle" : shape == 1 ? "rect" : "path");
}

void svg_segment(const struct svg_plot *p, double x0, double y0, double x1, double y1, const char *classes)
{
    fprintf(p->to, "<path class='%s' d='M%.1f %.1fL%.1f %.1f'/>", classes, svg_x(p, x0), svg_y(p, y0), svg_x(p, x1),
            svg_y(p, y1));
}

void svg_close(const struct svg_plot *p)
{
    fputs("</svg>\n", p->to);
}
