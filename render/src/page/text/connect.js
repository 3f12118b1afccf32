
// Connectors: in the page's own coordinates, so that they scroll with the rows.
const SVG = "http://www.w3.org/2000/svg";
const FEW = 4, TRACK = 10, EDGE = 14;
// The gap between the panes: without connectors, with a few, and the most tracks that
// it has room for; beyond them tracks are shared. Small windows need it for the text.
const NOTHING = 16;
const roomFor = (wide) => wide < 800 ? { narrow: 36, tracks: 3 } : { narrow: 56, tracks: 8 };
const joins = document.createElementNS(SVG, "svg");
joins.setAttribute("class", "joins no-print");
joins.setAttribute("aria-hidden", "true");
main.append(joins);

// Where the rows of an end are: their extent, and the height of the first.
function extent(rows, base) {
  const first = boxOf(rows[0]);
  const last = boxOf(rows[rows.length - 1]);
  return { top: first.top - base, bottom: last.bottom - base, at: (first.top + first.bottom) / 2 - base };
}

// Lanes for those that pass each other: the first that is free from the top on.
function lanes(links) {
  let cluster = [], ends = [], reach = -Infinity, most = 0;
  const close = () => {
    for (const link of cluster) link.curved = ends.length <= FEW;
    if (ends.length > FEW) most = Math.max(most, ends.length);
    cluster = [];
    ends = [];
  };
  for (const link of links) {
    if (link.top > reach) close();
    let lane = ends.findIndex((end) => end < link.top);
    if (lane < 0) lane = ends.length;
    ends[lane] = link.bottom;
    link.lane = lane;
    cluster.push(link);
    reach = Math.max(reach, link.bottom);
  }
  close();
  return most;
}

let gap = 0;
function widen(wanted) {
  if (wanted === gap) return false;
  gap = wanted;
  root.style.setProperty("--gap", `${gap}px`);
  return true;
}
function draw() {
  joins.replaceChildren();
  if (root.classList.contains("no-lines") || withoutMoves()) {
    widen(NOTHING);
    return;
  }
  const wide = main.clientWidth;
  const room = roomFor(wide);
  let links = measure();
  const most = Math.min(room.tracks, lanes(links));
  if (widen(Math.max(room.narrow, 2 * EDGE + TRACK * most))) {
    links = measure();
    lanes(links);
  }
  const left = (wide - gap) / 2;
  const tracks = Math.max(1, Math.floor((gap - 2 * EDGE) / TRACK));
  for (const link of links) joins.append(join(link, left, tracks));
  lightJoin();
}

function measure() {
  const base = main.getBoundingClientRect().top;
  const links = [];
  for (const move of moves.values()) {
    if (!move.ends[0].length || !move.ends[1].length) continue;
    const [from, to] = move.ends.map((rows) => extent(rows, base));
    links.push({ move, from, to, top: Math.min(from.at, to.at), bottom: Math.max(from.at, to.at) });
  }
  return links.sort((a, b) => a.top - b.top || a.bottom - b.bottom);
}

function join({ move, from, to, curved, lane }, left, tracks) {
  const [x0, x1] = [left + 3, left + gap - 3];
  const [y0, y1, tip] = [from.at, to.at, x1 - 8];
  let line, label;
  if (curved) {
    const pull = gap * 0.7;
    line = `M${x0} ${y0}C${x0 + pull} ${y0} ${tip - pull} ${y1} ${tip} ${y1}`;
    label = [(x0 + tip) / 2, (y0 + y1) / 2];
  } else {
    const x = left + EDGE + (lane % tracks) * TRACK;
    const bend = Math.min(4, Math.abs(y1 - y0) / 2) * Math.sign(y1 - y0);
    line = `M${x0} ${y0}H${x - 4}Q${x} ${y0} ${x} ${y0 + bend}V${y1 - bend}Q${x} ${y1} ${x + 4} ${y1}H${tip}`;
    label = [x, (y0 + y1) / 2];
  }
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", move.colour);
  group.dataset.m = move.id;
  const add = (name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text) element.textContent = text;
    group.append(element);
  };
  const edge = ({ top, bottom }, x, in_) => `M${x + in_} ${top + 2}H${x}V${bottom - 2}H${x + in_}`;
  add("path", { class: "edge", d: edge(from, x0, -3) + edge(to, x1, 3) });
  add("path", { class: "hit", d: line });
  add("path", { class: "line", d: line });
  add("path", { class: "head", d: `M${x1} ${y1}l-9 -4.5v9z` });
  add("text", { x: label[0], y: label[1] + 4 }, move.label);
  move.group = group;
  return group;
}

function lightJoin() {
  joins.classList.toggle("some", Boolean(active?.group));
  for (const group of joins.children) group.classList.toggle("on", group === active?.group);
  // What is drawn last lies on top.
  if (active?.group?.parentNode === joins && joins.lastChild !== active.group) joins.append(active.group);
}

// Whatever changes heights (folds, wrapping, the window, fonts) is seen here.
let planned = 0;
function redraw() {
  cancelAnimationFrame(planned);
  planned = requestAnimationFrame(() => {
    const bar = document.querySelector(".bar");
    root.style.setProperty("--top", `${bar.offsetHeight}px`);
    draw();
    planMap();
  });
}
document.addEventListener("contentvisibilityautostatechange", redraw, true);
new ResizeObserver(redraw).observe(main);
document.addEventListener("toggle", redraw, true);
document.fonts?.ready.then(redraw);
