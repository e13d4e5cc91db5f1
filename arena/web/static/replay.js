// A finished match, step by step: the board, what was done, and what it brought about.
// The data is that of arena/web/replay_data.py. Whatever strangers wrote becomes text only.

const SPEEDS = { slow: 2000, normal: 1000, fast: 350 }; // milliseconds for a step
const ICONS = {
  first: "M5 5h2.5v14H5zM19 5v14L9 12z",
  back: "M17 5v14L7 12z",
  play: "M7 4v16l13-8z",
  pause: "M6 5h4.5v14H6zM13.5 5H18v14h-4.5z",
  next: "M7 5v14l10-7z",
  last: "M16.5 5H19v14h-2.5zM5 5v14l10-7z",
};

/** An element with properties and children; a string among them becomes text. */
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** An element of a drawing, with attributes. */
function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const icon = (name) => shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d: ICONS[name] }));
const percent = (share) => `${Math.round(100 * share)} %`;
const signed = (share) => `${share < 0 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)} %`;
const accuracyWords = (accuracy) => (accuracy === null ? "" : `${Math.round(accuracy)} %`);
const ordinal = (rank) => rank + (["th", "st", "nd", "rd"][rank] ?? "th");
const milliseconds = (time) => (time < 1000 ? `${Number(time.toPrecision(2))} ms` : `${(time / 1000).toFixed(1)} s`);
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const names = (places) => [...new Set(places.map((place) => place.name))].join(" and ");
const chip = (seat) => element("span", { className: `chip seat-${seat}`, ariaHidden: "true" }, String(seat));

/** What is in the data, and what follows from it. */
class Match {
  constructor(data) {
    Object.assign(this, data);
    this.drawings = unfolded(data.pictures);
    this.last = this.steps.length - 1;
    this.turns = new Map();
    this.steps.forEach(({ turn }, index) => {
      this.turns.set(turn, [...(this.turns.get(turn) ?? []), index]);
    });
  }

  /** `#t12`, or `#t12-3` for the third step of turn 12. */
  hash(index) {
    const { turn } = this.steps[index];
    const place = this.turns.get(turn).indexOf(index);
    return place ? `#t${turn}-${place + 1}` : `#t${turn}`;
  }

  /** The step that a hash means, or undefined. */
  find(hash) {
    const [, turn, place] = /^#t(\d+)(?:-(\d+))?$/.exec(hash) ?? [];
    return this.turns.get(Number(turn))?.[Number(place ?? 1) - 1];
  }

  /** The board after a step as one of the audience sees it. */
  board(index, viewer) {
    const source = this.drawings[this.steps[index].pictures[viewer]].map((line) => this.lines[line]).join("\n");
    return document.adoptNode(new DOMParser().parseFromString(source, "image/svg+xml").documentElement);
  }

  /** Whether one of the audience may see what a seat thought. */
  knows(viewer, seat) {
    return this.audience[viewer].everything || this.audience[viewer].seat === seat;
  }

  /** What chance gave a side up to a step. */
  luck(index, side) {
    return this.steps.slice(0, index + 1).reduce((sum, { luck }) => sum + (luck?.[side] ?? 0), 0);
  }

  /** What the analyst said of the turn that a step ends, as far as one of the audience may know. */
  judgement(index, viewer) {
    const { turn, seat } = this.steps[index];
    if (!this.knows(viewer, seat) || this.steps[index + 1]?.turn === turn) return undefined;
    return this.analysis?.turns.findLast((judged) => judged.turn === turn);
  }

  seat(seat) {
    return `${this.places[seat].name} (seat ${seat})`;
  }

  side(side) {
    return names(this.places.filter((place) => place.side === side));
  }

  /** What was done in a step, as one of the audience sees it. */
  action(index, viewer) {
    const { seen, effects = [] } = this.steps[index];
    return seen?.[viewer] ?? (effects.map((effect) => effect.label).join(", ") || "…");
  }
}

/** The lines of each picture: it is told whole, or as what differs from the one before. */
function unfolded(pictures) {
  let lines = [];
  return pictures.map((picture) => {
    if (picture.places) {
      lines = [...lines];
      picture.places.forEach((place, index) => { lines[place] = picture.lines[index]; });
    } else {
      ({ lines } = picture);
    }
    return lines;
  });
}

