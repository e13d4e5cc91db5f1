// A starter bot in one file of plain C, for Savanna Ten and Herd at any number of seats.
// It plays the legal action that is worth most to it. To make it yours, change
// `worth_of_placement` and `worth_of_stone`.

#define _POSIX_C_SOURCE 200809L  // for getline
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LETTERS = 20, NUMBERS = 20, SEATS = 4 };

struct tile {
  int influence;  // 0: the cell is empty
  int side;       // who it scores for
  bool is_mouse;
};

static struct tile board[LETTERS][NUMBERS];  // board[2][4] is C4

static struct {
  bool is_herd, teams;
  int size;
  uint32_t seed;
} match;

// JSON without a library. A value is a pointer to its first character; the referee writes no
// spaces between values.

// Where a value ends: the comma or bracket behind it. A member of an object is a value, too.
static const char *behind(const char *value) {
  int depth = 0;
  bool quoted = false;
  for (; *value; value++) {
    if (*value == '"') quoted = !quoted;
    if (quoted && *value == '\\' && value[1]) value++;
    if (quoted) continue;
    if (depth == 0 && strchr(",]}", *value)) break;
    if (strchr("[{", *value)) depth++;
    if (strchr("]}", *value)) depth--;
  }
  return value;
}

// The next member of an object or value of an array, behind its bracket or a comma; NULL: none.
static const char *next(const char *at) {
  bool more = (*at == '{' || *at == '[' || *at == ',') && !strchr("]}", at[1]);
  return more ? at + 1 : NULL;
}

// The value of a member of an object. Without it the line is no message of this protocol.
static const char *get(const char *object, const char *name) {
  size_t length = strlen(name);
  for (const char *at = object; (at = next(at)); at = behind(at)) {
    if (!strncmp(at + 1, name, length) && at[length + 1] == '"') return at + length + 3;
  }
  fprintf(stderr, "no %s in %.200s\n", name, object);
  exit(1);
}

static bool is(const char *string, const char *text) {
  size_t length = strlen(text);
  return !strncmp(string + 1, text, length) && string[length + 1] == '"';
}

// Savanna Ten

static int influence_of(const char *face) {
  const char *faces[] = {"monkey", "zebra", "giraffe", "elephant", "mouse", "lion"};
  const int influences[] = {1, 2, 3, 5, 1, 4};
  int kind = 0;
  while (kind < 5 && strncmp(face, faces[kind], strlen(faces[kind]))) kind++;
  return influences[kind];
}

static int side_of(int seat) { return match.teams ? seat % 2 : seat; }

static bool is_closed(int x, int y) {
  const char *closed[] = {"B1", "E2", "C3", "A4", "D5"};
  return closed[y - 1][0] == 'A' + x;  // one in each row
}

// Which row, column, falling or rising diagonal a cell is on.
static int line_through(int direction, int x, int y) {
  const int lines[] = {y, x, x - y, x + y};
  return lines[direction];
}

// What our side gets more than the best other side from the tiles of a line that we complete.
static int lead(const struct tile *tiles, int count, int own) {
  int shares[SEATS] = {0}, mice[SEATS] = {0}, total = 0, most = 0, least = 100, ours = 0, theirs = 0;
  for (int i = 0; i < count; i++) {
    shares[tiles[i].side] += tiles[i].influence;
    mice[tiles[i].side] += tiles[i].is_mouse;
    total += tiles[i].influence;
  }
  for (int side = 0; side < SEATS; side++) {
    if (shares[side] > most) most = shares[side];
    if (shares[side] && shares[side] < least) least = shares[side];
  }
  for (int side = 0; side < SEATS; side++) {
    if (!shares[side]) continue;
    int points = total < 10 ? 2 * (shares[side] == most) : shares[side] == least;
    if (total == 10) points = 3 * (side == own);
    if (points) points += mice[side];
    if (side == own) ours = points;
    else if (points > theirs) theirs = points;
  }
  return ours - theirs;
}

// The points that the tile on a cell makes in one line, less what it leaves: a line that lacks one
// tile suits the next seat.
static double worth_of_line(int direction, int x, int y, int own) {
  struct tile tiles[5];
  int cells = 0, count = 0;
  for (int i = 0; i < 5; i++) {
    for (int j = 1; j <= 5; j++) {
      if (is_closed(i, j)) continue;
      if (line_through(direction, i, j) != line_through(direction, x, y)) continue;
      cells++;
      if (board[i][j].influence) tiles[count++] = board[i][j];
    }
  }
  if (cells < 3) return 0;
  return count == cells ? lead(tiles, count, own) : count == cells - 1 ? -0.5 : 0;
}

// `action` is "zebra@D2", or "zebra/lion@D2" for a zebra that is placed Lion side up.
static double worth_of_placement(const char *action, int seat) {
  const char *cell = strchr(action, '@') + 1;
  const char *face = strncmp(cell - 5, "lion", 4) ? action : "lion";
  int x = cell[0] - 'A', y = atoi(cell + 1);
  double worth = 0;
  board[x][y] = (struct tile){influence_of(face), side_of(seat), !strncmp(face, "mouse", 5)};
  for (int direction = 0; direction < 4; direction++) {
    worth += worth_of_line(direction, x, y, side_of(seat));
  }
  board[x][y] = (struct tile){0};
  return worth;
}

