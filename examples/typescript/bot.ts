// A starter bot in one file of TypeScript, for Savanna Ten and Herd at any number of seats.
// It plays the legal action that is worth most to it. To make it yours, change
// `worthOfPlacement` and `worthOfStone`.

// The messages that this bot reads, with the fields that it needs.

type Message = { type: "hello" | "end" | "quit" } | Start | Act | Failure;

interface Start {
  type: "start";
  game: string;
  options: { teams: boolean; size: number };
  seed: number;
}

interface Act {
  type: "act";
  id: number;
  seat: number;
  state: { board: Record<string, unknown> };
  legal: string[];
}

interface Failure {
  type: "error";
  message: string;
}

// Node, as far as it is used; with the package @types/node this is left out.
declare const process: {
  stdin: { setEncoding(name: string): void; on(event: "data", listener: (text: string) => void): void };
  stdout: { write(text: string): void };
  exit(status: number): never;
};

// The protocol: one JSON object a line, an answer only to `hello` and `act`.

let start: Start;
let unfinished = "";

process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (unfinished + text).split("\n");
  unfinished = lines.pop() ?? "";
  lines.forEach((line) => hear(JSON.parse(line)));
});

function hear(message: Message): void {
  switch (message.type) {
    case "hello":
      say({ type: "ready", protocol: 1, name: "typescript-starter", games: Object.keys(worths) });
      break;
    case "start":
      start = message;
      break;
    case "act":
      say({ type: "action", id: message.id, actions: [choose(message)] });
      break;
    case "error":
      console.error(message.message); // to be found in the bot's log
      break;
    case "quit":
      process.exit(0);
  }
}

function say(message: object): void {
  process.stdout.write(JSON.stringify(message) + "\n");
}

// The legal action that is worth most, any one among equals.
function choose(act: Act): string {
  const worth = worths[start.game];
  const random = generator(start.seed + act.id);
  const rated = act.legal.map((action) => ({ action, worth: worth(action, act), tie: random() }));
  rated.sort((a, b) => b.worth - a.worth || b.tie - a.tie);
  return rated[0].action;
}

// Numbers in 0…1 that follow from a seed (mulberry32).
function generator(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const worths: Record<string, (action: string, act: Act) => number> = {
  "savanna-ten": worthOfPlacement,
  herd: worthOfStone,
};

// Savanna Ten

type Face = "monkey" | "zebra" | "giraffe" | "elephant" | "mouse" | "lion";

interface Tile {
  seat: number;
  side: Face; // the side that lies up
}

const CLOSED = ["B1", "E2", "C3", "A4", "D5"];
const INFLUENCE: Record<Face, number> = {
  monkey: 1,
  zebra: 2,
  giraffe: 3,
  elephant: 5,
  mouse: 1,
  lion: 4,
};
const LINES = findLines();

// The 20 straight lines: every row, column and diagonal of at least 3 cells.
function findLines(): string[][] {
  const found: Record<string, string[]> = {};
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
function worthOfPlacement(action: string, act: Act): number {
  const [tile, cell] = action.split("@");
  const side = (tile.endsWith("/lion") ? "lion" : tile) as Face; // "zebra/lion": Lion side up
  const board: Record<string, Tile> = { ...(act.state.board as Record<string, Tile>) };
  board[cell] = { seat: act.seat, side };
  let worth = 0;
  for (const line of LINES.filter((line) => line.includes(cell))) {
    const tiles = line.filter((place) => place in board).map((place) => board[place]);
    if (tiles.length === line.length) worth += lead(tiles, sideOf(act.seat));
    else if (tiles.length === line.length - 1) worth -= 0.5;
  }
  return worth;
}

// Who scores for a seat: itself, or its team (seats 0 and 2 against 1 and 3).
function sideOf(seat: number): number {
  return start.options.teams ? seat % 2 : seat;
}

// What our side gets more than the best other side from a line that it completes.
function lead(tiles: Tile[], own: number): number {
  const points = judge(tiles, own);
  const others = [...points].filter(([side]) => side !== own).map(([, count]) => count);
  return (points.get(own) ?? 0) - Math.max(0, ...others);
}

// The points that a complete line gives to each side that scores.
function judge(tiles: Tile[], active: number): Map<number, number> {
  const shares = new Map<number, number>();
  for (const { seat, side } of tiles) {
    shares.set(sideOf(seat), (shares.get(sideOf(seat)) ?? 0) + INFLUENCE[side]);
  }
  const all = [...shares.values()];
  const total = all.reduce((sum, share) => sum + share);
  const points = new Map<number, number>();
  for (const [side, share] of shares) {
    if (total === 10 && side === active) points.set(side, 3);
    if (total < 10 && share === Math.max(...all)) points.set(side, 2);
    if (total > 10 && share === Math.min(...all)) points.set(side, 1);
  }
  for (const { seat, side } of tiles) {
    const scored = points.get(sideOf(seat));
    if (side === "mouse" && scored) points.set(sideOf(seat), scored + 1);
  }
  return points;
}

// Herd

// Capture; else stay together; but leave the holes that only we can fill for later.
function worthOfStone(action: string, act: Act): number {
  const [verb, cell] = action.split("@");
  const board = act.state.board as Record<string, number>;
  const isOwn = (other: string) => board[other] === act.seat;
  const beside = neighbours(cell);
  const friends = beside.filter(isOwn);
  if (verb === "remove") return friends.length; // an enemy stone that stands among ours
  const captured = beside
    .filter((other) => other in board && !isOwn(other))
    .filter((enemy) => neighbours(enemy).every((other) => other === cell || isOwn(other)));
  const isHole = friends.length === beside.length;
  return 3 * captured.length + Math.min(friends.length, 2) - (isHole ? 3 : 0);
}

// The cells beside a cell: 6 inside the board, 3 or 4 on its edge.
function neighbours(cell: string): string[] {
  const row = cell.charCodeAt(0) - "A".charCodeAt(0);
  const number = Number(cell.slice(1));
  return [[0, 1], [0, -1], [1, 0], [-1, 0], [1, -1], [-1, 1]]
    .map(([down, right]) => [row + down, number + right])
    .filter(([y, x]) => isOnBoard(y, x))
    .map(([y, x]) => String.fromCharCode("A".charCodeAt(0) + y) + x);
}

// Whether the hexagon has this cell; rows count from 0.
function isOnBoard(row: number, number: number): boolean {
  const { size } = start.options;
  const [r, q] = [row - (size - 1), number - size];
  return Math.max(Math.abs(r), Math.abs(q), Math.abs(r + q)) < size;
}
