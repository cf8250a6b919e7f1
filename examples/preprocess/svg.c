/* The histogram as a picture for a browser. */
#include "preprocess.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 760, HEIGHT = 420, LEFT = 78, RIGHT = 16, TOP = 44, BOTTOM = 52 };

/* 1, 2 or 5 times a power of ten. */
double picture_step(double lo, double hi, int wanted)
{
    double rough = (hi - lo) / (wanted < 1 ? 1 : wanted), power = pow(10, floor(log10(rough))), of = rough / power;

    return (of <= 1 ? 1 : of <= 2 ? 2 : of <= 5 ? 5 : 10) * power;
}

static const char head[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
    "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
    "<style>.back{fill:#fff}.bar{fill:#2f6f9f}.bar:hover{fill:#d9822b}.line{stroke:#ccc}.axis{stroke:#444}"
    "text{fill:#222}@media(prefers-color-scheme:dark){.back{fill:#14181c}.bar{fill:#6cb2e0}.line{stroke:#333}"
    ".axis{stroke:#aaa}text{fill:#ddd}}</style>\n"
    "<title>%s</title>\n"
    "<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n"
    "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n";

static double across(const struct picture *p, double x)
{
    return LEFT + (x - p->edges[0]) / (p->edges[p->bins] - p->edges[0]) * (WIDTH - LEFT - RIGHT);
}

static double up(double y, double most)
{
    return HEIGHT - BOTTOM - y / most * (HEIGHT - TOP - BOTTOM);
}

static void draw_axes(const struct picture *p, double most, FILE *to)
{
    double step = picture_step(0, most, 5), lo = p->edges[0], hi = p->edges[p->bins];

    for (double y = 0; y <= most * 1.0001; y += step)
        fprintf(to,
                "<line class=\"line\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n",
                LEFT, WIDTH - RIGHT, up(y, most), up(y, most), LEFT - 8, up(y, most) + 4, y);
    step = picture_step(lo, hi, 9);
    for (double x = ceil(lo / step) * step; x <= hi + (hi - lo) * 1e-9; x += step)
        fprintf(to,
                "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n",
                across(p, x), across(p, x), HEIGHT - BOTTOM, HEIGHT - BOTTOM + 5, across(p, x), HEIGHT - BOTTOM + 20,
                fabs(x) < step / 2 ? 0.0 : x);
}

static void draw_bars(const struct picture *p, double most, FILE *to)
{
    for (int k = 0; k < p->bins; k++) {
        double left = across(p, p->edges[k]), right = across(p, p->edges[k + 1]), top = up((double)p->counts[k], most);
        double gap = right - left > 4 ? 1 : 0;

        fprintf(to, "<rect class=\"bar\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">", left, top,
                right - left - gap, HEIGHT - BOTTOM - top);
        fprintf(to, "<title>%.6g to %.6g: %lld</title></rect>\n", p->edges[k], p->edges[k + 1],
                (long long)p->counts[k]);
    }
}

bool picture_save(const struct picture *p, const char *path)
{
    FILE *to = fopen(path, "w");
    double most = 1;

    if (!to)
        return false;
    for (int k = 0; k < p->bins; k++)
        most = fmax(most, (double)p->counts[k]);
    fprintf(to, head, WIDTH, HEIGHT, WIDTH, HEIGHT, p->title, WIDTH, HEIGHT, LEFT, p->title);
    draw_axes(p, most, to);
    draw_bars(p, most, to);
    fprintf(to,
            "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">magnitude</text>\n</svg>\n",
            LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM, HEIGHT - BOTTOM, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12);
    bool fine = !ferror(to);
    return fclose(to) == 0 && fine;
}