// Herd

static bool is_on_board(int letter, int number) {
  int r = letter - (match.size - 1), q = number - match.size;
  int furthest = abs(r) > abs(q) ? abs(r) : abs(q);
  return (abs(r + q) > furthest ? abs(r + q) : furthest) < match.size;
}

// How many cells beside a cell there are: all, or those that hold a stone of this seat.
static int count_beside(int letter, int number, bool all, int seat) {
  const int steps[6][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}};
  int count = 0;
  for (int i = 0; i < 6; i++) {
    int y = letter + steps[i][0], x = number + steps[i][1];
    if (!is_on_board(y, x)) continue;
    count += all || (board[y][x].influence && board[y][x].side == seat);
  }
  return count;
}

// How many enemy stones have only stones of this seat beside them.
static int count_captured(int seat) {
  int captured = 0;
  for (int y = 0; y < LETTERS; y++) {
    for (int x = 1; x < NUMBERS; x++) {
      if (!board[y][x].influence || board[y][x].side == seat) continue;
      captured += count_beside(y, x, false, seat) == count_beside(y, x, true, seat);
    }
  }
  return captured;
}

// Capture; else stay together; but leave the holes that only we can fill for later.
static double worth_of_stone(const char *action, int seat) {
  const char *cell = strchr(action, '@') + 1;
  int letter = cell[0] - 'A', number = atoi(cell + 1);
  int friends = count_beside(letter, number, false, seat);
  if (!strncmp(action, "remove", 6)) return friends;  // an enemy stone that stands among ours
  bool is_hole = friends == count_beside(letter, number, true, seat);
  board[letter][number] = (struct tile){1, seat, false};
  int captured = count_captured(seat);
  board[letter][number] = (struct tile){0};
  return 3 * captured + (friends < 2 ? friends : 2) - 3 * is_hole;
}

// The protocol: one JSON object a line, an answer only to `hello` and `act`.

static void read_start(const char *start) {
  const char *options = get(start, "options");
  match.is_herd = is(get(start, "game"), "herd");
  match.seed = (uint32_t)atoi(get(start, "seed"));
  if (match.is_herd) match.size = atoi(get(options, "size"));
  match.teams = !match.is_herd && *get(options, "teams") == 't';
}

// Savanna Ten has {"A5":{"seat":1,"side":"zebra"},…}, Herd {"B2":1,…}.
static void read_board(const char *object) {
  memset(board, 0, sizeof board);
  for (const char *at = object; (at = next(at)); at = behind(at)) {
    struct tile *tile = &board[at[1] - 'A'][atoi(at + 2)];
    const char *value = strchr(at, ':') + 1;
    if (match.is_herd) {
      *tile = (struct tile){1, atoi(value), false};
    } else {
      const char *face = get(value, "side");
      *tile = (struct tile){
          influence_of(face + 1), side_of(atoi(get(value, "seat"))), is(face, "mouse")};
    }
  }
}

// Numbers that follow from a seed (xorshift).
static uint32_t roll(uint32_t *dice) {
  *dice ^= *dice << 13;
  *dice ^= *dice >> 17;
  *dice ^= *dice << 5;
  return *dice;
}

// Play the legal action that is worth most, any one among equals.
static void answer(const char *act) {
  int id = atoi(get(act, "id")), seat = atoi(get(act, "seat")), equals = 0;
  uint32_t dice = (match.seed ^ (uint32_t)id * 2654435769u) | 1;
  const char *chosen = NULL;
  double best = -1e9;
  read_board(get(get(act, "state"), "board"));
  for (const char *at = get(act, "legal"); (at = next(at)); at = behind(at)) {
    double worth = match.is_herd ? worth_of_stone(at + 1, seat) : worth_of_placement(at + 1, seat);
    if (worth < best) continue;
    equals = worth > best ? 1 : equals + 1;
    best = worth;
    if (roll(&dice) % equals == 0) chosen = at;
  }
  int length = (int)(behind(chosen) - chosen);
  printf("{\"type\":\"action\",\"id\":%d,\"actions\":[%.*s]}\n", id, length, chosen);
}

int main(void) {
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) {
    const char *type = get(line, "type");
    if (is(type, "hello")) {
      printf("{\"type\":\"ready\",\"protocol\":1,\"name\":\"c-starter\","
             "\"games\":[\"savanna-ten\",\"herd\"]}\n");
    } else if (is(type, "start")) {
      read_start(line);
    } else if (is(type, "act")) {
      answer(line);
    } else if (is(type, "error")) {
      fputs(line, stderr);  // to be found in the bot's log
    } else if (is(type, "quit")) {
      break;
    }
    fflush(stdout);  // an answer in a buffer never arrives
  }
  free(line);
}
