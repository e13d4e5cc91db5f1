// A table: news come as server-sent events, a click on a cell offers what can be done there.

const table = document.getElementById("table");
const announced = document.getElementById("status");
const refusal = document.getElementById("refusal");
const { room } = table.dataset;
const DENSE = 120; // cells of a board that is too fine for a finger where it has to fit a phone
let menu = null;

const send = async (what, words) => {
  refusal.textContent = "";
  const answer = await fetch(`${room}/${what}`, {
    method: "POST",
    headers: { Accept: "text/plain", "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(words),
  }).catch(() => null);
  if (!answer) refusal.textContent = "The server cannot be reached.";
  else if (!answer.ok) refusal.textContent = await answer.text();
};

const board = () => table.querySelector(".board:not(.waiting)");
const legal = () => JSON.parse(board()?.dataset.legal ?? "{}");
const act = (action) => send("act", { at: board().dataset.at, action });

const closeMenu = (refocus = true) => {
  const cell = menu?.cell;
  menu?.element.remove();
  menu = null;
  if (refocus) cell?.focus();
};

const openMenu = (cell, actions) => {
  closeMenu(false);
  const element = document.createElement("div");
  element.className = "menu";
  element.role = "menu";
  element.ariaLabel = `Actions on ${cell.dataset.at}`;
  for (const [action, words] of actions) {
    const button = document.createElement("button");
    button.role = "menuitem";
    button.textContent = words;
    button.addEventListener("click", () => { closeMenu(); act(action); });
    element.append(button);
  }
  element.addEventListener("keydown", (event) => {
    const buttons = [...element.children];
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") closeMenu();
    if (!step) return;
    event.preventDefault();
    const at = buttons.indexOf(document.activeElement);
    buttons.at((at + step) % buttons.length).focus();
  });
  board().append(element);
  const frame = board().getBoundingClientRect();
  const place = cell.getBoundingClientRect();
  const left = place.left + place.width / 2 - frame.left - element.offsetWidth / 2;
  const room = frame.width - element.offsetWidth;
  const { scrollLeft } = board();
  const above = place.top - frame.top > frame.height / 2;
  element.style.left = `${scrollLeft + Math.max(0, Math.min(left, room))}px`;
  element.style.top = above
    ? `${place.top - frame.top - element.offsetHeight - 6}px`
    : `${place.bottom - frame.top + 6}px`;
  menu = { element, cell };
  element.firstChild.focus();
};

const choose = (cell) => {
  const actions = legal()[cell.dataset.at] ?? [];
  if (actions.length === 1) act(actions[0][0]);
  else if (actions.length) openMenu(cell, actions);
};

// Cells that can be played are buttons; arrow keys move between them by where they lie.
const dress = () => {
  for (const field of table.querySelectorAll("[data-address]")) field.value = location.href;
  if (!board()) return;
  const { lately = "", hint = "" } = board().dataset;
  const marks = { lately: lately.split(" "), hint: hint.split(" ") };
  const open = legal();
  const cells = board().querySelectorAll("[data-at]");
  if (cells.length > DENSE) {
    board().classList.add("dense");
    board().tabIndex = 0; // it scrolls, with keys too
  }
  for (const cell of cells) {
    const actions = open[cell.dataset.at];
    for (const [mark, cells] of Object.entries(marks)) cell.classList.toggle(mark, cells.includes(cell.dataset.at));
    cell.classList.toggle("can", Boolean(actions));
    if (!actions) continue;
    cell.setAttribute("role", "button");
    cell.setAttribute("tabindex", "0");
    cell.setAttribute("aria-label", `${cell.querySelector("title")?.textContent ?? cell.dataset.at}: ${actions.map(([, words]) => words).join(", ")}`);
  }
};

const middle = (cell) => {
  const box = cell.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

const neighbour = (cell, [dx, dy]) => {
  const [x, y] = middle(cell);
  let best = null;
  for (const other of board().querySelectorAll(".can")) {
    const [ox, oy] = middle(other);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    const far = along + 3 * aside;
    if (along > 4 && (!best || far < best.far)) best = { far, other };
  }
  return best?.other;
};

const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

table.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-address]")) event.target.select();
});

table.addEventListener("click", (event) => {
  if (menu && !menu.element.contains(event.target)) closeMenu(false);
  const cell = event.target.closest(".can");
  if (cell) choose(cell);
});

table.addEventListener("keydown", (event) => {
  const cell = event.target.closest(".can");
  if (!cell) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(cell);
  } else if (STEPS[event.key]) {
    event.preventDefault();
    neighbour(cell, STEPS[event.key])?.focus();
  }
});

table.addEventListener("submit", (event) => {
  // Not its property `action`: that is the button of the name, where there is one.
  const what = event.target.getAttribute("action").split("/").at(-1);
  if (what === "leave" && !confirm("Give up this game?")) return event.preventDefault();
  if (!["act", "undo", "hint", "leave"].includes(what)) return;
  event.preventDefault();
  send(what, new FormData(event.target, event.submitter));
});

const focusMark = () => {
  const { activeElement } = document;
  if (!table.contains(activeElement)) return null;
  if (activeElement.id) return `#${activeElement.id}`;
  return activeElement.dataset.at && `[data-at="${CSS.escape(activeElement.dataset.at)}"]`;
};

const announce = () => {
  const { status } = table.firstElementChild.dataset;
  if (announced.textContent !== status) announced.textContent = status;
  document.title = `${status} · Savanna Arena`;
};

const parsed = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.innerHTML.trim();
};

let shown = table.innerHTML.trim();
const show = (html) => {
  if (parsed(html) === shown) return; // an open menu stays
  shown = parsed(html);
  const mark = focusMark();
  const opened = [...table.querySelectorAll("details")].filter((details) => details.open).map((details) => details.parentElement.className);
  const typed = table.querySelector(".sit input[name=name]")?.value;
  const bot = table.querySelector("#hint-bot")?.value;
  const scrolled = board()?.scrollLeft;
  menu = null;
  table.innerHTML = html;
  dress();
  if (board() && scrolled) board().scrollLeft = scrolled;
  for (const details of table.querySelectorAll("details")) details.open = opened.includes(details.parentElement.className);
  const name = table.querySelector(".sit input[name=name]");
  if (name && typed) name.value = typed;
  const advisor = table.querySelector("#hint-bot");
  if (advisor && bot) advisor.value = bot;
  if (mark) (table.querySelector(`.board ${mark}.can`) ?? table.querySelector(mark) ?? table.querySelector(".can"))?.focus();
  announce();
  clockStarted = performance.now();
  tick();
};

let clockStarted = performance.now();
const tick = () => {
  const clock = table.querySelector("[data-left]");
  if (!clock) return;
  const left = Math.max(0, clock.dataset.left - (performance.now() - clockStarted)) / 1000;
  clock.textContent = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
};
setInterval(tick, 250);

dress();
announce();
tick();
const news = new EventSource(`${room}/events`);
news.addEventListener("message", ({ data }) => show(data));
news.addEventListener("error", () => {
  if (news.readyState === EventSource.CLOSED) refusal.textContent = "This table is not there any more.";
});
