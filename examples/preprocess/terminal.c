/* The histogram as bars in the terminal. */
#include "preprocess.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { HEIGHT = 12, MARGIN = 10, WIDEST = 200 };

static int terminal_width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int width = columns ? atoi(columns) : 0;

    if (width < 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    width = width < 1 ? 80 : width;
    return width < 30 ? 30 : width > WIDEST + MARGIN ? WIDEST + MARGIN : width;
}

/* Bars of `each` columns, or several bins to a column where there are too many. Returns the number of columns. */
static int heights(const struct picture *p, int room, double *height)
{
    int each = p->bins <= room ? room / p->bins : 1, columns = p->bins <= room ? each * p->bins : room;

    for (int c = 0; c < columns; c++) {
        int64_t from = (int64_t)c * p->bins / columns, to = (int64_t)(c + 1) * p->bins / columns;

        height[c] = 0;
        for (int64_t k = from; k < (to > from ? to : from + 1); k++)
            height[c] = fmax(height[c], (double)p->counts[k]);
    }
    return columns;
}

/* What of a bar of `eighths` stands in the row that begins at 8 * row. */
static const char *block(int eighths, int row, bool unicode)
{
    static const char *const fine[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const coarse[] = {" ", ".", ".", ".", ":", ":", "|", "|", "#"};
    int part = eighths - 8 * row;

    part = part < 0 ? 0 : part > 8 ? 8 : part;
    return unicode ? fine[part] : coarse[part];
}

/* Labels under the axis, at round numbers. */
static void print_axis(const struct picture *p, int columns, bool unicode)
{
    double lo = p->edges[0], hi = p->edges[p->bins], step = picture_step(lo, hi, columns / 12);
    char labels[WIDEST + MARGIN], label[32];
    int end = 0, length;

    printf("%*s %s", MARGIN - 2, "0", unicode ? "└" : "+");
    memset(labels, ' ', sizeof labels);
    for (int c = 0, next = 0; c < columns; c++) {
        double left = lo + (hi - lo) * c / columns, right = lo + (hi - lo) * (c + 1) / columns;
        double mark = ceil(left / step) * step;
        bool marked = mark < right;

        printf("%s", marked ? (unicode ? "┴" : "+") : (unicode ? "─" : "-"));
        length = snprintf(label, sizeof label, "%.6g", fabs(mark) < step / 2 ? 0.0 : mark);
        if (!marked || c < next || c + length > columns)
            continue;
        memcpy(labels + MARGIN + c, label, (size_t)length);
        end = c + length;
        next = end + 2;
    }
    printf("\n%.*s\n", MARGIN + end, labels);
}

void picture_print(const struct picture *p)
{
    bool unicode = g_get_charset(NULL);
    double height[WIDEST], most = 1;
    int columns = heights(p, terminal_width() - MARGIN, height);

    for (int c = 0; c < columns; c++)
        most = fmax(most, height[c]);
    printf("\n%*s%.*s\n", MARGIN, "", columns, p->title);
    for (int row = HEIGHT - 1; row >= 0; row--) {
        char label[32] = "";

        if (row == HEIGHT - 1)
            snprintf(label, sizeof label, "%.4g", most);
        printf("%*s %s", MARGIN - 2, label, unicode ? "│" : "|");
        for (int c = 0; c < columns; c++) /* a bin with one element is seen too */
            fputs(block((int)ceil(height[c] / most * 8 * HEIGHT), row, unicode), stdout);
        putchar('\n');
    }
    print_axis(p, columns, unicode);
}
