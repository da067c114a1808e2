// The live table: it shows, asks and remembers what was ordered, and knows no rules. Every question names its moment
// in full: the scenario, its options, and the orders and answers since the beginning.
(() => {
  const byId = (id) => document.getElementById(id);
  const token = new URLSearchParams(location.search).get("token") || "";
  const page = Math.random().toString(36).slice(2);
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
  const button = (text, act, parent, className) => {
    const element = made("button", text, className, parent);
    element.type = "button";
    element.addEventListener("click", act);
    return element;
  };
  const spoken = (name) => name.replace(/_/g, " ");

  // --- asking ---

  const running = new Map();

  class Refused extends Error {
    constructor(fields) {
      super(fields.message);
      this.reasons = fields.reasons || [];
    }
  }

  async function request(path, fields, doing) {
    const control = new AbortController();
    const shown = setTimeout(() => { running.set(control, doing); showBusy(); }, 400);
    running.set(control, "");
    showBusy();
    try {
      const answer = await fetch(path, {
        method: fields ? "POST" : "GET", body: fields && JSON.stringify(fields), signal: control.signal,
        headers: { "X-Token": token, "X-Page": page, ...(fields ? { "Content-Type": "application/json" } : {}) },
      });
      const document = await answer.json();
      if (!answer.ok) throw new Refused(document.error || { message: `status ${answer.status}` });
      if (document.refused) throw new Refused(document.refused);
      return document;
    } catch (error) {
      if (error.name === "AbortError") throw new Refused({ message: "stopped" });
      if (error instanceof TypeError) throw new Refused({ message: "the server does not answer; is `simulator serve` still running?" });
      throw error;
    } finally {
      clearTimeout(shown);
      running.delete(control);
      showBusy();
    }
  }

  function showBusy() {
    const doing = [...running.values()].filter(Boolean);
    document.querySelector("main").setAttribute("aria-busy", String(running.size > 0));
    byId("busy").hidden = !doing.length;
    byId("doing").textContent = doing.at(-1) || "";
  }

  const stopAll = () => { for (const control of running.keys()) control.abort(); };
  byId("stop").addEventListener("click", stopAll);

  const ask = (question, fields, doing) => request(`ask/${question}`, { ...moment(), ...fields }, doing);

  // --- the moment: a place in a tree of orders and answers ---

  let scenario = "", options = {}, opened = null, seen = null;
  let root = { step: null, parent: null, children: [] }, here = root;

  function stepsTo(node) {
    const steps = [];
    for (let at = node; at.parent; at = at.parent) steps.unshift(at.step);
    return steps;
  }

  const moment = () => ({ scenario, options, steps: stepsTo(here) });

  function childOf(node, step) {
    let child = node.children.find((one) => one.step === step);
    if (!child) {
      child = { step, parent: node, children: [] };
      node.children.push(child);
    }
    node.latest = child;
    return child;
  }

  const walk = (steps) => steps.reduce(childOf, root);

  const written = () => `#${encodeURIComponent(JSON.stringify([scenario, options, stepsTo(here)]))}`;

  function readAddress() {
    try {
      const [name, chosen, steps] = JSON.parse(decodeURIComponent(location.hash.slice(1)));
      if (typeof name === "string" && Array.isArray(steps)) return { name, chosen: chosen || {}, steps };
    } catch { /* an address without a moment, or one that was cut off, is the beginning */ }
    return null;
  }

  function keepAddress() {
    const address = written();
    if (location.hash !== address) history.replaceState(null, "", address);
  }

  async function open(name, chosen, steps) {
    letGo();
    let found;
    try {
      found = await request("ask/open", { scenario: name, options: chosen, steps: [] }, "opening the scenario");
    } catch (error) {
      refuse(error);
      return false;
    }
    if (name !== scenario) root = { step: null, parent: null, children: [] };
    [scenario, options, opened] = [name, chosen, found];
    document.title = found.title;
    byId("title").textContent = found.title;
    byId("subtitle").textContent = found.subtitle;
    byId("frame").innerHTML = found.board;
    byId("legend").innerHTML = found.legend;
    byId("frame").style.setProperty("--shape", found.size[0] / found.size[1]);
    found.colours.forEach((colour, at) => document.documentElement.style.setProperty(`--side${at}`, colour));
    document.documentElement.style.setProperty(`--side${found.colours.length}`, "#6b655c");
    if (byId("scenario").value !== name) byId("scenario").value = name;
    setUpBoard();
    showOptions();
    here = walk(steps);
    const shown = await show();
    readScript();
    return shown;
  }

  // Playing the script of a scenario may take seconds: the page does not wait for it.
  async function readScript() {
    const about = opened;
    try {
      about.script = (await request("ask/script", { scenario, options, steps: [] }, "")).steps;
    } catch {
      about.script = []; // a script that these options forbid
    }
    if (about === opened) drawHistory();
  }

  // Show the moment `here`; false if a step before it is refused: then the last moment that can be is shown.
  async function show({ moving = false } = {}) {
    const asked = here;
    let found;
    try {
      found = await ask("moment", {}, "playing");
    } catch (error) {
      refuse(error);
      return false;
    }
    if (here !== asked) return false;
    const steps = stepsTo(here);
    if (found.error) {
      const refused = steps[found.done];
      here = walk(steps.slice(0, found.done));
      if (found.done === steps.length - 1) {
        here.children = here.children.filter((one) => one.step !== refused);
        here.latest = here.children.at(-1);
      }
      refuse(found.error, refused);
    } else refuse(null);
    seen = found;
    unfold(found);
    keepAddress();
    drawMoment(moving && !found.error);
    return !found.error;
  }

  // --- giving orders ---

  let queue = [];

  async function give(step, then = []) {
    queue = then;
    const before = here;
    here = childOf(here, step);
    letGo();
    const done = await show({ moving: true });
    if (!done) {
      queue = [];
      if (here !== before) drawHistory();
      return;
    }
    if (!seen.question && queue.length) await give(queue[0], queue.slice(1));
  }

  function refuse(error, step) {
    const box = byId("refused");
    box.replaceChildren();
    box.hidden = !error;
    if (!error) return;
    made("h3", step ? `Rejected: ${step}` : "That did not work", "", box);
    const reasons = error.reasons || [];
    if (reasons.length) listReasons(reasons, box);
    else made("p", error.message, "", box);
  }

  function listReasons(reasons, parent) {
    const list = made("ul", "", "reasons", parent);
    for (const reason of reasons) {
      const line = made("li", "", "", list);
      if (reason.clause) made("b", `${reason.clause} `, "", line);
      line.append(reason.message);
      if (reason.text) made("span", reason.text, "text", line);
    }
  }

  function showQuestion() {
    const box = byId("question"), question = seen.question;
    box.replaceChildren();
    box.hidden = !question;
    if (!question) return;
    made("h3", question.text, "", box);
    const choices = made("div", "", "choices", box);
    const answer = (step) => give(step, queue);
    if (question.rolled) button(`Roll ${question.dice || ""}`.trim(), () => answer(question.rolled), choices, "roll");
    if (question.worst) {
      button("Best case", () => answer(question.best), choices);
      button("Worst case", () => answer(question.worst), choices);
    }
    for (const { text, step } of question.choices) button(text, () => answer(step), choices);
    if (question.typed) {
      const form = made("form", "", "order-form", box), field = made("input", "", "", form);
      field.setAttribute("aria-label", "Another answer");
      made("button", "Answer", "", form).type = "submit";
      form.addEventListener("submit", (event) => { event.preventDefault(); answer(`? ${field.value}`); });
    }
  }

  // --- history ---

  function goTo(node) {
    here = node;
    queue = [];
    letGo();
    return show();
  }

  const undo = () => { if (here.parent) goTo(here.parent); };
  const redo = () => { if (here.latest) goTo(here.latest); };

  // The next step of the scenario's own script, while what was done so far is its beginning.
  function scripted() {
    const steps = stepsTo(here);
    return opened?.script && steps.every((step, at) => step === opened.script[at]) ? opened.script[steps.length] : undefined;
  }

  function nextOfScript() {
    const step = scripted();
    if (step !== undefined) give(step);
  }

  function drawHistory() {
    byId("undo").disabled = !here.parent;
    byId("redo").disabled = !here.latest;
    byId("script").disabled = scripted() === undefined;
    const others = here.children.filter((one) => one !== here.latest);
    byId("lines").replaceChildren(...(others.length ? [made("span", "also tried:", "soft")] : []));
    for (const one of others) button(one.step, () => { here.latest = one; redo(); }, byId("lines"));
  }

  byId("undo").addEventListener("click", undo);
  byId("redo").addEventListener("click", redo);
  byId("script").addEventListener("click", nextOfScript);

  // --- the board ---

  let board, world, figures = [], moments = [], fine = 1, view = { x: 0, y: 0, k: 1 };

  function setUpBoard() {
    [board, world] = [byId("board"), byId("world")];
    fine = 1 / opened.fineness;
    figures = [];
    for (const id of ["ways", "pointer"]) drawn("g", { id }, world);
    world.insertBefore(byId("ways"), byId("units"));
    view = { x: 0, y: 0, k: 1 };
    listen();
  }

  function unfold(found) {
    let units = found.units.map(() => null), fields = found.units.map(() => ({}));
    moments = found.moments.map((told) => {
      units = [...units];
      fields = [...fields];
      for (const [at, shown] of Object.entries(told.u || {})) units[at] = shown;
      for (const [at, said] of Object.entries(told.f || {})) fields[at] = { ...fields[at], ...said };
      return { order: told.o, at: told.at, units, fields };
    });
  }

  const now = () => moments[moments.length - 1];
  const radius = (shown) => (shown[3] < 0 ? -shown[3] * fine : opened.unit * 0.42);

  function drawUnits() {
    byId("units").replaceChildren();
    byId("labels").replaceChildren();
    byId("chips").replaceChildren();
    figures = seen.units.map((unit, at) => {
      const group = drawn("g", { class: `unit side-${unit.number}`, "data-unit": at });
      const chip = button("", () => choose(chosen === at ? -1 : at), byId("chips"), "chip");
      chip.dataset.unit = at;
      const mark = drawn("svg", { class: `swatch side-${unit.number}`, viewBox: "0 0 16 16", "aria-hidden": "true" }, chip);
      drawn("path", { d: opened.marks[unit.mark], "fill-rule": "evenodd", transform: "translate(8 8) scale(6.4)" }, mark);
      chip.append(unit.id);
      return { group, chip, label: drawn("text", {}, byId("labels")) };
    });
    const sizes = seen.units.map((_, at) => (now().units[at] ? radius(now().units[at]) : 0));
    figures.map((figure, at) => [sizes[at], at]).sort((a, b) => b[0] - a[0] || a[1] - b[1])
      .forEach(([, at]) => byId("units").append(figures[at].group));
  }

  function dress(figure, unit, shown) {
    const r = radius(shown);
    figure.group.replaceChildren();
    drawn("circle", { r: Math.max(r, 9), fill: "transparent" }, figure.group);
    if (shown[3] < 0) drawn("circle", { class: "base", r }, figure.group);
    else drawn("path", { class: "base", d: seen.bases[shown[3]], transform: `scale(${fine})` }, figure.group);
    drawn("path", {
      class: "sign", d: opened.marks[unit.mark], "fill-rule": "evenodd", transform: `scale(${(r * 0.42).toFixed(2)})`,
    }, figure.group);
    if (shown[2] !== null) {
      drawn("path", {
        class: "facing", d: `M${r * 1.34} 0L${r * 0.72} ${r * 0.46}V${-r * 0.46}Z`, transform: `rotate(${-shown[2]})`,
      }, figure.group);
    }
  }

  function placeUnits(at) {
    figures.forEach((figure, number) => {
      const shown = at.units[number], unit = seen.units[number];
      figure.group.style.display = shown ? "" : "none";
      figure.chip.classList.toggle("off", !shown);
      figure.chip.classList.toggle("gone", shown === 0);
      figure.chip.classList.toggle("may", seen.may_go.includes(unit.id));
      figure.chip.setAttribute("aria-label", unit.id + (seen.may_go.includes(unit.id) ? ", can be ordered now" : ""));
      if (!shown) return;
      dress(figure, unit, shown);
      figure.group.style.transform = `translate(${shown[0] * fine}px,${shown[1] * fine}px)`;
    });
    placeLabels(at);
  }

  function placeLabels(at = now()) {
    if (!seen) return;
    const size = 12 / pixelsPerUnit(), taken = [];
    board.style.setProperty("--label", `${size}px`);
    const free = (box) => taken.every((o) => box.x1 <= o.x0 || o.x1 <= box.x0 || box.y1 <= o.y0 || o.y1 <= box.y0);
    figures.forEach(({ label }, number) => {
      const shown = at.units[number], { id } = seen.units[number];
      label.style.display = "none";
      if (!shown) return;
      const r = radius(shown), x = shown[0] * fine, y = shown[1] * fine, wide = size * 0.62 * id.length + 2;
      const spots = [[x, y + r + size], [x, y - r - size * 0.35]];
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
    });
  }

  function drawTrails() {
    const layer = byId("trails"), first = moments.findIndex((one) => one.order === moments.at(-2)?.order);
    layer.replaceChildren();
    if (first < 0) return;
    layer.style.setProperty("stroke-width", `${1 / Math.max(pixelsPerUnit(), 0.01)}px`);
    seen.units.forEach((unit, at) => {
      const points = [];
      for (const one of moments.slice(first)) {
        const shown = one.units[at];
        if (!shown) { points.length = 0; continue; }
        const point = `${shown[0] * fine} ${shown[1] * fine}`;
        if (points.at(-1) !== point) points.push(point);
      }
      if (points.length < 2) return;
      for (const className of ["under", "over"]) drawn("path", { class: `${className} side-${unit.number}`, d: `M${points.join("L")}` }, layer);
    });
  }

  let timer = 0;

  function drawMoment(moving) {
    clearInterval(timer);
    drawUnits();
    drawTrails();
    drawAccount();
    drawHistory();
    showQuestion();
    byId("status").textContent = seen.clock + (seen.over ? ", over" : "");
    const first = moments.findIndex((one) => one.order === moments.at(-2)?.order);
    if (!moving || still.matches || first < 0 || moments.length - first < 2) {
      placeUnits(now());
      return;
    }
    // The last order as it was carried out, in about a second.
    let at = first;
    const pace = Math.max(40, Math.min(260, 1200 / (moments.length - first)));
    board.style.setProperty("--pace", `${pace}ms`);
    board.classList.add("moving");
    placeUnits(moments[at]);
    timer = setInterval(() => {
      at += 1;
      placeUnits(moments[Math.min(at, moments.length - 1)]);
      if (at < moments.length - 1) return;
      clearInterval(timer);
      board.classList.remove("moving");
    }, pace);
  }

  function drawAccount() {
    const account = byId("account");
    account.innerHTML = seen.account;
    byId("clauses").innerHTML = seen.clauses;
    const sections = [...account.querySelectorAll("[data-order]")];
    sections.at(-1)?.classList.add("current");
    account.querySelector(".order.current .ledger")?.setAttribute("open", "");
  }

  // An order of the account leads to the moment before it.
  byId("account").addEventListener("click", (event) => {
    const head = event.target.closest(".head"), section = event.target.closest("[data-order]");
    if (!head || !section) return;
    const steps = stepsTo(here).slice(0, seen.begins[+section.dataset.order]);
    goTo(walk(steps));
  });

  // --- a unit and where it can end ---

  let chosen = -1, action = "", values = {}, shade = "cost", reach = null;

  function letGo() {
    chosen = -1;
    reach = null;
    unpoint();
    if (!board) return;
    byId("bands")?.replaceChildren();
    byId("ask").hidden = true;
    for (const figure of figures) {
      figure.group.classList.remove("chosen-unit");
      figure.chip.setAttribute("aria-pressed", "false");
    }
  }

  async function choose(at) {
    letGo();
    if (at < 0 || seen.question) return;
    chosen = at;
    figures[at].group.classList.add("chosen-unit");
    figures[at].chip.setAttribute("aria-pressed", "true");
    await showReach();
  }

  const question = () => ({ unit: seen.units[chosen].id, action, values, shade });

  async function showReach() {
    const at = chosen;
    unpoint();
    reach = null;
    byId("bands").replaceChildren();
    showCard();
    let found;
    const asked = JSON.stringify([question(), stepsTo(here)]);
    try {
      found = await ask("reach", question(), `computing where ${seen.units[at].id} can end`);
    } catch (error) {
      if (chosen === at) showCard(error.message);
      return;
    }
    if (chosen !== at || asked !== JSON.stringify([question(), stepsTo(here)])) return;
    reach = found;
    for (const { path, colour } of found.bands) {
      drawn("path", {
        d: path, fill: colour, stroke: "#2a272366", "stroke-width": 1.2 / fine, "fill-rule": "evenodd", transform: `scale(${fine})`,
      }, byId("bands"));
    }
    showCard();
  }

  function showCard(problem) {
    const box = byId("ask"), unit = seen.units[chosen], shown = now().units[chosen];
    box.hidden = false;
    box.replaceChildren();
    made("h3", unit.id, "", box);
    const facing = shown && shown[2] !== null ? `, facing ${shown[2]}°` : "";
    made("p", [unit.side, unit.type, shown ? `at ${shown[5]}${facing}` : "not on the board"].filter(Boolean).join(", "), "soft", box);
    if (shown && shown[4]) made("p", shown[4], "", box);
    const actions = made("div", "", "actions", box);
    actions.setAttribute("role", "group");
    actions.setAttribute("aria-label", "Reach of which action");
    const taken = action || reach?.action || "";
    for (const [name, about] of Object.entries(opened.actions)) {
      const one = button(spoken(name), () => { action = name; values = {}; showReach(); }, actions);
      one.title = about;
      one.setAttribute("aria-pressed", String(name === taken));
    }
    for (const one of ["cost", "chance"]) {
      const by = button(`by ${one}`, () => { shade = one; showReach(); }, actions, "soft");
      by.setAttribute("aria-pressed", String(shade === one));
    }
    showValues(taken, box);
    if (problem) made("p", problem, "bad", box);
    if (!reach) return;
    if (!reach.bands.length) made("p", "It can end nowhere with this action.", "bad", box);
    const keys = made("div", "", "keys bands", box);
    for (const { label, colour } of reach.bands) {
      const line = made("div", "", "key", keys);
      drawn("rect", { x: 0.5, y: 0.5, width: 15, height: 12, rx: 2, fill: colour },
        drawn("svg", { viewBox: "0 0 16 13", "aria-hidden": "true" }, line));
      made("span", label, "", line);
    }
    if (Object.keys(options).length) button("Compare with the rules of the file", compare, made("div", "", "choices", box));
  }

  function showValues(taken, parent) {
    const list = made("div", "", "values", parent);
    for (const [name, about] of Object.entries(opened.asks)) {
      if (about.for.length && !about.for.includes(taken)) continue;
      const label = made("label", `${spoken(name)} `, "", list), words = about.unit ? seen.units.map((unit) => unit.id) : about.words;
      label.title = about.about;
      const field = made(words.length ? "select" : "input", "", "", label);
      if (words.length) field.append(new Option("—", ""), ...words.map((word) => new Option(spoken(word), word)));
      field.value = values[name] || "";
      field.addEventListener("change", () => {
        values = { ...values, [name]: field.value };
        if (!field.value) delete values[name];
        showReach();
      });
    }
  }

  async function compare() {
    const at = chosen;
    let found;
    try {
      found = await ask("compare", { ...question(), options: {}, changes: options }, "comparing");
    } catch (error) {
      showCard(error.message);
      return;
    }
    if (chosen !== at) return;
    reach = { ...reach, bands: found.bands };
    byId("bands").replaceChildren();
    for (const { path, colour } of found.bands) drawn("path", { d: path, fill: colour, "fill-rule": "evenodd", transform: `scale(${fine})` }, byId("bands"));
    showCard();
    const changed = found.options.map((one) => `${one.name}: ${one.before} → ${one.after} (${one.clause})`);
    made("p", changed.join("; "), "soft", byId("ask"));
  }

  // --- a place: what it costs, or why not ---

  let pointed = null, state = "", held = false, waiting = null, asking = false, dwell = 0, way = null;

  function unpoint() {
    pointed = null;
    way = null;
    held = false;
    state = "";
    clearTimeout(dwell);
    if (!board) return;
    byId("pointer")?.replaceChildren();
    byId("ways")?.replaceChildren();
    byId("answer").hidden = true;
  }

  // What lies at a point of the picture: a square or dot by row and column, or a place in inches.
  function placeAt([x, y]) {
    if (opened.cells) {
      const { origin, along, down } = opened.cells;
      const dx = x / fine - origin[0], dy = y / fine - origin[1], whole = along[0] * down[1] - along[1] * down[0];
      const column = Math.round((dx * down[1] - dy * down[0]) / whole), row = Math.round((dy * along[0] - dx * along[1]) / whole);
      const at = [origin[0] + column * along[0] + row * down[0], origin[1] + column * along[1] + row * down[1]];
      return row < 0 || column < 0 ? null : { key: `${row} ${column}`, fields: { cell: [row, column] }, at: [at[0] * fine, at[1] * fine] };
    }
    const [left, top, minX, maxY, pixels] = opened.plane;
    const inches = [minX + (x - left) / pixels, maxY - (y - top) / pixels].map((number) => Math.round(number * 10) / 10);
    return { key: inches.join(), fields: { place: inches.join() }, at: [left + (inches[0] - minX) * pixels, top + (maxY - inches[1]) * pixels] };
  }

  function point(place, hold = false) {
    if (chosen < 0 || !place) return;
    if (pointed && pointed.key === place.key && held === hold) return;
    pointed = place;
    held = hold;
    way = null;
    drawPointer("");
    byId("ways").replaceChildren();
    later();
  }

  const placeFields = () => ({ ...question(), ...pointed.fields, state });

  // One question at a time; of those that came meanwhile the last one is asked next.
  async function later() {
    clearTimeout(dwell);
    if (asking) { waiting = pointed; return; }
    asking = true;
    waiting = null;
    const about = pointed, asked = [stepsTo(here).length, chosen, state].join();
    const current = () => about === pointed && chosen >= 0 && asked === [stepsTo(here).length, chosen, state].join();
    try {
      const found = await ask("place", placeFields(), "");
      if (current()) {
        showPlace(found);
        dwell = setTimeout(() => detail(found, about, current), held ? 0 : 220);
      }
    } catch (error) {
      if (current()) showPlace({ place: "", reachable: false, problem: error.message });
    } finally {
      asking = false;
      if (waiting && waiting === pointed && waiting !== about) later();
    }
  }

  async function detail(place, about, current) {
    try {
      const found = await ask(place.reachable ? "way" : "why_not", placeFields(), place.reachable ? "computing the way" : "computing why not");
      if (!current()) return;
      if (place.reachable) way = found;
      showPlace(place, found);
      drawWay(found);
    } catch (error) {
      if (current()) showPlace({ ...place, problem: error.message });
    }
  }

  function drawPointer(kind) {
    const layer = byId("pointer"), [x, y] = pointed.at, shown = now().units[chosen];
    layer.replaceChildren();
    layer.setAttribute("class", kind);
    const r = shown ? Math.max(6, radius(shown)) : opened.unit * 0.42;
    drawn("circle", { cx: x, cy: y, r }, layer);
    const heading = /facing (-?[\d.]+)/.exec(state);
    const angle = heading ? +heading[1] : way?.turned && !Number.isNaN(+way.turned) ? +way.turned : null;
    if (angle !== null && opened.headings) {
      const [dx, dy] = [Math.cos(angle * Math.PI / 180), -Math.sin(angle * Math.PI / 180)];
      const far = r * 1.8 + 6 / pixelsPerUnit();
      drawn("path", { d: `M${x + dx * r} ${y + dy * r}L${x + dx * far} ${y + dy * far}` }, layer);
      if (held) {
        const handle = drawn("circle", { class: "handle", cx: x + dx * far, cy: y + dy * far, r: 7 / pixelsPerUnit() }, layer);
        drawn("title", {}, handle).textContent = "drag to turn";
      }
    }
  }

  function showPlace(place, found) {
    const box = byId("answer");
    box.hidden = false;
    box.replaceChildren();
    drawPointer(place.reachable ? "yes" : "no");
    byId("status").textContent = place.reachable ? `${place.place}: ${place.cost}` : `${place.place || "there"}: ${place.problem || "not within reach"}`;
    made("h3", place.reachable ? `${place.place}: ${place.cost}` : `${place.place || "There"}: not within reach`, place.reachable ? "" : "bad", box);
    if (place.problem) made("p", place.problem, "bad", box);
    if (opened.headings && place.reachable) showHeadings(place, box);
    if (!found) {
      if (!place.problem) made("p", "…", "soft", box);
      return;
    }
    if (found.reasons) showWhyNot(found, box);
    else showWay(found, box);
  }

  function showHeadings(place, box) {
    const listed = (place.headings || []).slice(0, 6)
      .map(([first, last, cost]) => (first === last ? `${first}°: ${cost}` : `${first}° to ${last}°: ${cost}`));
    if (!/^0° to 360°/.test(listed[0] || "")) made("p", `headings ${listed.join(", ")}${place.headings.length > 6 ? ", …" : ""}`, "soft", box);
  }

  function showWay(found, box) {
    for (const order of found.orders) made("p", order, "orders", box);
    if (!found.orders.length) made("p", "it is there already", "soft", box);
    const row = made("div", "", "go", box);
    button("Go there", goThere, row).disabled = !found.orders.length;
    if (opened.headings || opened.levels) {
      const field = made("input", "", "", row);
      field.placeholder = opened.headings ? "facing 90" : "level 1";
      field.value = state;
      field.setAttribute("aria-label", "Heading or level at the end");
      field.addEventListener("change", () => turnTo(field.value.trim()));
    }
    const table = made("table", "", "price-lines", box);
    const line = (what, price, clause) => {
      const row = made("tr", "", "", table);
      made("td", what, "", row);
      made("td", price, "", row);
      made("td", clause, "soft", row);
    };
    const words = found.words;
    found.price.forEach(({ what, clause }, at) => line(what, words.price[at], clause));
    if (found.price.length) line("in all", words.cost, "");
    for (const roll of words.rolls) made("p", roll, "", box);
    if (words.chance_of_rolls) made("p", `all rolls pass with a chance of ${words.chance_of_rolls}`, "", box);
    for (const ending of words.endings.slice(0, 6)) made("p", ending, "soft", box);
    made("p", words.interrupted, "", box);
    for (const one of words.interruptions.slice(0, 8)) made("p", one, "soft", box);
    for (const { message } of found.not_now) made("p", `Not now: ${message}`, "bad", box);
  }

  function showWhyNot(found, box) {
    listReasons(found.reasons, box);
    if (found.remedy) made("p", `It would take: ${found.remedy}`, "", box);
    const { nearest, nearest_cost: price } = found.words;
    if (!nearest) return;
    const cost = price ? ` for ${price}` : "";
    made("p", `Nearest legal end: ${nearest}${cost}`, "", box);
    const row = made("div", "", "go", box);
    button("Point there", () => {
      const [at, facing] = nearest.split(/ (?=facing|level)/);
      state = facing || "";
      point({ key: nearest, fields: { place: at }, at: found.nearest_at.map((n) => n * fine) }, true);
    }, row);
  }

  function drawWay(found) {
    const layer = byId("ways");
    layer.replaceChildren();
    if (found.nearest_at) {
      const [x, y] = found.nearest_at, r = now().units[chosen] ? radius(now().units[chosen]) : opened.unit * 0.42;
      drawn("circle", { class: "nearest", cx: x * fine, cy: y * fine, r }, layer);
    }
    for (const { points } of found.ways || []) {
      const d = `M${points.map(([x, y]) => `${x * fine} ${y * fine}`).join("L")}`;
      for (const className of ["under", "over"]) drawn("path", { class: className, d }, layer);
    }
    for (const { at, number, label } of found.spots || []) {
      const size = 9 / pixelsPerUnit(), mark = drawn("g", {}, layer);
      drawn("title", {}, mark).textContent = label;
      drawn("circle", { class: "mark", cx: at[0] * fine, cy: at[1] * fine, r: size }, mark);
      const text = drawn("text", { x: at[0] * fine, y: at[1] * fine + size * 0.4, "font-size": size * 1.25 }, mark);
      text.textContent = number;
    }
    drawPointer(byId("pointer").getAttribute("class"));
  }

  async function goThere() {
    if (chosen < 0 || !pointed) return;
    if (!way) {
      try {
        way = await ask("way", placeFields(), "computing the way");
      } catch (error) {
        refuse(error);
        return;
      }
    }
    if (way.orders.length) give(way.orders[0], way.orders.slice(1));
  }

  function turnTo(text) {
    state = text;
    if (!pointed) return;
    pointed = { ...pointed };
    later();
  }

  function turnBy(degrees) {
    if (!pointed || !opened.headings) return;
    const given = /facing (-?[\d.]+)/.exec(state), from = given ? +given[1] : +(way?.turned ?? now().units[chosen]?.[2] ?? 0) || 0;
    turnTo(`facing ${(((from + degrees) % 360) + 360) % 360}`);
  }

  // --- pointer, touch, keys ---

  const pointers = new Map();
  let moved = 0, dragging = -1, turning = false;

  function pixelsPerUnit() {
    const matrix = board.getScreenCTM();
    return (matrix ? matrix.a : 1) * view.k;
  }

  function onBoard(x, y) {
    const matrix = board.getScreenCTM();
    return matrix ? [(x - matrix.e) / matrix.a, (y - matrix.f) / matrix.d] : [0, 0];
  }

  const onWorld = (event) => onBoard(event.clientX, event.clientY).map((value, axis) => (value - (axis ? view.y : view.x)) / view.k);

  function look() {
    const [wide, tall] = opened.size, slack = 0.5;
    view.x = Math.min(wide * slack, Math.max(view.x, wide * (1 - slack) - wide * view.k));
    view.y = Math.min(tall * slack, Math.max(view.y, tall * (1 - slack) - tall * view.k));
    world.setAttribute("transform", `translate(${view.x.toFixed(2)} ${view.y.toFixed(2)}) scale(${view.k.toFixed(4)})`);
    board.classList.toggle("near", view.k > 1.01);
    placeLabels();
  }

  function zoom(by, at) {
    const [x, y] = at || [opened.size[0] / 2, opened.size[1] / 2];
    const k = Math.min(12, Math.max(1, view.k * by)), ratio = k / view.k;
    view = k === 1 ? { x: 0, y: 0, k } : { x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio, k };
    look();
  }

  const fit = () => { view = { x: 0, y: 0, k: 1 }; look(); };

  const unitOf = (event) => {
    const group = event.target instanceof Element && event.target.closest(".unit");
    return group ? +group.dataset.unit : -1;
  };

  // What is listened for on the board itself, which is another one in every scenario.
  function listen() {
    board.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) * 0.0025), onBoard(event.clientX, event.clientY));
    }, { passive: false });
    board.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      moved = 0;
      turning = event.target instanceof Element && event.target.classList.contains("handle");
      dragging = event.pointerType === "mouse" ? unitOf(event) : -1;
    });
    board.addEventListener("pointermove", (event) => {
      if (pointers.size || held || chosen < 0 || event.pointerType !== "mouse") return;
      point(placeAt(onWorld(event)));
    });
    board.addEventListener("dblclick", (event) => {
      if (chosen < 0 || unitOf(event) >= 0) return;
      point(placeAt(onWorld(event)), true);
      goThere();
    });
  }

  addEventListener("pointermove", (event) => {
    const old = pointers.get(event.pointerId);
    if (!old) return;
    const spot = [event.clientX, event.clientY];
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    pointers.set(event.pointerId, spot);
    moved += Math.hypot(spot[0] - old[0], spot[1] - old[1]);
    if (moved < 4) return;
    if (turning) {
      // On dots there are six headings; on a table it turns by five degrees.
      const [x, y] = onWorld(event), step = opened.cells ? 60 : 5;
      const angle = Math.atan2(pointed.at[1] - y, x - pointed.at[0]) * 180 / Math.PI;
      state = `facing ${(Math.round(angle / step) * step + 360) % 360}`;
      drawPointer(byId("pointer").getAttribute("class"));
      return;
    }
    if (dragging >= 0) {
      drag(event);
      return;
    }
    board.classList.add("held");
    if (others.length === 1) {
      const [other] = others, apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      if (apart(old) > 0) zoom(apart(spot) / apart(old), onBoard((spot[0] + other[0]) / 2, (spot[1] + other[1]) / 2));
    } else if (!others.length && view.k > 1) {
      const from = onBoard(...old), to = onBoard(...spot);
      view.x += to[0] - from[0];
      view.y += to[1] - from[1];
      look();
    }
  });

  // A unit that is dragged stays where it stands, and a ring goes along with the pointer.
  function drag(event) {
    if (seen.question) return;
    if (chosen !== dragging) choose(dragging);
    figures[dragging].group.classList.add("dragged");
    held = false;
    point(placeAt(onWorld(event)));
  }

  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    board.classList.remove("held");
    const dragged = dragging;
    dragging = -1;
    if (turning) {
      turning = false;
      if (moved >= 4) turnTo(state);
      return;
    }
    if (dragged >= 0) figures[dragged]?.group.classList.remove("dragged");
    if (event.type !== "pointerup") return;
    if (dragged >= 0 && moved >= 4) {
      point(placeAt(onWorld(event)), true);
      return;
    }
    if (moved >= 4 || pointers.size || !board.contains(event.target)) return;
    const unit = unitOf(event);
    if (unit >= 0) choose(unit === chosen ? -1 : unit);
    else if (chosen >= 0) point(placeAt(onWorld(event)), true);
  };
  addEventListener("pointerup", release);
  addEventListener("pointercancel", release);

  // By keys the pointer goes from square to square, from dot to dot, or by half inches.
  function step(dx, dy, far) {
    const by = (far ? 5 : 1) * (opened.cells ? opened.unit : opened.unit / 2), from = pointed ? pointed.at : now().units[chosen]?.slice(0, 2).map((n) => n * fine);
    if (!from) return;
    for (let times = 1; times <= 3; times++) {
      const place = placeAt([from[0] + dx * by * times, from[1] + dy * by * times]);
      if (place && place.key !== pointed?.key) {
        point(place, true);
        return;
      }
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !opened || !seen) return;
    const on = event.target instanceof Element ? event.target : document.body;
    if (on.closest("input,select,textarea")) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (arrows[key] && chosen >= 0) {
      event.preventDefault();
      step(...arrows[key], event.shiftKey);
      return;
    }
    const ownEnter = on.closest("button,summary") && !(on.classList.contains("chip") && pointed);
    const acts = {
      Enter: pointed && !ownEnter ? goThere : null, u: undo, r: redo, n: nextOfScript, t: turnTheme,
      "[": () => turnBy(opened.cells ? 60 : 15), "]": () => turnBy(opened.cells ? -60 : -15),
      "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), "0": fit,
      Escape: () => { if (running.size) stopAll(); if (held) { held = false; unpoint(); } else letGo(); hideNote(true); },
    };
    if (!acts[key]) return;
    event.preventDefault();
    acts[key]();
  });

  byId("nearer").addEventListener("click", () => zoom(1.4));
  byId("farther").addEventListener("click", () => zoom(1 / 1.4));
  byId("whole").addEventListener("click", fit);
  byId("orderform").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = byId("order").value.trim();
    if (!text) return;
    give(seen.question && !text.startsWith("? ") ? `? ${text}` : text);
    byId("order").value = "";
  });

  // --- house rules ---

  function showOptions() {
    const list = byId("options");
    list.replaceChildren();
    byId("rules").hidden = !opened.options.length;
    byId("rules").querySelector("summary").textContent = `House rules${Object.keys(options).length ? ` (${Object.keys(options).length} changed here)` : ""}`;
    for (const option of opened.options) {
      const label = made("label", "", option.name in options ? "changed" : "", list);
      made("span", spoken(option.name), "", label);
      const field = made(option.values.length ? "select" : "input", "", "", label);
      if (option.values.length) field.append(...option.values.map((value) => new Option(spoken(value), value)));
      field.value = option.value;
      made("span", [option.clause, option.about].filter(Boolean).join(": "), "about", label);
      field.addEventListener("change", async () => {
        const changed = { ...options, [option.name]: field.value };
        if (!(await open(scenario, changed, stepsTo(here))) && !(option.name in options)) field.value = option.value;
      });
    }
  }

  // --- files ---

  function download(name, text, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const attempt = (act) => async () => {
    try {
      await act();
    } catch (error) {
      refuse(error);
    }
  };
  byId("save").addEventListener("click", attempt(async () => {
    download(`${scenario.replace(/\W+/g, "_")}.yaml`, (await ask("save", { name: opened.title }, "writing")).text, "application/yaml");
  }));
  byId("picture").addEventListener("click", attempt(async () => {
    const about = chosen < 0 ? { unit: "" } : question();
    download(`${scenario.replace(/\W+/g, "_")}.svg`, (await ask("picture", about, "drawing")).text, "image/svg+xml");
  }));
  byId("geojson").addEventListener("click", attempt(async () => {
    if (chosen < 0) throw new Refused({ message: "choose a unit first: the file holds where it can end" });
    download(`${scenario.replace(/\W+/g, "_")}.geojson`, JSON.stringify(await ask("geojson", question(), "writing")), "application/geo+json");
  }));
  byId("link").addEventListener("click", attempt(async () => {
    keepAddress();
    await navigator.clipboard.writeText(location.href);
    byId("status").textContent = "The link to this moment is copied.";
  }));

  // --- clauses, light and dark ---

  const note = byId("note");
  let open_note = null;

  function showNote(clause, hold) {
    const text = byId(`clause-${clause.textContent}`);
    hideNote(true);
    if (hold) open_note = clause;
    note.replaceChildren(text ? text.cloneNode(true) : made("p", `The text of ${clause.textContent} is not at hand.`));
    for (const part of note.querySelectorAll("[id]")) part.removeAttribute("id");
    note.hidden = false;
    const spot = clause.getBoundingClientRect(), box = note.getBoundingClientRect();
    const below = spot.bottom + 8 + box.height < innerHeight || spot.top < box.height + 8;
    note.style.left = `${Math.max(12, Math.min(spot.left, innerWidth - box.width - 12))}px`;
    note.style.top = `${Math.max(8, below ? spot.bottom + 8 : spot.top - box.height - 8)}px`;
  }

  function hideNote(also) {
    if (open_note && !also) return;
    open_note = null;
    note.hidden = true;
  }

  document.addEventListener("click", (event) => {
    const clause = event.target instanceof Element && event.target.closest(".clause");
    if (clause) {
      if (open_note === clause) hideNote(true);
      else showNote(clause, true);
    } else if (!note.contains(event.target)) hideNote(true);
  });

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const setTheme = (theme) => { document.documentElement.dataset.theme = theme; };
  const turnTheme = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  setTheme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", turnTheme);
  addEventListener("resize", () => { if (opened) placeLabels(); });

  // --- beginning ---

  async function begin() {
    let names;
    try {
      names = (await request("scenarios", null, "looking for scenarios")).scenarios;
    } catch (error) {
      refuse(error);
      return;
    }
    byId("scenario").append(...names.map((name) => new Option(spoken(name), name)));
    byId("pick").hidden = names.length < 2;
    byId("scenario").addEventListener("change", () => open(byId("scenario").value, {}, []));
    const asked = readAddress();
    if (asked) await open(asked.name, asked.chosen, asked.steps);
    if (!opened) await open(names[0], {}, []);
  }

  addEventListener("hashchange", () => {
    const asked = readAddress();
    if (asked && location.hash !== written()) open(asked.name, asked.chosen, asked.steps);
  });
  begin();
})();
