// Tables that sort, and parts of pages that follow what happens on the server.
"use strict";

{
  const valueOf = (row, column, kind) => {
    const { value } = row.cells[column].dataset;
    if (kind === "text") return value;
    return Number(value.replace("inf", "Infinity"));
  };

  const sort = (button) => {
    const head = button.closest("th");
    const column = head.cellIndex;
    const body = head.closest("table").tBodies[0];
    const descending = head.ariaSort === "ascending" || (!head.ariaSort && button.dataset.sort === "num");
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.ariaSort = descending ? "descending" : "ascending";
    const rows = [...body.rows].sort((one, other) => {
      const a = valueOf(one, column, button.dataset.sort);
      const b = valueOf(other, column, button.dataset.sort);
      return (a > b) - (a < b);
    });
    body.append(...(descending ? rows.reverse() : rows));
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-sort]");
    if (button) sort(button);
  });

  // A list of choices takes effect as soon as one is made.
  for (const form of document.querySelectorAll("form.filters")) {
    form.addEventListener("change", (event) => {
      if (event.target.matches("select, [type=checkbox]")) form.requestSubmit();
    });
  }

  const paced = (part, since) => {
    const pace = part.querySelector("[data-pace]");
    const { count: shown, planned } = part.querySelector("[data-count]")?.dataset ?? {};
    const count = Number(shown);
    const now = performance.now();
    since.first ??= { count, now };
    const played = count - since.first.count;
    if (!pace || played <= 0 || shown === planned) return;
    const perMinute = (played / (now - since.first.now)) * 60000;
    pace.textContent = `— being played now, ${Math.round(perMinute).toLocaleString("en")} a minute`;
    const left = (planned - count) / perMinute;
    if (left > 0) pace.textContent += left < 1 ? ", less than a minute left" : `, ${Math.round(left)} min left`;
  };

  for (const part of document.querySelectorAll("[data-live]")) {
    const since = {};
    paced(part, since);
    new EventSource(part.dataset.live).addEventListener("message", ({ data }) => {
      if (part.contains(document.activeElement)) return; // whoever is reading a table is not disturbed
      part.innerHTML = data;
      paced(part, since);
    });
  }
}
