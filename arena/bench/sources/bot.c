/* A trivially fast bot.
 *
 * `bot legal` answers the first of the legal actions, whatever the game. `bot state` has the
 * referee leave them out: it places the first tile of its hand on the first free cell, which it
 * takes from the state of Savanna Ten. bot.py is the same in Python.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char CELLS[][3] = {"A1", "A2", "A3", "A5", "B2", "B3", "B4", "B5", "C1", "C2",
                                "C4", "C5", "D1", "D2", "D3", "D4", "E1", "E3", "E4", "E5"};

/* What stands behind the first `key` of a text. */
static const char *behind(const char *text, const char *key) {
    return strstr(text, key) + strlen(key);
}

/* The first cell that is no key of the board; the keys are in cell order. */
static const char *first_free(const char *line) {
    const char *key = behind(line, "\"board\":{") + 1;
    int cell = 0;
    while (strncmp(key, CELLS[cell], 2) == 0) {
        key = behind(key, "},\"");
        cell++;
    }
    return CELLS[cell];
}

static void answer(const char *line, int by_state) {
    const char *id = behind(line, "\"id\":");
    const char *word = behind(line, by_state ? "\"hand\":[\"" : "\"legal\":[\"");
    printf("{\"type\":\"action\",\"id\":%.*s,\"actions\":[\"%.*s", (int)strcspn(id, ","), id,
           (int)strcspn(word, "\""), word);
    if (by_state) printf("@%s", first_free(line));
    puts("\"]}");
}

int main(int count, char **words) {
    int by_state = count > 1 && strcmp(words[1], "state") == 0;
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *type = behind(line, "\"type\":\"");
        if (strncmp(type, "act\"", 4) == 0)
            answer(line, by_state);
        else if (strncmp(type, "hello\"", 6) == 0)
            printf("{\"type\":\"ready\",\"protocol\":1,\"name\":\"bench\",\"legal\":%s}\n",
                   by_state ? "false" : "true");
        else if (strncmp(type, "quit\"", 5) == 0)
            break;
        fflush(stdout);
    }
    free(line);
    return 0;
}
