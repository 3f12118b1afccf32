
// Places to step through, in reading order: both ends of each move, and runs of
// changed lines, those inside of moved blocks included.
const isChange = (row) => row && ["d", "a", "e", "z", "y", "w"].some((name) => row.classList.contains(name));
// Rows that follow each other, in one table or over the edge of two.
const follows = (one, other) => {
  if (one.nextElementSibling || other.previousElementSibling) return one.nextElementSibling === other;
  const [upper, lower] = [one, other].map((row) => row.closest("table"));
  const next = upper.nextElementSibling ?? upper.parentNode.nextElementSibling?.firstElementChild;
  return next === lower;
};
const stops = [];
let before = null;
for (const row of all("main tr[class]")) {
  if (row.classList.contains("l")) stops.push({ row, last: row, move: moveOf(row) });
  else if (isChange(row)) {
    if (isChange(before) && follows(before, row)) stops[stops.length - 1].last = row;
    else stops.push({ row, last: row });
  }
  before = row;
}
const changes = stops.filter((stop) => !stop.move).length;
let at = null;

const middle = (row) => { const box = boxOf(row); return (box.top + box.bottom) / 2; };
const isSeen = (row) => middle(row) > 0 && middle(row) < innerHeight;

// From where the reader is: the last stop if it is still in sight, else the window.
function step(by, places) {
  if (!places.length) return say("nothing changed");
  const from = at && isSeen(at.row) ? middle(at.row) : innerHeight / 2 - by * innerHeight / 2;
  let next;
  if (at && isSeen(at.row) && places.includes(at)) next = places[places.indexOf(at) + by];
  else if (by > 0) next = places.find((stop) => middle(stop.row) > from);
  else next = places.findLast((stop) => middle(stop.row) < from);
  if (!next) return say(by > 0 ? "no more below" : "no more above");
  visit(next);
}

// Rows that are laid out on the way push others down: where a row is counts once it
// has been drawn.
function bring(row, block) {
  let more = 4;
  const again = () => {
    row.scrollIntoView({ block, behavior: "instant" });
    if (--more > 0) requestAnimationFrame(again);
  };
  again();
}

function visit(stop) {
  at = stop;
  const row = shown(stop.row);
  bring(row, "center");
  // From the label of a block, enter leads to its other end.
  const target = stop.move && row === stop.row ? row.querySelector("a") : row;
  target.tabIndex = target === row ? -1 : 0;
  target.focus({ preventScroll: true });
  const place = `${stops.indexOf(stop) + 1} of ${stops.length}`;
  if (stop.move) {
    choose(stop.move);
    const number = [...moves.keys()].indexOf(stop.move.id) + 1;
    say(`${stop.move.entry.textContent} (move ${number} of ${moves.size}, place ${place})`);
  } else {
    choose(moveOf(stop.row));
    const number = stops.filter((one) => !one.move).indexOf(stop) + 1;
    say(`change ${number} of ${changes} (place ${place})`);
  }
}

// Links within the page, and into it from outside.
function follow(hash) {
  const place = hash.split("&")[0];
  const target = place.length > 1 && document.getElementById(decodeURIComponent(place.slice(1)));
  if (target) bring(shown(target), "start");
}
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (link) requestAnimationFrame(() => follow(link.hash));
});
addEventListener("load", () => follow(location.hash));

// The other end of the move at hand: the one that has the focus, as after a step, if
// it is in sight, else the one under the mouse.
function cross() {
  const focus = document.activeElement;
  const move = (isSeen(focus) && moveOf(focus)) || active;
  if (!move) return say("no move here; n goes to the next one");
  const heads = stops.filter((stop) => stop.move === move);
  const other = heads.find((stop) => stop !== at) ?? heads[0];
  if (other) visit(other);
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select, textarea, [contenteditable]")) return;
  const heads = stops.filter((stop) => stop.move);
  const keys = { n: () => step(1, stops), p: () => step(-1, stops), N: () => step(1, heads), P: () => step(-1, heads), o: cross };
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});
for (const button of all("[data-step]")) button.addEventListener("click", () => step(Number(button.dataset.step), stops));

// The strip at the side: where changes and moves lie in the whole page.
const map = document.querySelector(".map");
const seen = document.createElement("i");
seen.className = "seen";
let mapped = 0;
let remapping = 0;
// What is laid out on the way changes the height of the page a little, and all marks with
// it: soon enough when one has come to rest.
function planMap() {
  clearTimeout(remapping);
  if (!mapped) drawMap();
  else if (mapped !== root.scrollHeight) remapping = setTimeout(drawMap, 200);
}
function drawMap() {
  const whole = mapped = root.scrollHeight;
  const marks = [];
  const taken = new Set();
  const mark = (name, first, last) => {
    const top = boxOf(first).top + scrollY;
    const bottom = boxOf(last).bottom + scrollY;
    // One mark a kind and pixel is all that can be seen.
    const key = name + Math.round(top / whole * innerHeight);
    if (taken.has(key)) return;
    taken.add(key);
    const element = document.createElement("i");
    element.className = name;
    element.style.top = `${100 * top / whole}%`;
    element.style.height = `${100 * (bottom - top) / whole}%`;
    marks.push(element);
  };
  for (const { row, last, move } of stops) {
    if (!move) mark(["e", "z", "w"].some((name) => row.classList.contains(name)) ? "e" : ["d", "o"].some((name) => row.classList.contains(name)) ? "d" : "a", row, last);
  }
  for (const { ends, colour } of moves.values()) {
    ends.forEach((rows, side) => { if (rows.length) mark(withoutMoves() ? "da"[side] : `m ${colour}${side ? "" : " old"}`, rows[0], rows[rows.length - 1]); });
  }
  map.replaceChildren(...marks, seen);
  seen.style.height = `${100 * innerHeight / whole}%`;
  drawSeen();
}
// Where one is in it. The style follows the scrolling by itself where it can: a script that
// does takes most of the time that a frame has.
function drawSeen() {
  seen.style.transform = `translateY(${innerHeight * scrollY / mapped}px)`;
}
if (!CSS.supports("animation-timeline: scroll()")) addEventListener("scroll", drawSeen, { passive: true });
map.addEventListener("click", (event) => {
  scrollTo({ top: event.clientY / innerHeight * root.scrollHeight - innerHeight / 2, behavior: "instant" });
});
