// A starter bot in one file of plain JavaScript, for Savanna Ten and Herd at any number of seats.
// It plays the legal action that is worth most to it. To make it yours, change
// `worthOfPlacement` and `worthOfStone`.

import { createInterface } from "node:readline";

// The protocol: one JSON object a line, an answer only to `hello` and `act`.

let start = {};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello":
      say({ type: "ready", protocol: 1, name: "javascript-starter", games: Object.keys(worths) });
      break;
    case "start":
      start = message;
      break;
    case "act":
      say({ type: "action", id: message.id, actions: [choose(message, start)] });
      break;
    case "error":
      console.error(message.message); // to be found in the bot's log
      break;
    case "quit":
      process.exit();
  }
});

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

// The legal action that is worth most, any one among equals.
function choose(act, start) {
  const worth = worths[start.game];
  const random = generator(start.seed + act.id);
  const rated = act.legal.map((action) => ({
    action,
    worth: worth(action, act, start),
    tie: random(),
  }));
  rated.sort((a, b) => b.worth - a.worth || b.tie - a.tie);
  return rated[0].action;
}

// Numbers in 0…1 that follow from a seed (mulberry32).
function generator(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const worths = { "savanna-ten": worthOfPlacement, herd: worthOfStone };

// Savanna Ten

const CLOSED = ["B1", "E2", "C3", "A4", "D5"];
const INFLUENCE = { monkey: 1, zebra: 2, giraffe: 3, elephant: 5, mouse: 1, lion: 4 };
const LINES = findLines();

// The 20 straight lines: every row, column and diagonal of at least 3 cells.
function findLines() {
  const found = {};
  for (const [x, column] of [..."ABCDE"].entries()) {
    for (const [y, row] of [..."12345"].entries()) {
      if (CLOSED.includes(column + row)) continue;
      for (const line of [`row ${y}`, `column ${x}`, `falling ${x - y}`, `rising ${x + y}`]) {
        (found[line] ??= []).push(column + row);
      }
    }
  }
  return Object.values(found).filter((cells) => cells.length >= 3);
}

// The points it makes, less what it leaves: a line that lacks one tile suits the next seat.
function worthOfPlacement(action, act, start) {
  const [tile, cell] = action.split("@");
  const sideOf = (seat) => (start.options.teams ? seat % 2 : seat);
  const own = sideOf(act.seat);
  const board = {};
  for (const [place, { seat, side }] of Object.entries(act.state.board)) {
    board[place] = { side: sideOf(seat), face: side };
  }
  board[cell] = { side: own, face: tile.endsWith("/lion") ? "lion" : tile }; // "zebra/lion"
  let worth = 0;
  for (const line of LINES.filter((line) => line.includes(cell))) {
    const tiles = line.filter((place) => place in board).map((place) => board[place]);
    if (tiles.length === line.length) worth += lead(judge(tiles, own), own);
    else if (tiles.length === line.length - 1) worth -= 0.5;
  }
  return worth;
}

// Our points less those of the best other side.
function lead(points, own) {
  const others = [...points].filter(([side]) => side !== own).map(([, count]) => count);
  return (points.get(own) ?? 0) - Math.max(0, ...others);
}

// The points that a complete line gives to each side that scores.
function judge(tiles, active) {
  const shares = new Map();
  for (const { side, face } of tiles) {
    shares.set(side, (shares.get(side) ?? 0) + INFLUENCE[face]);
  }
  const all = [...shares.values()];
  const total = all.reduce((sum, share) => sum + share);
  const points = new Map();
  for (const [side, share] of shares) {
    if (total === 10 && side === active) points.set(side, 3);
    if (total < 10 && share === Math.max(...all)) points.set(side, 2);
    if (total > 10 && share === Math.min(...all)) points.set(side, 1);
  }
  for (const { side, face } of tiles) {
    if (face === "mouse" && points.has(side)) points.set(side, points.get(side) + 1);
  }
  return points;
}

// Herd

// Capture; else stay together; but leave the holes that only we can fill for later.
function worthOfStone(action, act, start) {
  const [verb, cell] = action.split("@");
  const { board } = act.state;
  const { size } = start.options;
  const isOwn = (other) => board[other] === act.seat;
  const beside = neighbours(cell, size);
  const friends = beside.filter(isOwn);
  if (verb === "remove") return friends.length; // an enemy stone that stands among ours
  const captured = beside
    .filter((other) => other in board && !isOwn(other))
    .filter((enemy) => neighbours(enemy, size).every((other) => other === cell || isOwn(other)));
  const isHole = friends.length === beside.length;
  return 3 * captured.length + Math.min(friends.length, 2) - (isHole ? 3 : 0);
}

// The cells beside a cell: 6 inside the board, 3 or 4 on its edge.
function neighbours(cell, size) {
  const row = cell.charCodeAt(0) - "A".charCodeAt(0);
  const number = Number(cell.slice(1));
  return [[0, 1], [0, -1], [1, 0], [-1, 0], [1, -1], [-1, 1]]
    .map(([down, right]) => [row + down, number + right])
    .filter(([y, x]) => isOnBoard(y, x, size))
    .map(([y, x]) => String.fromCharCode("A".charCodeAt(0) + y) + x);
}

// Whether a hexagon with `size` cells on a side has this cell; rows count from 0.
function isOnBoard(row, number, size) {
  const [r, q] = [row - (size - 1), number - size];
  return Math.max(Math.abs(r), Math.abs(q), Math.abs(r + q)) < size;
}
