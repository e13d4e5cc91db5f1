// A finished match, step by step: the board, what was done, and what it brought about.

import { Match } from "./replay-match.js";
import { audienceChoice, caption, element, faults, shape, standing, turnList, valueChart } from "./replay-parts.js";

const SPEEDS = { slow: 2000, normal: 1000, fast: 350 }; // milliseconds for a step
const ICONS = {
  first: "M5 5h2.5v14H5zM19 5v14L9 12z",
  back: "M17 5v14L7 12z",
  play: "M7 4v16l13-8z",
  pause: "M6 5h4.5v14H6zM13.5 5H18v14h-4.5z",
  next: "M7 5v14l10-7z",
  last: "M16.5 5H19v14h-2.5zM5 5v14l10-7z",
};

const icon = (name) => shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shape("path", { d: ICONS[name] }));

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

for (const root of document.querySelectorAll(".replay")) {
  new Replay(root, new Match(JSON.parse(root.querySelector("script").textContent)));
}
