// What is in the data of a finished match (arena/web/replay_data.py), and what follows from it.

export const names = (places) => [...new Set(places.map((place) => place.name))].join(" and ");

export class Match {
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
