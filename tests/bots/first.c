/* Plays the first legal action, with nothing but string search: a bot that answers at once. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char in[1 << 17];

static int starts(const char *line, const char *text) {
    return strncmp(line, text, strlen(text)) == 0;
}

static void put(const char *text, int length) {
    if (write(1, text, length) != length) _exit(1);
}

/* Copies `"id":N` and the first of `"legal":["…"` into an answer. */
static void answer(const char *act) {
    char out[256];
    const char *id = strstr(act, "\"id\":") + 5;
    const char *legal = strstr(act, "\"legal\":[\"") + 10;
    int length = sprintf(out, "{\"type\":\"action\",\"id\":%.*s,\"actions\":[\"%.*s\"]}\n",
                         (int)strcspn(id, ","), id, (int)strcspn(legal, "\""), legal);
    put(out, length);
}

/* 0 when the program is no longer needed. */
static int hear(const char *line) {
    static const char ready[] = "{\"type\":\"ready\",\"protocol\":1,\"name\":\"first\"}\n";
    if (starts(line, "{\"type\":\"act\"")) answer(line);
    else if (starts(line, "{\"type\":\"hello\"")) put(ready, sizeof ready - 1);
    return !starts(line, "{\"type\":\"quit\"");
}

int main(void) {
    size_t have = 0;
    ssize_t got;
    while ((got = read(0, in + have, sizeof in - have - 1)) > 0) {
        char *line = in, *end;
        in[have += got] = 0;
        while ((end = strchr(line, '\n'))) {
            *end = 0;
            if (!hear(line)) return 0;
            line = end + 1;
        }
        have -= line - in;
        memmove(in, line, have);
    }
    return 0;
}
