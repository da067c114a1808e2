"use strict";
// Shows what was found out beforehand: it knows where things are at each moment, and no rules.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const [board, world, card, note, slider] = ["board", "world", "card", "note", "slider"].map(byId);
  const account = byId("account"), caption = byId("caption"), playButton = byId("play");
  const last = data.moments.length - 1, fine = 1 / data.fineness;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

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

  // --- the moments, each in full ---

  const moments = [];
  {
    let units = data.units.map(() => null), fields = data.units.map(() => ({}));
    for (const told of data.moments) {
      units = [...units];
      fields = [...fields];
      for (const [at, shown] of Object.entries(told.u || {})) units[at] = shown;
      for (const [at, said] of Object.entries(told.f || {})) fields[at] = { ...fields[at], ...said };
      moments.push({ order: told.o, at: told.at, units, fields });
    }
  }
  const firstOf = [];
  moments.forEach((moment, at) => { firstOf[moment.order] ??= at; });

  // --- the account: which lines belong to which moment ---

  const lines = [];
  for (const element of account.querySelectorAll("[data-m]")) (lines[+element.dataset.m] ??= []).push(element);
  const orders = new Map([...account.querySelectorAll("[data-order]")].map((e) => [+e.dataset.order, e]));

  // --- units on the board ---

  const radius = (shown) => (shown[3] < 0 ? -shown[3] * fine : data.unit * 0.42);
  const figures = data.units.map((unit, at) => {
    const group = drawn("g", { class: `unit side-${unit.number}`, tabindex: "-1", role: "button", "data-unit": at });
    return { group, base: null, label: drawn("text", {}, byId("labels")), key: "" };
  });
  // Larger ones first, so that they do not hide smaller ones.
  const sizes = data.units.map((_, at) => Math.max(0, ...moments.map((m) => (m.units[at] ? radius(m.units[at]) : 0))));
  figures.map((figure, at) => [sizes[at], at]).sort((a, b) => b[0] - a[0] || a[1] - b[1])
    .forEach(([, at]) => byId("units").append(figures[at].group));

  function dress(figure, unit, shown) {
    const key = `${shown[3]} ${shown[2] === null}`;
    if (figure.key === key) return;
    figure.key = key;
    const r = radius(shown);
    figure.group.replaceChildren();
    drawn("circle", { r: Math.max(r, 9), fill: "transparent" }, figure.group);
    if (shown[3] < 0) drawn("circle", { class: "base", r }, figure.group);
    else drawn("path", { class: "base", d: data.bases[shown[3]], transform: `scale(${fine})` }, figure.group);
    drawn("path", {
      class: "sign", d: data.marks[unit.mark], "fill-rule": "evenodd", transform: `scale(${(r * 0.42).toFixed(2)})`,
    }, figure.group);
    figure.facing = shown[2] === null ? null : drawn("path", {
      class: "facing", d: `M${r * 1.34} 0L${r * 0.72} ${r * 0.46}V${-r * 0.46}Z`,
    }, figure.group);
  }

  function placeUnits(moment) {
    figures.forEach((figure, at) => {
      const shown = moment.units[at], unit = data.units[at];
      figure.group.toggleAttribute("hidden", !shown);
      figure.group.style.display = shown ? "" : "none";
      if (!shown) return;
      dress(figure, unit, shown);
      figure.group.style.transform = `translate(${shown[0] * fine}px,${shown[1] * fine}px)`;
      if (figure.facing) figure.facing.setAttribute("transform", `rotate(${-shown[2]})`);
      figure.group.setAttribute("aria-label", `${unit.id}, ${[unit.side, unit.type].filter(Boolean).join(" ")}, at ${shown[5]}`);
    });
    for (const chip of chips) {
      const shown = moment.units[+chip.dataset.unit];
      chip.classList.toggle("off", !shown);
      chip.classList.toggle("gone", shown === 0);
    }
  }

  // --- labels: as large on the screen at every zoom, and none over another ---

  function placeLabels() {
    const scale = pixelsPerUnit(), size = 12 / scale;
    board.style.setProperty("--label", `${size}px`);
    const taken = [];
    const free = (box) => taken.every((other) => box.x1 <= other.x0 || other.x1 <= box.x0 || box.y1 <= other.y0 || other.y1 <= box.y0);
    const ordered = figures.map((figure, at) => at).sort((a, b) => (b === chosen()) - (a === chosen()));
    for (const at of ordered) {
      const { label } = figures[at], shown = moments[now].units[at], unit = data.units[at];
      label.style.display = "none";
      if (!shown) continue;
      const r = radius(shown), x = shown[0] * fine, y = shown[1] * fine, wide = size * 0.62 * unit.id.length + 2;
      const spots = [[x, y + r + size], [x, y - r - size * 0.35], [x + r + wide / 2 + 2, y + size * 0.35], [x - r - wide / 2 - 2, y + size * 0.35]];
      // Where many stand on one place, ever farther away.
      for (let line = 1; line <= 6; line++) spots.push([x, y + r + size * (1 + line)], [x, y - r - size * (0.35 + line)]);
      for (const [lx, ly] of spots) {
        const box = { x0: lx - wide / 2, x1: lx + wide / 2, y0: ly - size * 0.85, y1: ly + size * 0.25 };
        if (!free(box)) continue;
        taken.push(box);
        label.textContent = unit.id;
        label.setAttribute("x", lx.toFixed(1));
        label.setAttribute("y", ly.toFixed(1));
        label.style.display = "";
        break;
      }
    }
  }

  // --- the way gone since the order was given, and where something happens ---

  function drawTrails() {
    const layer = byId("trails"), width = 1 / Math.max(pixelsPerUnit(), 0.01);
    layer.replaceChildren();
    layer.style.setProperty("stroke-width", `${width}px`);
    const from = Math.max(0, (firstOf[moments[now].order] ?? now) - 1);
    data.units.forEach((unit, at) => {
      const points = [];
      for (let m = from; m <= now; m++) {
        const shown = moments[m].units[at];
        if (!shown) { points.length = 0; continue; }
        const point = `${shown[0] * fine} ${shown[1] * fine}`;
        if (points.at(-1) !== point) points.push(point);
      }
      if (points.length < 2) return;
      for (const className of ["under", "over"]) drawn("path", { class: `${className} side-${unit.number}`, d: `M${points.join("L")}` }, layer);
    });
    const spot = byId("spot"), at = moments[now].at;
    spot.replaceChildren();
    if (at) drawn("circle", { cx: at[0] * fine, cy: at[1] * fine, r: data.unit * 0.62 }, spot);
  }

  // --- reach ---

  let pinned = -1, hovered = -1, action = "";
  const chosen = () => (hovered >= 0 ? hovered : pinned);
  const chips = [...document.querySelectorAll(".chip")];

  function answersOf(at) {
    if (!data.reach) return [];
    return (data.reach.at[moments[now].order]?.[at] || []).map((number) => data.reach.answers[number]);
  }

  // Rings are written in digits, the lowest five bits of a number first; a sixth bit says that more follow, and the
  // lowest bit of a number is its sign. Two numbers are a step, the first step leads to where the ring begins.
  function ringPath(text) {
    const steps = [];
    let number = 0, unit = 1;
    for (const letter of text) {
      const digit = data.reach.digits.indexOf(letter);
      number += (digit % 32) * unit;
      unit *= 32;
      if (digit >= 32) continue;
      steps.push(number % 2 ? -(number + 1) / 2 : number / 2);
      number = 0;
      unit = 1;
    }
    const [x, y, ...rest] = steps;
    return `M${x} ${y}l${rest.join(" ")}z`;
  }
  const ringPaths = [];
  const outlinePath = (numbers) => numbers.split(" ").filter(Boolean)
    .map((number) => (ringPaths[number] ??= ringPath(data.reach.rings[number]))).join("");

  function bandPaths(answer) {
    if (answer.d) return answer.d.map((number) => outlinePath(data.reach.outlines[number]));
    const { columns, origin, along, down, cell } = data.cells;
    const paths = answer.b.map(() => []), shape = cell.replace(/^M\S+ [^a-z]+/, "");
    const [dx, dy] = cell.match(/^M(\S+) ([^a-z]+)/).slice(1).map(Number);
    let at = 0;
    for (const [, count, letter] of answer.c.matchAll(/(\d*)([.a-zA-Z])/g)) {
      for (let left = +count || 1; left; left--, at++) {
        if (letter === ".") { at += left - 1; left = 1; continue; }
        const band = letter < "a" ? letter.charCodeAt(0) - 39 : letter.charCodeAt(0) - 97;
        const column = at % columns, row = (at - column) / columns;
        const x = origin[0] + column * along[0] + row * down[0] + dx, y = origin[1] + column * along[1] + row * down[1] + dy;
        paths[band].push(`M${Math.round(x)} ${Math.round(y)}${shape}`);
      }
    }
    return paths.map((parts) => parts.join(""));
  }

  // Of costs the dearest is the darkest, of chances the surest.
  function coloursOf(answer) {
    const colours = data.bands[answer.b.length - 1];
    return answer.p ? [...colours].reverse() : colours;
  }

  function drawReach() {
    const layer = byId("bands"), at = chosen(), answers = at < 0 ? [] : answersOf(at);
    layer.replaceChildren();
    const answer = answers.find((one) => data.reach.words[one.a] === action) || answers[0];
    if (answer) {
      const colours = coloursOf(answer), paths = bandPaths(answer);
      const parts = paths.map((d, band) => ({ d, colour: colours[band] }));
      // Outlines hold what is nearer too, so the farthest is painted first.
      if (answer.d) parts.reverse();
      for (const { d, colour } of parts) {
        drawn("path", {
          d, fill: colour, stroke: answer.d ? "#2a272366" : colour, "stroke-width": (answer.d ? 1.2 : 0.6) / fine,
          "fill-rule": "evenodd", transform: `scale(${fine})`,
        }, layer);
      }
    }
    figures.forEach((figure, number) => figure.group.classList.toggle("chosen-unit", number === at));
    for (const chip of chips) chip.setAttribute("aria-pressed", String(+chip.dataset.unit === pinned));
    showCard(at, answers, answer);
  }

  function showCard(at, answers, answer) {
    card.hidden = at < 0;
    card.classList.toggle("passive", at !== pinned);
    card.inert = at !== pinned;
    if (at < 0) return;
    const unit = data.units[at], moment = moments[now], shown = moment.units[at];
    card.replaceChildren();
    made("h4", unit.id, "", card);
    made("p", [unit.side, unit.type].filter(Boolean).join(", "), "soft", card);
    if (shown) {
      const facing = shown[2] === null ? "" : `, facing ${shown[2]}°`;
      made("p", `at ${shown[5]}${facing}`, "", card);
      if (shown[4]) made("p", shown[4], "", card);
    } else made("p", shown === 0 ? "no longer on the table" : "not on the board by itself", "soft", card);
    const list = made("p", "", "fields", card);
    for (const [name, value] of Object.entries(moment.fields[at])) {
      if (!value) continue;
      if (list.childNodes.length) list.append(" · ");
      made("span", name, "", list);
      list.append(` ${value}`);
    }
    // Away from the unit, so that it does not hide what it speaks of.
    const there = shown || moment.units.find(Boolean);
    card.classList.toggle("right", !!there && there[0] * fine * view.k + view.x < data.size[0] / 2);
    if (!data.reach) return;
    if (!answer) {
      made("p", "no reach when this order was given", "soft", card);
      return;
    }
    const words = data.reach.words, choice = made("div", "", "actions", card);
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", "Reach of which action");
    for (const one of answers) {
      const button = made("button", words[one.a], "", choice);
      button.type = "button";
      button.setAttribute("aria-pressed", String(one === answer));
      button.addEventListener("click", () => {
        action = words[one.a];
        drawReach();
        card.querySelector("[aria-pressed=true]")?.focus();
      });
    }
    made("p", `reach when this order was given, with ${answer.p ? "a chance of at least" : "a cost of up to"}`, "soft", card);
    const keys = made("div", "", "keys", card);
    answer.b.forEach((name, band) => {
      const line = made("div", "", "key", keys);
      drawn("rect", { x: 0.5, y: 0.5, width: 15, height: 12, rx: 2, fill: coloursOf(answer)[band] },
        drawn("svg", { viewBox: "0 0 16 13", "aria-hidden": "true" }, line));
      made("span", words[name], "", line);
    });
  }

  function pin(at) {
    pinned = pinned === at ? -1 : at;
    hovered = -1;
    drawReach();
    placeLabels();
  }

  function hover(at) {
    if (at === hovered) return;
    hovered = at;
    drawReach();
  }

  for (const chip of chips) {
    const at = +chip.dataset.unit;
    chip.addEventListener("click", () => pin(at));
    chip.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") hover(at); });
    chip.addEventListener("pointerleave", () => hover(-1));
    chip.addEventListener("focus", () => { if (chip.matches(":focus-visible")) hover(at); });
    chip.addEventListener("blur", () => hover(-1));
  }
  figures.forEach((figure, at) => {
    figure.group.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") hover(at); });
    figure.group.addEventListener("pointerleave", () => hover(-1));
    figure.group.addEventListener("keydown", (event) => { if (event.key === "Enter") pin(at); });
  });

  // --- going from moment to moment ---

  let now = 0, timer = 0;

  function go(target, smooth = false) {
    const next = Math.min(last, Math.max(0, target)), moment = moments[next];
    board.classList.toggle("moving", smooth && !still.matches);
    for (const element of account.querySelectorAll(".now")) element.classList.remove("now");
    const before = now;
    now = next;
    slider.value = String(now);
    orders.forEach((element, order) => {
      const current = order === moment.order;
      if (current !== element.classList.contains("current")) {
        element.classList.toggle("current", current);
        const ledger = element.querySelector(".ledger");
        if (ledger) ledger.open = current;
      }
    });
    for (const element of orders.get(moment.order)?.querySelectorAll("[data-m]") || []) {
      element.classList.toggle("later", +element.dataset.m > now);
    }
    for (const element of orders.get(moment.order)?.querySelectorAll("[data-from]") || []) {
      element.classList.toggle("later", +element.dataset.from > now);
    }
    for (const element of lines[now] || []) element.classList.add("now");
    tell();
    keepInSight();
    placeUnits(moment);
    drawTrails();
    if (moments[before].order !== moment.order || chosen() >= 0) drawReach();
    placeLabels();
    byId("first").disabled = byId("back").disabled = now === 0;
    byId("on").disabled = byId("end").disabled = now === last;
  }

  function words(element) {
    const copy = element.cloneNode(true);
    for (const part of copy.querySelectorAll(".clause")) part.replaceWith(`(${part.textContent})`);
    for (const part of copy.querySelectorAll(".price")) part.prepend("— ");
    // Of a question what was chosen is shown, not what could have been.
    for (const part of copy.querySelectorAll(".option")) part.remove();
    for (const part of copy.querySelectorAll(".asked")) part.append(":");
    for (const part of copy.querySelectorAll(".odds")) part.prepend(", ");
    for (const part of copy.querySelectorAll(".by")) part.prepend(", by ");
    for (const block of copy.querySelectorAll("p")) block.append(" ");
    return copy.textContent.replace(/\s+/g, " ").replace(/ ,/g, ",").trim();
  }

  function heading(element) {
    let found = element.closest("section");
    while (found && found.tagName !== "H2") found = found.previousElementSibling;
    return found ? found.textContent : "";
  }

  function tell() {
    const main = (lines[now] || [])[0];
    caption.replaceChildren();
    const count = made("span", `${now + 1} of ${last + 1}`, "count", caption);
    if (!main) return;
    count.textContent += ` · ${heading(main)}`;
    const line = main.tagName === "SPAN" ? main.closest("li") : main;
    let text = words(line);
    if (main !== line) text = `${words(line).split(" → ")[0].replace(/\s\S+$/, "")} ${main.textContent}`;
    made("span", text, "", caption);
    slider.setAttribute("aria-valuetext", `${now + 1} of ${last + 1}: ${text}`);
  }

  function keepInSight() {
    const line = (lines[now] || [])[0];
    // Where the account is no column of its own, the page must not jump about.
    if (!line || getComputedStyle(account).overflowY === "visible") return;
    const box = line.getBoundingClientRect(), frame = account.getBoundingClientRect();
    if (box.top < frame.top + 50 || box.bottom > frame.bottom - 60) {
      account.scrollTop += box.top - frame.top - frame.height * 0.3;
    }
  }

  function play(on) {
    clearInterval(timer);
    timer = 0;
    playButton.setAttribute("aria-pressed", String(on));
    playButton.setAttribute("aria-label", on ? "Pause" : "Play");
    // A reader of screens would never come to an end while it plays.
    caption.setAttribute("aria-live", on ? "off" : "polite");
    if (!on) return;
    if (now === last) go(0);
    const pace = +byId("speed").value;
    board.style.setProperty("--pace", `${Math.min(pace * 0.7, 400)}ms`);
    timer = setInterval(() => {
      go(now + 1, true);
      if (now === last) play(false);
    }, pace);
  }

  function byOrder(direction) {
    const order = moments[now].order;
    const starts = firstOf.filter((at) => at !== undefined);
    if (direction > 0) return starts.find((at) => at > now) ?? last;
    return starts.filter((at) => at < (firstOf[order] < now ? now : firstOf[order])).at(-1) ?? 0;
  }

  const step = (by, whole) => { play(false); go(whole ? byOrder(by) : now + by, !whole); };
  byId("first").addEventListener("click", () => { play(false); go(0); });
  byId("end").addEventListener("click", () => { play(false); go(last); });
  byId("back").addEventListener("click", (event) => step(-1, event.shiftKey));
  byId("on").addEventListener("click", (event) => step(1, event.shiftKey));
  playButton.addEventListener("click", () => play(!timer));
  byId("speed").addEventListener("change", () => { if (timer) play(true); });
  slider.addEventListener("input", () => { play(false); go(+slider.value); });

  account.addEventListener("click", (event) => {
    if (event.target.closest(".clause")) return;
    const line = event.target.closest("[data-m]");
    if (line) { play(false); go(+line.dataset.m); }
  });

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const on = event.target instanceof Element ? event.target : document.body;
    if (on.closest("select")) return;
    const pressed = on.closest("button,summary");
    const acts = {
      " ": pressed ? null : () => play(!timer),
      ArrowLeft: () => step(-1, event.shiftKey),
      ArrowRight: () => step(1, event.shiftKey),
      Home: () => { play(false); go(0); },
      End: () => { play(false); go(last); },
      "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), "0": () => fit(),
      t: turnTheme, T: turnTheme,
      Escape: () => { pinned = hovered = -1; hideNote(true); drawReach(); },
    };
    const act = acts[event.key];
    if (!act) return;
    if (event.key !== "Escape") event.preventDefault();
    act();
  });

  // --- pan and zoom ---

  let view = { x: 0, y: 0, k: 1 };
  const pointers = new Map();
  let moved = 0;

  function pixelsPerUnit() {
    const matrix = board.getScreenCTM();
    return (matrix ? matrix.a : 1) * view.k;
  }

  function show() {
    const [wide, tall] = data.size, slack = 0.5;
    view.x = Math.min(wide * slack, Math.max(view.x, wide * (1 - slack) - wide * view.k));
    view.y = Math.min(tall * slack, Math.max(view.y, tall * (1 - slack) - tall * view.k));
    world.setAttribute("transform", `translate(${view.x.toFixed(2)} ${view.y.toFixed(2)}) scale(${view.k.toFixed(4)})`);
    board.classList.toggle("near", view.k > 1.01);
    placeLabels();
  }

  function zoom(by, at) {
    const [x, y] = at || [data.size[0] / 2, data.size[1] / 2];
    const k = Math.min(12, Math.max(1, view.k * by)), ratio = k / view.k;
    view = k === 1 ? { x: 0, y: 0, k } : { x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio, k };
    show();
  }

  function fit() {
    view = { x: 0, y: 0, k: 1 };
    show();
  }

  function onBoard(x, y) {
    const matrix = board.getScreenCTM();
    return matrix ? [(x - matrix.e) / matrix.a, (y - matrix.f) / matrix.d] : [0, 0];
  }

  byId("nearer").addEventListener("click", () => zoom(1.4));
  byId("farther").addEventListener("click", () => zoom(1 / 1.4));
  byId("whole").addEventListener("click", fit);
  board.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) * 0.0025), onBoard(event.clientX, event.clientY));
  }, { passive: false });

  board.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    moved = 0;
  });
  addEventListener("pointermove", (event) => {
    const old = pointers.get(event.pointerId);
    if (!old) return;
    const spot = [event.clientX, event.clientY];
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    pointers.set(event.pointerId, spot);
    moved += Math.hypot(spot[0] - old[0], spot[1] - old[1]);
    if (moved < 4) return;
    board.classList.add("held");
    if (others.length === 1) {
      const [other] = others, apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      const middle = onBoard((spot[0] + other[0]) / 2, (spot[1] + other[1]) / 2);
      if (apart(old) > 0) zoom(apart(spot) / apart(old), middle);
    } else if (!others.length && view.k > 1) {
      const from = onBoard(...old), to = onBoard(...spot);
      view.x += to[0] - from[0];
      view.y += to[1] - from[1];
      show();
    }
  });
  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    board.classList.remove("held");
    if (event.type === "pointerup" && moved < 4 && !pointers.size) {
      const unit = event.target instanceof Element && event.target.closest(".unit");
      if (unit) pin(+unit.dataset.unit);
      else if (board.contains(event.target) && pinned >= 0) pin(pinned);
    }
  };
  addEventListener("pointerup", release);
  addEventListener("pointercancel", release);

  // --- clauses ---

  let held = null;

  function showNote(button, hold) {
    const text = byId(`clause-${button.textContent}`);
    hideNote(true);
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

  function hideNote(also) {
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
    if (button && event.pointerType === "mouse" && !held) showNote(button, false);
  });
  document.addEventListener("pointerout", (event) => { if (clauseOf(event)) hideNote(false); });
  document.addEventListener("focusin", (event) => {
    const button = clauseOf(event);
    if (button && button.matches(":focus-visible") && !held) showNote(button, false);
  });
  document.addEventListener("focusout", (event) => { if (clauseOf(event)) hideNote(false); });
  document.addEventListener("click", (event) => {
    const button = clauseOf(event);
    if (button) {
      if (held === button) hideNote(true);
      else showNote(button, true);
    } else if (!note.contains(event.target)) hideNote(true);
  });
  account.addEventListener("scroll", () => hideNote(true), { passive: true });

  // --- light and dark ---

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const setTheme = (theme) => { document.documentElement.dataset.theme = theme; };
  function turnTheme() {
    setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  }
  setTheme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", turnTheme);

  addEventListener("resize", placeLabels);
  board.parentElement.style.setProperty("--shape", data.size[0] / data.size[1]);
  const asked = /^#(\d+)$/.exec(location.hash);
  go(asked ? +asked[1] - 1 : 0);
})();
