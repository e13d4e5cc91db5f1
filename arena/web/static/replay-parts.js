// The parts of a replay beside the board. Each is an element, and shows a step as one of the audience
// sees it. Whatever strangers wrote becomes text only.

import { names } from "./replay-match.js";

/** An element with properties and children; a string among them becomes text. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** An element of a drawing, with attributes. */
export function shape(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const percent = (share) => `${Math.round(100 * share)} %`;
const signed = (share) => `${share <= -0.0005 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)} %`;
const accuracyWords = (accuracy) => (accuracy === null ? "" : `${Math.round(accuracy)} %`);
const ordinal = (rank) => rank + (["th", "st", "nd", "rd"][rank] ?? "th");
const milliseconds = (time) => (time < 1000 ? `${Number(time.toPrecision(2))} ms` : `${(time / 1000).toFixed(1)} s`);
const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const chip = (seat) => element("span", { className: `chip seat-${seat}`, ariaHidden: "true" }, String(seat));

/** Who sat where: points and luck as the match goes on, places and accuracy at its end. */
export function standing(match, viewer) {
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
export function caption(match) {
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
export function turnList(match, viewer) {
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
export function valueChart(match, viewer, pick) {
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
export function audienceChoice(match) {
  const name = ({ everything, seat }) => {
    if (everything) return "everything";
    return seat === undefined ? "what everyone sees" : `what ${match.seat(seat)} knows`;
  };
  const options = match.audience.map((who, value) => element("option", { value }, name(who)));
  return element("select", {}, ...options);
}

/** What went wrong. */
export function faults(match) {
  return match.faults.map(({ seat, turn, words }) => element(
    "p",
    { className: "notice" },
    `Fault of ${match.seat(seat)} ${turn ? `in turn ${turn}` : "before the game"}: `,
    element("code", {}, words),
  ));
}