/** Who sat where: points and luck as the match goes on, places and accuracy at its end. */
function standing(match, viewer) {
  const cells = () => match.places.map(() => element("td", { className: "num" }));
  const lucky = match.audience[viewer].everything && match.steps.some((step) => step.luck);
  const [scores, luck] = [cells(), cells()];
  const rows = match.places.map((place, seat) => element(
    "tr",
    { className: place.rank === 1 ? "winner" : "" },
    element("th", { scope: "row" }, chip(seat), element("bdi", {}, place.name), " ", element("small", {}, place.version ?? "")),
    scores[seat],
    ...(lucky ? [luck[seat]] : []),
    element("td", {}, ordinal(place.rank)),
    ...(match.analysis ? [element("td", { className: "num" }, accuracyWords(match.analysis.accuracy[seat]))] : []),
  ));
  const shown = ["bot", "points", ...(lucky ? ["luck"] : []), "place", ...(match.analysis ? ["accuracy"] : [])];
  const heads = shown.map((head) => element("th", { scope: "col", className: ["bot", "place"].includes(head) ? "" : "num" }, head));
  const node = element("table", { className: "places" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
  const show = (index) => match.places.forEach((place, seat) => {
    scores[seat].textContent = match.steps[index].scores[place.side];
    if (lucky) luck[seat].textContent = signed(match.luck(index, place.side));
  });
  return { node, show };
}

/** The step in words; a screen reader says them. */
function caption(match) {
  const node = element("div", { role: "status", ariaAtomic: "true" });
  const show = (index, viewer) => {
    const step = match.steps[index];
    node.className = step.seat === undefined ? "now" : `now seat-${step.seat}`;
    node.replaceChildren(...words(match, index, viewer));
  };
  return { node, show };
}

function* words(match, index, viewer) {
  const step = match.steps[index];
  const luck = step.luck && match.audience[viewer].everything ? [element("p", {}, luckWords(match, step.luck))] : [];
  if (step.seat === undefined) return yield* [element("p", {}, "The start."), ...luck];
  const did = element("p", { className: "did" }, element("code", {}, match.action(index, viewer)));
  if (step.ms !== undefined) did.append(" ", element("small", {}, milliseconds(step.ms)));
  if (step.stand_in) did.append(" ", element("small", {}, "played by a stand-in"));
  yield element("p", {}, `Turn ${step.turn}: `, element("bdi", {}, match.seat(step.seat)));
  yield did;
  const told = (step.effects ?? []).filter((effect) => step.seen[viewer] || effect.cells); // else it is the action
  if (told.length) yield element("ul", {}, ...told.map((effect) => element("li", {}, effectWords(match, effect))));
  yield* luck;
  if (index === match.last) yield element("p", {}, ending(match));
  if (!match.knows(viewer, step.seat)) return;
  const judged = match.judgement(index, viewer);
  if (judged) yield element("p", {}, ...judgedWords(judged));
  if (step.value !== undefined) yield element("p", {}, `Expects ${percent(step.value)} of the win.`);
  if (step.note) yield element("p", { className: "note" }, step.note);
}

function luckWords(match, luck) {
  return `Luck: ${luck.map((share, side) => `${match.side(side)} ${signed(share)}`).join(", ")}.`;
}

function judgedWords({ value, best, best_value: bestValue, loss, mark }) {
  const worth = `Worth ${percent(value)} of the win`;
  if (!loss) return [`${worth}: nothing better was found.`];
  return [`${worth}; better: `, element("code", {}, best.join(" ")), `, ${percent(bestValue)}`, mark ? `: ${mark}.` : "."];
}

function effectWords(match, { label, cells = [], points = {} }) {
  const gains = Object.entries(points).map(([side, gain]) => `${match.side(Number(side))} +${gain}`);
  const where = cells.length ? ` (${cells.join(" ")})` : "";
  return `${label}${where}${gains.length ? `: ${gains.join(", ")}` : ""}`;
}

function ending(match) {
  const winners = names(match.places.filter((place) => place.rank === 1));
  const why = { finished: "", limit: " at the limit of turns", fault: " after a fault" }[match.reason] ?? "";
  return `The match is over${why}. First: ${winners}.`;
}

/** Every turn as links to its steps. */
function turnList(match, viewer) {
  const links = new Map();
  const row = ([turn, indices]) => {
    const { seat } = match.steps[indices[0]];
    const time = indices.reduce((sum, index) => sum + (match.steps[index].ms ?? 0), 0);
    const actions = indices.map((index) => {
      links.set(index, element("a", { href: match.hash(index) }, match.action(index, viewer)));
      return links.get(index);
    });
    return element(
      "li",
      {},
      element("span", { className: "number" }, String(turn)),
      chip(seat),
      element("span", { className: "doings" }, ...actions),
      element("small", {}, ...lossMark(match.judgement(indices.at(-1), viewer)), time ? milliseconds(time) : ""),
    );
  };
  const node = element("ol", { className: "turns", ariaLabel: "Turns" }, ...[...match.turns].filter(([turn]) => turn).map(row));
  const show = (index) => {
    node.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = links.get(index);
    link?.setAttribute("aria-current", "step");
    node.scrollTop = link ? link.closest("li").offsetTop - node.clientHeight / 2 : 0;
  };
  return { node, show };
}

/** A bar as long as what a turn lost, and what that is called. */
function lossMark(judged) {
  if (!judged?.loss) return [];
  const words = `${judged.mark ?? "loss"}: ${percent(judged.loss)} of the win`;
  const bar = element("span", { className: "bar" });
  bar.style.width = `${Math.min(3, 12 * judged.loss).toFixed(2)}rem`;
  return [element("span", { className: `loss ${judged.mark ?? ""}`, title: words, role: "img", ariaLabel: words }, bar, MARKS[judged.mark] ?? ""), " "];
}

/** What each seat expected of the win. */
function valueChart(match, viewer, pick) {
  const [width, height, left, margin] = [600, 150, 70, 14];
  const x = (index) => left + (index / (match.last || 1)) * (width - left - margin);
  const y = (value) => margin + (1 - value) * (height - 2 * margin);
  const curves = match.places.map((_, seat) => match.steps.flatMap((step, index) => (
    step.seat === seat && step.value !== undefined && match.knows(viewer, seat) ? [{ index, value: step.value }] : [])));
  const marker = shape("line", { class: "marker", y1: margin, y2: height - margin });
  const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": chartWords(match, curves) });
  for (const share of [0, 0.5, 1]) {
    drawing.append(shape("line", { class: "grid", x1: left, x2: width - margin, y1: y(share), y2: y(share) }));
    drawing.append(shape("text", { x: left - 6, y: y(share) + 5 }, percent(share)));
  }
  drawing.append(marker);
  curves.forEach((curve, seat) => {
    const points = curve.map(({ index, value }) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    drawing.append(shape("polyline", { class: `curve seat-${seat}`, points }));
  });
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * width - left) / (width - left - margin);
    pick(Math.round(share * match.last));
  });
  const node = element("figure", { className: "values", hidden: !curves.some((curve) => curve.length) }, drawing, key(match, curves));
  const show = (index) => ["x1", "x2"].forEach((end) => marker.setAttribute(end, x(index)));
  return { node, show };
}

