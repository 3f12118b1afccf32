{
  const all = (css, from = document) => [...from.querySelectorAll(css)];
  const tabs = all(".tabs a");
  const panels = tabs.map((tab) => document.querySelector(tab.getAttribute("href")));
  const said = document.getElementById("said");
  let open = 0;

  const select = (index) => {
    open = index;
    tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
      panels[i].hidden = i !== index;
    });
    // Of many tabs only some are in sight; the page itself does not scroll for it.
    const [strip, tab] = [tabs[index].parentElement, tabs[index]];
    const [room, box] = [strip.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (box.left < room.left) strip.scrollLeft -= room.left - box.left;
    else if (box.right > room.right) strip.scrollLeft += Math.min(box.right - room.right, box.left - room.left);
    unlight();
  };

  if (tabs.length > 0) {
    document.querySelector(".tabs").setAttribute("role", "tablist");
    tabs.forEach((tab, i) => {
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", panels[i].id);
      panels[i].setAttribute("role", "tabpanel");
      panels[i].setAttribute("aria-labelledby", tab.id);
      tab.addEventListener("click", (event) => {
        event.preventDefault();
        select(i);
        history.replaceState(null, "", tab.getAttribute("href"));
      });
      tab.addEventListener("keydown", (event) => {
        const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        const next = (to + tabs.length) % tabs.length;
        select(next);
        tabs[next].focus();
      });
    });
  }

  // A link may lead into a sheet that is not open.
  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return false;
    const index = panels.findIndex((panel) => panel.contains(target));
    if (index < 0) return false;
    select(index);
    target.scrollIntoView({ block: "center", inline: "nearest" });
    const row = target.closest("[data-m]");
    if (row) light(row.dataset.m);
    return true;
  };

  // Both ends of a move, and the line between them.
  let lit = null;
  const unlight = () => {
    if (lit === null) return;
    lit = null;
    all(".lit").forEach((element) => element.classList.remove("lit"));
    all(".join").forEach((line) => line.remove());
  };
  const light = (number) => {
    if (lit === number) return;
    unlight();
    const ends = all(`[data-m="${number}"]`, panels[open]);
    if (ends.length === 0) return;
    lit = number;
    ends.forEach((element) => element.classList.add("lit"));
    join(number);
  };
  const make = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const join = (number) => {
    const [to, from] = [`m${number}`, `m${number}-from`].map((id) => document.getElementById(id));
    const scroll = to && to.closest(".scroll");
    if (!from || !scroll) return;
    const frame = scroll.getBoundingClientRect();
    const table = scroll.querySelector("table");
    const place = (element) => {
      const box = element.closest("td, th").getBoundingClientRect();
      return {
        left: box.left - frame.left + scroll.scrollLeft - scroll.clientLeft,
        top: box.top - frame.top + scroll.scrollTop - scroll.clientTop,
        width: box.width, height: box.height,
      };
    };
    const [a, b] = [place(from), place(to)];
    const rows = to.closest("tr").dataset.m === number && to.closest("th");
    const columns = to.closest("thead");
    let path, tip;
    const corner = table.querySelector(".corner").getBoundingClientRect();
    if (columns) {
      const [x1, x2, y] = [a.left + a.width / 2, b.left + b.width / 2, a.top + a.height];
      const deep = y + 34;
      path = `M${x1} ${y}C${x1} ${deep} ${x2} ${deep} ${x2} ${y + 8}`;
      tip = `${x2 - 5},${y + 9} ${x2 + 5},${y + 9} ${x2},${y}`;
    } else if (!rows) {
      // From edge to edge, so that it crosses neither of its labels.
      const beside = b.left >= a.left + a.width ? 1 : b.left + b.width <= a.left ? -1 : 0;
      if (beside !== 0) {
        const [x1, x2] = beside > 0 ? [a.left + a.width, b.left] : [a.left, b.left + b.width];
        const [y1, y2, end] = [a.top + a.height / 2, b.top + b.height / 2, x2 - 8 * beside];
        const out = (x1 + x2) / 2;
        path = `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${end} ${y2}`;
        tip = `${end},${y2 - 5} ${end},${y2 + 5} ${x2},${y2}`;
      } else {
        const down = b.top > a.top ? 1 : -1;
        const [y1, y2] = down > 0 ? [a.top + a.height, b.top] : [a.top, b.top + b.height];
        const [x1, x2, end] = [a.left + a.width / 2, b.left + b.width / 2, y2 - 8 * down];
        const out = (y1 + y2) / 2;
        path = `M${x1} ${y1}C${x1} ${out} ${x2} ${out} ${x2} ${end}`;
        tip = `${x2 - 5},${end} ${x2 + 5},${end} ${x2},${y2}`;
      }
    } else {
      const x = b.left + b.width;
      const [x1, y1] = [x, a.top + a.height / 2];
      const [x2, y2] = [x, b.top + b.height / 2];
      // In the margin, beside the numbers, it hides no cell.
      const out = x - Math.min(90, 24 + Math.abs(y2 - y1) / 6);
      const end = x2 - 8;
      path = `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${end} ${y2}`;
      tip = `${end - 1},${y2 - 5} ${end - 1},${y2 + 5} ${x2},${y2}`;
    }
    const svg = make("svg", { class: "join", width: table.offsetWidth, height: table.offsetHeight, "aria-hidden": "true", "data-join": number });
    // What is scrolled away lies behind the row numbers and the letters.
    if (!rows) {
      const [top, left] = [columns ? 0 : scroll.scrollTop + corner.height, scroll.scrollLeft + corner.width];
      svg.style.clipPath = `inset(${top}px 0 0 ${left}px)`;
    }
    svg.append(make("path", { d: path }), make("polygon", { points: tip }));
    scroll.append(svg);
  };
  const moveAt = (element) => {
    const end = element.closest && element.closest("[data-m]");
    const link = element.closest && element.closest('.list a[href^="#m"]');
    return end ? end.dataset.m : link ? link.getAttribute("href").slice(2) : null;
  };
  // The mouse counts where it is on a move, and else the focus.
  for (const kind of ["mouseover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const number = moveAt(event.target) || moveAt(document.activeElement || document.body);
      if (number) light(number);
      else unlight();
    });
  }
  // What folds, unfolds or gets another width lies elsewhere then.
  const redraw = () => {
    const number = lit;
    unlight();
    if (number !== null) light(number);
  };
  document.addEventListener("change", redraw);
  addEventListener("resize", redraw);
  // Row numbers stay in sight while cells scroll, and the line belongs to both.
  let waiting = false;
  document.addEventListener("scroll", () => {
    if (waiting || lit === null) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; redraw(); });
  }, true);

  // Filters: a row goes when nothing of what happened in it is asked for.
  const filters = all("[data-filter]");
  const filter = () => {
    const off = new Set(filters.filter((b) => b.getAttribute("aria-pressed") === "false").map((b) => b.dataset.filter));
    all("tr[data-kinds]").forEach((row) => {
      row.hidden = row.dataset.kinds.split(" ").every((kind) => off.has(kind));
    });
    // Rows that were apart do not look like neighbours.
    all(".hid").forEach((row) => row.remove());
    all("tbody").forEach((body) => {
      let count = 0;
      const note = (before) => {
        if (count === 0) return;
        const row = document.createElement("tr");
        const cell = row.appendChild(document.createElement("td"));
        row.className = "hid";
        cell.colSpan = body.closest("table").tHead.rows[0].cells.length;
        cell.appendChild(document.createElement("span")).textContent = `… ${count} ${count === 1 ? "row" : "rows"} hidden by filter`;
        body.insertBefore(row, before);
        count = 0;
      };
      for (const row of [...body.rows]) {
        if (row.hidden) count += 1;
        else note(row);
      }
      note(null);
    });
    all(".list li, .names li").forEach((line) => {
      line.hidden = off.has(line.className.slice(2));
    });
    all(".list").forEach((list) => {
      const shown = all("li", list).filter((line) => !line.hidden).length;
      list.querySelector(".shown").textContent = off.size > 0 ? `, ${shown} shown` : "";
    });
    unlight();
  };
  filters.forEach((button) => button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") === "true";
    button.setAttribute("aria-pressed", String(!on));
    filter();
  }));

  // Steps from change to change, over all sheets.
  let current = null;
  const step = (by) => {
    const stops = panels.flatMap((panel, sheet) => all(".stop", panel).map((stop) => ({ stop, sheet })))
      .filter(({ stop }) => !stop.closest("tr").hidden);
    if (stops.length === 0) return;
    let at = stops.findIndex(({ stop }) => stop === current);
    if (at < 0) {
      const first = stops.findIndex(({ sheet }) => sheet >= open);
      at = by > 0 ? (first < 0 ? 0 : first) : stops.length - 1;
    } else {
      at = (at + by + stops.length) % stops.length;
    }
    const { stop, sheet } = stops[at];
    if (sheet !== open) select(sheet);
    if (current) current.classList.remove("current");
    current = stop;
    stop.classList.add("current");
    stop.focus({ preventScroll: true });
    stop.scrollIntoView({ block: "center", inline: "nearest" });
    said.textContent = `Change ${at + 1} of ${stops.length}`;
  };
  all("[data-step]").forEach((button) => button.addEventListener("click", () => step(Number(button.dataset.step))));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") step(1);
    else if (event.key === "p") step(-1);
    else if (event.key === "Escape") unlight();
  });

  if (tabs.length > 0 && !follow()) {
    const changed = tabs.findIndex((tab) => !tab.querySelector(".unchanged"));
    select(changed < 0 ? 0 : changed);
  }
  addEventListener("hashchange", follow);

  // On paper nothing can be opened.
  const closed = [];
  addEventListener("beforeprint", () => all(".list:not([open])").forEach((list) => {
    closed.push(list);
    list.open = true;
  }));
  addEventListener("afterprint", () => closed.splice(0).forEach((list) => { list.open = false; }));
}
