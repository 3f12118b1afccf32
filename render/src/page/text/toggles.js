
// Blanks get marks that can be seen, where rows are laid out; copied text stays as
// it is, since the marks are the style's. On a large page the rest gets them when one
// comes near.
const withBlanks = () => root.classList.contains("blanks");
// Of a group that is not laid out, only the group itself can be asked cheaply.
const isNear = (table) => {
  const box = table.closest(".c")?.getBoundingClientRect();
  return !box || (box.bottom > -innerHeight && box.top < 2 * innerHeight);
};
function markBlanks(from, isWanted) {
  for (const table of all("table:not(.seen-blanks)", from)) {
    if (isWanted(table) && !table.closest("details:not([open])")) markRows(table);
  }
}
function markRows(table) {
  table.classList.add("seen-blanks");
  for (const row of table.rows) {
    for (const cell of [row.cells[1], row.cells[3]]) {
      if (!cell || row.classList.contains("l")) continue;
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const nodes = [];
      while (walker.nextNode()) {
        // What the page says itself stands in an element of its own.
        const node = walker.currentNode;
        if (/[ \t]/.test(node.data) && !node.parentNode.matches("td > i")) nodes.push(node);
      }
      for (const node of nodes) {
        node.replaceWith(...node.data.split(/( +|\t)/).filter(Boolean).map((part) => {
          if (!/^[ \t]/.test(part)) return part;
          const blank = document.createElement("span");
          blank.className = "s";
          blank.dataset.s = part === "\t" ? "→" : "·".repeat(part.length);
          blank.textContent = part;
          return blank;
        }));
      }
    }
  }
}
document.addEventListener("toggle", () => { if (withBlanks()) markBlanks(main, isNear); }, true);
document.addEventListener("contentvisibilityautostatechange", (event) => {
  if (withBlanks() && !event.skipped) markBlanks(event.target, () => true);
}, true);
addEventListener("beforeprint", () => { if (withBlanks()) markBlanks(main, () => true); });

const switches = {
  one: (on) => root.classList.toggle("one", on),
  moves: (on) => {
    light(null);
    // Lines that only moved are changes then.
    for (const fold of all("details.mv")) fold.open = !on;
    root.classList.toggle("no-moves", !on);
  },
  lines: (on) => root.classList.toggle("no-lines", !on),
  wrap: (on) => root.classList.toggle("no-wrap", !on),
  blanks: (on) => {
    root.classList.toggle("blanks", on);
    if (on) markBlanks(main, isNear);
  },
  unfold: (on) => { for (const fold of all(".file details")) fold.open = on; },
};
for (const button of all("[data-toggle]")) {
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    switches[button.dataset.toggle](on);
    if (button.dataset.toggle === "blanks") return; // Marks take no room.
    measureSideways();
    mapped = 0;
    redraw();
  });
}
document.querySelector("[data-theme-toggle]").setAttribute("aria-pressed", String(matchMedia("(prefers-color-scheme: dark)").matches));

// Unwrapped lines scroll sideways in both panes at once.
const sideways = document.querySelector(".sideways");
function measureSideways() {
  const row = all("main tr").find((row) => row.offsetParent);
  if (!row) return;
  const probe = document.createElement("i");
  probe.textContent = "0".repeat(100);
  row.cells[1].append(probe);
  const character = probe.getBoundingClientRect().width / 100;
  probe.remove();
  const columns = Number(getComputedStyle(root).getPropertyValue("--columns"));
  const more = Math.max(0, (columns + 2) * character - row.cells[1].clientWidth);
  sideways.firstElementChild.style.width = `${sideways.clientWidth + more}px`;
}
sideways.addEventListener("scroll", () => root.style.setProperty("--x", `${sideways.scrollLeft}px`));
main.addEventListener("wheel", (event) => {
  const by = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
  if (!root.classList.contains("no-wrap") || Math.abs(by) < Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
  if (by) event.preventDefault();
  sideways.scrollLeft += by;
}, { passive: false });

// What is selected is selected in one pane.
main.addEventListener("pointerdown", (event) => {
  const cell = event.target.closest("td");
  if (cell) main.dataset.pick = cell.cellIndex < 2 ? "old" : "new";
});
addEventListener("resize", measureSideways);

// One pane where two would be too narrow.
const narrow = matchMedia("(max-width: 699px)");
function fitPanes() {
  root.classList.toggle("one", narrow.matches);
  document.querySelector("[data-toggle=one]").setAttribute("aria-pressed", String(narrow.matches));
}
narrow.addEventListener("change", fitPanes);
fitPanes();

// Files by name and kind.
const filter = document.querySelector("[data-filter]");
const kind = document.querySelector("[data-kind]");
function sift() {
  const wanted = filter.value.trim().toLowerCase();
  for (const file of all(".file")) {
    const name = file.firstElementChild.firstChild.textContent.toLowerCase();
    const fits = name.includes(wanted) && (!kind.value || file.querySelector(kind.value));
    file.classList.toggle("out", !fits);
  }
  mapped = 0;
  redraw();
}
filter.addEventListener("input", sift);
kind.addEventListener("change", sift);

// Files that were viewed are kept in the address, behind where it leads.
const ticks = all("[data-viewed]");
const [, said = ""] = location.hash.split("&viewed=");
for (const tick of ticks) {
  tick.checked = said.split(",").includes(tick.dataset.viewed);
  tick.closest(".file").classList.toggle("viewed", tick.checked);
  tick.addEventListener("change", () => {
    tick.closest(".file").classList.toggle("viewed", tick.checked);
    keepTicks();
    mapped = 0;
    redraw();
  });
}
function keepTicks() {
  const place = location.hash.split("&viewed=")[0] || "#";
  const seen = ticks.filter((tick) => tick.checked).map((tick) => tick.dataset.viewed).join(",");
  const hash = seen ? `${place}&viewed=${seen}` : place;
  if (hash !== (location.hash || "#")) history.replaceState(null, "", hash);
}
addEventListener("hashchange", keepTicks);