function chartWords(match, curves) {
  const ends = curves.flatMap((curve, seat) => (curve.length ? [`${match.seat(seat)} at last ${percent(curve.at(-1).value)}`] : []));
  return `Expected share of the win: ${ends.join(", ")}`;
}

function key(match, curves) {
  const keys = curves.flatMap((curve, seat) => (curve.length ? [element(
    "span",
    { className: "key" },
    shape("svg", { viewBox: "0 0 32 8", "aria-hidden": "true" }, shape("path", { class: `curve seat-${seat}`, d: "M0 4H32" })),
    element("bdi", {}, match.places[seat].name),
  )] : []));
  return element("figcaption", {}, ...keys, "expected share of the win");
}

/** Who knows what: a list to choose from. */
function audienceChoice(match) {
  const name = ({ everything, seat }) => {
    if (everything) return "everything";
    return seat === undefined ? "what everyone sees" : `what ${match.seat(seat)} knows`;
  };
  const options = match.audience.map((who, value) => element("option", { value }, name(who)));
  return element("select", {}, ...options);
}

class Replay {
  constructor(root, match) {
    this.match = match;
    this.index = match.find(location.hash) ?? 0;
    this.viewer = 0;
    this.timer = null;
    this.board = element("figure", { className: "board" });
    this.audience = audienceChoice(match);
    this.speed = element("select", {}, ...Object.keys(SPEEDS).map((name) => element("option", { selected: name === "normal" }, name)));
    this.slider = element("input", { type: "range", className: "slider", min: 0, max: match.last, ariaLabel: "Step of the match" });
    this.where = element("span", { className: "where" });
    this.side = element("div", { className: "side" });
    root.append(this.board, this.steering(), this.side);
    this.lookAs(0);
    this.listen();
  }

