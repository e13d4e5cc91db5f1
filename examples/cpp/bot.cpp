// A starter bot in one file of C++, for Savanna Ten and Herd at any number of seats.
// It plays the legal action that is worth most to it. To make it yours, change
// `worth_of_placement` and `worth_of_stone`.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

using json = nlohmann::json;
using std::string, std::vector;

// Savanna Ten

const string closed = "B1 E2 C3 A4 D5";
const std::map<string, int> influence = {{"monkey", 1},   {"zebra", 2}, {"giraffe", 3},
                                         {"elephant", 5}, {"mouse", 1}, {"lion", 4}};

struct Tile {
  int side;  // who it scores for
  string face;
};

// The 20 straight lines: every row, column and diagonal of at least 3 cells.
vector<vector<string>> find_lines() {
  std::map<std::pair<char, int>, vector<string>> lines;
  for (int x = 0; x < 5; x++) {
    for (int y = 0; y < 5; y++) {
      const string cell = {char('A' + x), char('1' + y)};
      if (closed.find(cell) != string::npos) continue;
      lines[{'-', y}].push_back(cell);
      lines[{'|', x}].push_back(cell);
      lines[{'\\', x - y}].push_back(cell);
      lines[{'/', x + y}].push_back(cell);
    }
  }
  vector<vector<string>> judged;
  for (const auto& [name, cells] : lines) {
    if (cells.size() >= 3) judged.push_back(cells);
  }
  return judged;
}

const auto lines = find_lines();

// What our side gets more than the best other side from a line that it completes.
int lead(const vector<Tile>& tiles, int own) {
  std::map<int, int> shares, mice;
  int total = 0, most = 0, least = 100, ours = 0, theirs = 0;
  for (const auto& [side, face] : tiles) {
    shares[side] += influence.at(face);
    mice[side] += face == "mouse";
    total += influence.at(face);
  }
  for (const auto& [side, share] : shares) {
    most = std::max(most, share);
    least = std::min(least, share);
  }
  for (const auto& [side, share] : shares) {
    int points = total == 10  ? 3 * (side == own)
                 : total < 10 ? 2 * (share == most)
                              : 1 * (share == least);
    if (points > 0) points += mice[side];
    if (side == own) {
      ours = points;
    } else {
      theirs = std::max(theirs, points);
    }
  }
  return ours - theirs;
}

// The points it makes, less what it leaves: a line that lacks one tile suits the next seat.
double worth_of_placement(const string& action, const json& act, const json& start) {
  const bool teams = start["options"]["teams"];
  const auto side_of = [&](int seat) { return teams ? seat % 2 : seat; };
  const auto at = action.find('@');
  const string tile = action.substr(0, at), cell = action.substr(at + 1);
  const bool is_lion = tile.find("/lion") != string::npos;  // "zebra/lion": Lion side up
  const int own = side_of(act["seat"]);
  const json& board = act["state"]["board"];

  double worth = 0;
  for (const auto& line : lines) {
    if (std::find(line.begin(), line.end(), cell) == line.end()) continue;
    vector<Tile> tiles = {{own, is_lion ? "lion" : tile}};
    for (const auto& place : line) {
      if (const auto lying = board.find(place); lying != board.end()) {
        tiles.push_back({side_of((*lying)["seat"]), (*lying)["side"]});
      }
    }
    if (tiles.size() == line.size()) worth += lead(tiles, own);
    if (tiles.size() == line.size() - 1) worth -= 0.5;
  }
  return worth;
}

// Herd

// Whether a hexagon with `size` cells on a side has this cell; rows count from 0.
bool is_on_board(int row, int number, int size) {
  const int r = row - (size - 1), q = number - size;
  return std::max({std::abs(r), std::abs(q), std::abs(r + q)}) < size;
}

// The cells beside a cell: 6 inside the board, 3 or 4 on its edge.
vector<string> neighbours(const string& cell, int size) {
  const int row = cell[0] - 'A', number = std::stoi(cell.substr(1));
  const int steps[6][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}};
  vector<string> cells;
  for (const auto& [down, right] : steps) {
    const int y = row + down, x = number + right;
    if (is_on_board(y, x, size)) cells.push_back(char('A' + y) + std::to_string(x));
  }
  return cells;
}

// Capture; else stay together; but leave the holes that only we can fill for later.
double worth_of_stone(const string& action, const json& act, const json& start) {
  const int size = start["options"]["size"];
  const json &board = act["state"]["board"], &own = act["seat"];
  const auto is_own = [&](const string& other) { return board.value(other, json()) == own; };

  const string cell = action.substr(action.find('@') + 1);
  const auto beside = neighbours(cell, size);
  const int friends = std::count_if(beside.begin(), beside.end(), is_own);
  if (action.rfind("remove", 0) == 0) return friends;  // an enemy stone that stands among ours

  double worth = std::min(friends, 2);
  if (friends == int(beside.size())) worth -= 3;
  for (const auto& other : beside) {
    const auto around = neighbours(other, size);
    const bool captured = std::all_of(around.begin(), around.end(), [&](const string& last) {
      return last == cell || is_own(last);
    });
    if (board.contains(other) && !is_own(other) && captured) worth += 3;
  }
  return worth;
}

// The protocol: one JSON object a line, an answer only to `hello` and `act`.

void say(const json& message) {
  std::cout << message << std::endl;  // endl flushes: an answer in a buffer never arrives
}

// The legal action that is worth most, any one among equals.
string choose(const json& act, const json& start) {
  const auto worth = start["game"] == "herd" ? worth_of_stone : worth_of_placement;
  vector<string> legal = act["legal"];
  std::shuffle(legal.begin(), legal.end(), std::mt19937(int(start["seed"]) ^ int(act["id"])));
  vector<double> worths;
  for (const auto& action : legal) worths.push_back(worth(action, act, start));
  return legal[std::max_element(worths.begin(), worths.end()) - worths.begin()];
}

int main() {
  json start;
  for (string line; std::getline(std::cin, line);) {
    const json message = json::parse(line);
    const auto type = message["type"];
    if (type == "hello") {
      say({{"type", "ready"},
           {"protocol", 1},
           {"name", "cpp-starter"},
           {"games", {"savanna-ten", "herd"}}});
    } else if (type == "start") {
      start = message;
    } else if (type == "act") {
      say({{"type", "action"}, {"id", message["id"]}, {"actions", {choose(message, start)}}});
    } else if (type == "error") {
      std::cerr << message["message"] << std::endl;  // to be found in the bot's log
    } else if (type == "quit") {
      return 0;
    }
  }
}
