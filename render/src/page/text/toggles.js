
// Blanks get marks that can be seen, where rows are laid out; copied text stays as
// it is, since the marks are the style's.
function markBlanks() {
  for (const row of all("main tr:not(.seen-blanks)")) {
    if (row.closest("details:not([open])")) continue;
    row.classList.add("seen-blanks");
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
document.addEventListener("toggle", () => { if (root.classList.contains("blanks")) markBlanks(); }, true);

const switches = {
  moves: (on) => {
    light(null);
    root.classList.toggle("no-moves", !on);
  },
  lines: (on) => root.classList.toggle("no-lines", !on),
  wrap: (on) => root.classList.toggle("no-wrap", !on),
  blanks: (on) => {
    root.classList.toggle("blanks", on);
    if (on) markBlanks();
  },
  unfold: (on) => { for (const fold of all(".file details")) fold.open = on; },
};
for (const button of all("[data-toggle]")) {
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    switches[button.dataset.toggle](on);
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