  steering() {
    const button = (name, label, act) => element("button", { type: "button", title: label, ariaLabel: label, className: name, onclick: act }, icon(name));
    this.playButton = button("play", "Play", () => (this.timer ? this.pause() : this.play()));
    this.buttons = {
      first: button("first", "First step", () => this.go(0)),
      back: button("back", "Step back", () => this.go(this.index - 1)),
      next: button("next", "Next step", () => this.go(this.index + 1)),
      last: button("last", "Last step", () => this.go(this.match.last)),
    };
    const { first, back, next, last } = this.buttons;
    const choices = [element("label", {}, "Speed", this.speed)];
    if (this.match.audience.length > 1) choices.unshift(element("label", {}, "Show", this.audience));
    return element(
      "div",
      { className: "steer" },
      this.slider,
      element("div", { className: "buttons", role: "group", ariaLabel: "Steps" }, first, back, this.playButton, next, last, this.where),
      element("div", { className: "choices" }, ...choices),
    );
  }

  listen() {
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.audience.addEventListener("change", () => this.lookAs(Number(this.audience.value)));
    addEventListener("hashchange", () => this.go(this.match.find(location.hash) ?? this.index));
    document.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const moves = { ArrowLeft: this.index - 1, ArrowRight: this.index + 1, Home: 0, End: this.match.last };
    if (event.key in moves) this.go(moves[event.key]);
    else if (event.key === " " && !event.target.closest("button, a, summary")) this.playButton.click();
    else return;
    event.preventDefault();
  }

  /** Show a step; whoever steps by hand stops the play. */
  go(index) {
    this.pause();
    this.show(index);
  }

  show(index) {
    this.index = Math.max(0, Math.min(this.match.last, index));
    clearTimeout(this.linking); // browsers allow only so many changes of the address
    this.linking = setTimeout(() => history.replaceState(null, "", this.match.hash(this.index)), 200);
    this.render();
  }

  /** Show what one of the audience knows. */
  lookAs(viewer) {
    this.viewer = viewer;
    this.parts = [
      caption(this.match),
      standing(this.match, viewer),
      valueChart(this.match, viewer, (index) => this.go(index)),
      turnList(this.match, viewer),
    ];
    this.side.replaceChildren(...this.parts.map((part) => part.node), ...faults(this.match));
    this.render();
  }

  render() {
    const { match, index, viewer } = this;
    const { turn } = match.steps[index];
    const board = match.board(index, viewer);
    markPlayed(board, match.action(index, viewer));
    this.board.replaceChildren(board);
    this.slider.value = index;
    this.slider.setAttribute("aria-valuetext", turn ? `turn ${turn}` : "the start");
    this.where.textContent = `${index} / ${match.last}`;
    this.buttons.first.disabled = this.buttons.back.disabled = index === 0;
    this.buttons.next.disabled = this.buttons.last.disabled = index === match.last;
    for (const part of this.parts) part.show(index, viewer);
  }

  play() {
    this.showPlaying("pause", "Pause");
    if (this.index === this.match.last) this.show(0);
    const step = () => {
      this.timer = setTimeout(step, SPEEDS[this.speed.value]);
      this.show(this.index + 1);
      if (this.index === this.match.last) this.pause();
    };
    this.timer = setTimeout(step, SPEEDS[this.speed.value]);
  }

  pause() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.showPlaying("play", "Play");
  }

  showPlaying(name, label) {
    this.playButton.replaceChildren(icon(name));
    this.playButton.ariaLabel = this.playButton.title = label;
    this.side.querySelector("[role=status]").ariaLive = name === "pause" ? "off" : "polite";
  }
}

/** Light the cell of an action, in front of its neighbours. */
function markPlayed(board, action) {
  const [, name] = /@([A-Z][0-9]+)$/.exec(action) ?? [];
  const cell = name && board.querySelector(`[data-at="${name}"]`);
  if (!cell) return;
  cell.classList.add("played");
  [...cell.parentElement.querySelectorAll(":scope > [data-at]")].at(-1).after(cell);
}

function faults(match) {
  return match.faults.map(({ seat, turn, words }) => element(
    "p",
    { className: "notice" },
    `Fault of ${match.seat(seat)} ${turn ? `in turn ${turn}` : "before the game"}: `,
    element("code", {}, words),
  ));
}

for (const root of document.querySelectorAll(".replay")) {
  new Replay(root, new Match(JSON.parse(root.querySelector("script").textContent)));
}
