"use strict";
// What the replay page and the live table show in the same way: units and their names, the way gone, pan and zoom,
// the texts of clauses, light and dark. It knows no rules.
const Tabletop = (() => {
  const byId = (id) => document.getElementById(id);

  const drawn = (name, attributes, parent) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return parent ? parent.appendChild(element) : element;
  };

  const made = (name, text, className, parent) => {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    if (className) element.className = className;
    return parent ? parent.appendChild(element) : element;
  };

  // Of each moment is told what differs from the moment before; here is each in full.
  function unfold(units, told) {
    let shown = units.map(() => null), fields = units.map(() => ({})), arcs = [];
    return told.map((moment) => {
      shown = [...shown];
      fields = [...fields];
      for (const [at, unit] of Object.entries(moment.u || {})) shown[at] = unit;
      for (const [at, said] of Object.entries(moment.f || {})) fields[at] = { ...fields[at], ...said };
      arcs = moment.a || arcs;
      return { order: moment.o, at: moment.at, units: shown, fields, arcs };
    });
  }

  // The units on the board. Of a unit is shown: x, y, heading or null, base (a radius below 0, or the number of an
  // outline), remarks, place. All lengths are in steps of which `fineness` make one unit of the picture.
  class Figures {
    constructor({ units, moments, bases, marks, fineness, unit }, groups, labels) {
      Object.assign(this, { units, bases, marks, unit, fine: 1 / fineness });
      this.arcs = drawn("g", { class: "arcs" }, groups);
      this.all = units.map((one, at) => ({
        group: drawn("g", { class: `unit side-${one.number}`, tabindex: "-1", role: "button", "data-unit": at }),
        label: drawn("text", {}, labels), facing: null, key: "",
      }));
      // Larger ones first, so that they do not hide smaller ones.
      const sizes = units.map((_, at) => Math.max(0, ...moments.map((m) => (m.units[at] ? this.radius(m.units[at]) : 0))));
      this.all.map((_, at) => [sizes[at], at]).sort((a, b) => b[0] - a[0] || a[1] - b[1])
        .forEach(([, at]) => groups.append(this.all[at].group));
    }

    radius(shown) { return shown[3] < 0 ? -shown[3] * this.fine : this.unit * 0.42; }

    // Of an arc of fire is shown: the number of its side, that of its outline, and whose it is.
    #drawArcs(arcs) {
      if (this.shownArcs === arcs) return;
      this.shownArcs = arcs;
      this.arcs.replaceChildren();
      for (const [side, base, whose] of arcs) {
        const path = drawn("path", { class: `side-${side}`, d: this.bases[base], transform: `scale(${this.fine})` }, this.arcs);
        drawn("title", {}, path).textContent = whose;
      }
    }

    place(moment) {
      this.#drawArcs(moment.arcs);
      this.all.forEach((figure, at) => {
        const shown = moment.units[at], unit = this.units[at];
        figure.group.style.display = shown ? "" : "none";
        if (!shown) return;
        this.#dress(figure, unit, shown);
        figure.group.style.transform = `translate(${shown[0] * this.fine}px,${shown[1] * this.fine}px)`;
        if (figure.facing) figure.facing.setAttribute("transform", `rotate(${-shown[2]})`);
        figure.group.setAttribute("aria-label", `${unit.id}, ${[unit.side, unit.type].filter(Boolean).join(" ")}, at ${shown[5]}`);
      });
    }

    #dress(figure, unit, shown) {
      const key = `${shown[3]} ${shown[2] === null}`;
      if (figure.key === key) return;
      figure.key = key;
      const r = this.radius(shown), { group } = figure;
      group.replaceChildren();
      drawn("circle", { r: Math.max(r, 9), fill: "transparent" }, group);
      if (shown[3] < 0) drawn("circle", { class: "base", r }, group);
      else drawn("path", { class: "base", d: this.bases[shown[3]], transform: `scale(${this.fine})` }, group);
      drawn("path", {
        class: "sign", d: this.marks[unit.mark], "fill-rule": "evenodd", transform: `scale(${(r * 0.42).toFixed(2)})`,
      }, group);
      figure.facing = shown[2] === null ? null : drawn("path", {
        class: "facing", d: `M${r * 1.34} 0L${r * 0.72} ${r * 0.46}V${-r * 0.46}Z`,
      }, group);
    }

    // Names are as large on the screen at every zoom, and none lies over another; that of `first` finds room first.
    placeLabels(moment, view, first) {
      const size = 12 / view.pixelsPerUnit(), taken = [];
      view.board.style.setProperty("--label", `${size}px`);
      const free = (box) => taken.every((other) => box.x1 <= other.x0 || other.x1 <= box.x0 || box.y1 <= other.y0 || other.y1 <= box.y0);
      for (const at of this.all.map((_, number) => number).sort((a, b) => (b === first) - (a === first))) {
        const { label } = this.all[at], shown = moment.units[at], { id } = this.units[at];
        label.style.display = "none";
        if (!shown) continue;
        const r = this.radius(shown), x = shown[0] * this.fine, y = shown[1] * this.fine, wide = size * 0.62 * id.length + 2;
        const spots = [[x, y + r + size], [x, y - r - size * 0.35], [x + r + wide / 2 + 2, y + size * 0.35], [x - r - wide / 2 - 2, y + size * 0.35]];
        // Where many stand on one place, ever farther away.
        for (let line = 1; line <= 6; line++) spots.push([x, y + r + size * (1 + line)], [x, y - r - size * (0.35 + line)]);
        for (const [lx, ly] of spots) {
          const box = { x0: lx - wide / 2, x1: lx + wide / 2, y0: ly - size * 0.85, y1: ly + size * 0.25 };
          if (!free(box)) continue;
          taken.push(box);
          label.textContent = id;
          label.setAttribute("x", lx.toFixed(1));
          label.setAttribute("y", ly.toFixed(1));
          label.style.display = "";
          break;
        }
      }
    }

    // The way gone in some moments that follow each other.
    drawTrails(moments, layer, view) {
      layer.replaceChildren();
      layer.style.setProperty("stroke-width", `${1 / Math.max(view.pixelsPerUnit(), 0.01)}px`);
      this.units.forEach((unit, at) => {
        const points = [];
        for (const { units } of moments) {
          const shown = units[at];
          if (!shown) { points.length = 0; continue; }
          const point = `${shown[0] * this.fine} ${shown[1] * this.fine}`;
          if (points.at(-1) !== point) points.push(point);
        }
        if (points.length < 2) return;
        for (const className of ["under", "over"]) {
          drawn("path", { class: `${className} side-${unit.number}`, d: `M${points.join("L")}` }, layer);
        }
      });
    }
  }

  // What of the board is in sight.
  class View {
    constructor(board, world, size, changed) {
      Object.assign(this, { board, world, size, changed, x: 0, y: 0, k: 1 });
      board.addEventListener("wheel", (event) => {
        event.preventDefault();
        const by = Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) * 0.0025);
        this.zoom(by, this.onBoard(event.clientX, event.clientY));
      }, { passive: false });
    }

    pixelsPerUnit() {
      const matrix = this.board.getScreenCTM();
      return (matrix ? matrix.a : 1) * this.k;
    }

    onBoard(x, y) {
      const matrix = this.board.getScreenCTM();
      return matrix ? [(x - matrix.e) / matrix.a, (y - matrix.f) / matrix.d] : [0, 0];
    }

    onWorld({ clientX, clientY }) {
      const [x, y] = this.onBoard(clientX, clientY);
      return [(x - this.x) / this.k, (y - this.y) / this.k];
    }

    zoom(by, at) {
      const [x, y] = at || [this.size[0] / 2, this.size[1] / 2];
      const k = Math.min(12, Math.max(1, this.k * by)), ratio = k / this.k;
      Object.assign(this, k === 1 ? { x: 0, y: 0, k } : { x: x - (x - this.x) * ratio, y: y - (y - this.y) * ratio, k });
      this.look();
    }

    shift(dx, dy) {
      this.x += dx;
      this.y += dy;
      this.look();
    }

    fit() {
      Object.assign(this, { x: 0, y: 0, k: 1 });
      this.look();
    }

    look() {
      const [wide, tall] = this.size, slack = 0.5;
      this.x = Math.min(wide * slack, Math.max(this.x, wide * (1 - slack) - wide * this.k));
      this.y = Math.min(tall * slack, Math.max(this.y, tall * (1 - slack) - tall * this.k));
      this.world.setAttribute("transform", `translate(${this.x.toFixed(2)} ${this.y.toFixed(2)}) scale(${this.k.toFixed(4)})`);
      this.board.classList.toggle("near", this.k > 1.01);
      this.changed();
    }
  }

  // A press that does not move is a tap. One that moves takes along what `grab` returns, and without that the board;
  // two fingers zoom.
  class Gestures {
    #pointers = new Map();
    #moved = 0;
    #held = null;

    constructor({ grab = () => null, drag = () => {}, drop = () => {}, tap }) {
      Object.assign(this, { view: null, grab, drag, drop, tap });
      addEventListener("pointermove", (event) => this.#move(event));
      for (const name of ["pointerup", "pointercancel"]) addEventListener(name, (event) => this.#release(event));
    }

    get idle() { return !this.#pointers.size; }

    listenTo(view) {
      this.view = view;
      view.board.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        this.#pointers.set(event.pointerId, [event.clientX, event.clientY]);
        this.#moved = 0;
        this.#held = this.grab(event);
      });
    }

    #move(event) {
      const old = this.#pointers.get(event.pointerId), { view } = this;
      if (!old) return;
      const spot = [event.clientX, event.clientY];
      const others = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      this.#pointers.set(event.pointerId, spot);
      this.#moved += Math.hypot(spot[0] - old[0], spot[1] - old[1]);
      if (this.#moved < 4) return;
      if (this.#held !== null) {
        this.drag(this.#held, event);
        return;
      }
      view.board.classList.add("held");
      if (others.length === 1) {
        const [other] = others, apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
        const middle = view.onBoard((spot[0] + other[0]) / 2, (spot[1] + other[1]) / 2);
        if (apart(old) > 0) view.zoom(apart(spot) / apart(old), middle);
      } else if (!others.length && view.k > 1) {
        const from = view.onBoard(...old), to = view.onBoard(...spot);
        view.shift(to[0] - from[0], to[1] - from[1]);
      }
    }

    #release(event) {
      if (!this.#pointers.delete(event.pointerId)) return;
      const held = this.#held, done = event.type === "pointerup";
      this.#held = null;
      this.view.board.classList.remove("held");
      if (held !== null && this.#moved >= 4) this.drop(held, event, done);
      else if (done && this.#moved < 4 && !this.#pointers.size) this.tap(event);
    }
  }

  // The text of a clause is shown while somebody points at its number, and stays after a click.
  function clauseNotes() {
    const note = byId("note");
    let held = null;

    function show(button, hold) {
      const text = byId(`clause-${button.textContent}`);
      hide(true);
      if (hold) held = button;
      note.replaceChildren(text ? text.cloneNode(true) : made("p", `The text of ${button.textContent} is not at hand.`));
      for (const part of note.querySelectorAll("[id]")) part.removeAttribute("id");
      note.hidden = false;
      button.classList.add("open");
      button.setAttribute("aria-describedby", "note");
      const spot = button.getBoundingClientRect(), box = note.getBoundingClientRect(), gap = 8;
      const below = spot.bottom + gap + box.height < innerHeight || spot.top < box.height + gap;
      note.style.left = `${Math.max(12, Math.min(spot.left, innerWidth - box.width - 12))}px`;
      note.style.top = `${Math.max(8, below ? spot.bottom + gap : spot.top - box.height - gap)}px`;
    }

    function hide(also) {
      if (held && !also) return;
      held = null;
      note.hidden = true;
      for (const button of document.querySelectorAll(".clause.open")) {
        button.classList.remove("open");
        button.removeAttribute("aria-describedby");
      }
    }

    const clauseOf = (event) => (event.target instanceof Element ? event.target.closest(".clause") : null);
    document.addEventListener("pointerover", (event) => {
      const button = clauseOf(event);
      if (button && event.pointerType === "mouse" && !held) show(button, false);
    });
    document.addEventListener("pointerout", (event) => { if (clauseOf(event)) hide(false); });
    document.addEventListener("focusin", (event) => {
      const button = clauseOf(event);
      if (button && button.matches(":focus-visible") && !held) show(button, false);
    });
    document.addEventListener("focusout", (event) => { if (clauseOf(event)) hide(false); });
    document.addEventListener("click", (event) => {
      const button = clauseOf(event);
      if (button) {
        if (held === button) hide(true);
        else show(button, true);
      } else if (!note.contains(event.target)) hide(true);
    });
    return { hide: () => hide(true) };
  }

  // Light or dark: as the system has it, until the button is pressed.
  function theme() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const set = (name) => { document.documentElement.dataset.theme = name; };
    const turn = () => set(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    set(dark.matches ? "dark" : "light");
    dark.addEventListener("change", () => set(dark.matches ? "dark" : "light"));
    byId("theme").addEventListener("click", turn);
    return { turn };
  }

  const unitOf = (event) => {
    const group = event.target instanceof Element && event.target.closest(".unit");
    return group ? +group.dataset.unit : -1;
  };

  return { byId, drawn, made, unfold, Figures, View, Gestures, clauseNotes, theme, unitOf };
})();
