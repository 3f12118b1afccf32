const root = document.documentElement;
const main = document.querySelector("main");
const all = (css, from = document) => [...from.querySelectorAll(css)];
const say = (text) => { document.querySelector(".where").textContent = text; };

// Every move with the rows of both its ends, in the order of the page.
const moves = new Map();
for (const entry of all("li[data-m]")) {
  const label = entry.querySelector("b").textContent;
  moves.set(entry.dataset.m, { id: entry.dataset.m, entry, label, colour: entry.classList[0], ends: [[], []] });
}
["o", "n"].forEach((key, side) => {
  for (const element of all(`main [data-${key}]`)) {
    for (const id of element.dataset[key].split(" ")) moves.get(id)?.ends[side].push(element);
  }
});

// A row, or what stands for it while it is folded or hidden.
const withoutMoves = () => root.classList.contains("no-moves");
const shown = (element) => {
  let row = element;
  while (withoutMoves() && row.matches(".l, .w")) row = row.nextElementSibling;
  return row.closest("details:not([open])")?.firstElementChild ?? row;
};

// Where it is. In a group that is not laid out, lines are taken to be equally high.
const ranks = new Map();
document.addEventListener("toggle", () => ranks.clear(), true);
const boxOf = (element) => {
  const it = shown(element);
  const group = it.closest(".c");
  if (!group || it.checkVisibility?.({ contentVisibilityAuto: true }) !== false) return it.getBoundingClientRect();
  if (!ranks.has(group)) {
    const lines = all("tr, summary, .u", group).filter((line) => shown(line) === line);
    ranks.set(group, new Map(lines.map((line, rank) => [line, rank])));
  }
  const box = group.getBoundingClientRect();
  const height = box.height / ranks.get(group).size;
  const top = box.top + (ranks.get(group).get(it) ?? 0) * height;
  return { top, bottom: top + height };
};

// The move that an element belongs to, if any.
const moveOf = (element) => {
  const found = element.closest?.("[data-o], [data-n], [data-m]");
  const data = found?.dataset;
  return data && moves.get((data.m ?? data.n ?? data.o).split(" ")[0]);
};

// The move under the mouse or the focus, else the one that was stepped to.
let chosen = null;
let active = null;
function light(wanted) {
  const move = withoutMoves() ? null : wanted;
  if (move === active) return;
  for (const [one, on] of [[active, false], [move, true]]) {
    if (!one) continue;
    for (const element of [one.entry, ...one.ends[0], ...one.ends[1]]) element.classList.toggle("on", on);
  }
  active = move;
  lightJoin();
}
function choose(move) {
  chosen = move ?? null;
  light(chosen);
}
// Rows that scroll under a mouse at rest are not pointed at: only a mouse that is at
// another place of the screen than before is.
let pointed = null;
let rest = "";
function point(event) {
  const place = `${event.screenX} ${event.screenY}`;
  if (event.type === "pointermove" && place === rest) return;
  rest = place;
  const move = moveOf(event.target);
  light(move ?? chosen);
  if (move && move !== pointed && move !== chosen) say(move.entry.textContent);
  pointed = move;
}
for (const name of ["pointermove", "pointerdown"]) document.addEventListener(name, point);
document.addEventListener("focusin", (event) => {
  const move = moveOf(event.target);
  if (move) choose(move);
});
