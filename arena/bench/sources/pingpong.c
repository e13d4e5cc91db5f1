/* The pipe floor: round trips a second between two processes that do nothing else.
 *
 * `pingpong SECONDS QUESTION ANSWER` prints them; QUESTION and ANSWER are lengths in bytes.
 * pingpong.py is the same in Python.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 16];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

/* Read `length` bytes; 0 at the end of the pipe. */
static int take(int pipe, size_t length) {
    for (size_t got = 0; got < length;) {
        ssize_t more = read(pipe, buffer, length - got);
        if (more <= 0) return 0;
        got += more;
    }
    return 1;
}

int main(int count, char **words) {
    int to[2], from[2];
    if (count != 4 || pipe(to) || pipe(from)) return 1;
    double seconds = atof(words[1]);
    size_t question = atol(words[2]), answer = atol(words[3]);
    if (fork() == 0) {
        close(to[1]);
        while (take(to[0], question) && write(from[1], buffer, answer) > 0)
            ;
        return 0;
    }
    long trips = 0;
    double began = now(), used = 0;
    while (used < seconds) {
        for (int i = 0; i < 100; i++)
            if (write(to[1], buffer, question) < 0 || !take(from[0], answer)) return 1;
        trips += 100;
        used = now() - began;
    }
    printf("%.0f\n", trips / used);
    return 0;
}
