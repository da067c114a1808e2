// Shows what was found out beforehand: it knows where things are at each moment, and no rules.
(() => {
  const { byId, drawn, made, unfold, Figures, View, Gestures, unitOf } = Tabletop;
  const data = JSON.parse(byId("data").textContent);
  const [board, world, card, slider] = ["board", "world", "card", "slider"].map(byId);
  const account = byId("account"), caption = byId("caption"), playButton = byId("play");
  const last = data.moments.length - 1, fine = 1 / data.fineness;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // --- the moments, each in full ---

  const moments = unfold(data.units, data.moments);
  const firstOf = [];
  moments.forEach((moment, at) => { firstOf[moment.order] ??= at; });

  // --- the account: which lines belong to which moment ---

  const lines = [];
  for (const element of account.querySelectorAll("[data-m]")) (lines[+element.dataset.m] ??= []).push(element);
  const orders = new Map([...account.querySelectorAll("[data-order]")].map((e) => [+e.dataset.order, e]));

  // --- units on the board ---

  const figures = new Figures({ ...data, moments }, byId("units"), byId("labels"));

  function placeUnits(moment) {
    figures.place(moment);
    for (const chip of chips) {
      const shown = moment.units[+chip.dataset.unit];
      chip.classList.toggle("off", !shown);
      chip.classList.toggle("gone", shown === 0);
    }
  }

  const placeLabels = () => figures.placeLabels(moments[now], view, chosen());

  // --- the way gone since the order was given, and where something happens ---

  function drawTrails() {
    const from = Math.max(0, (firstOf[moments[now].order] ?? now) - 1);
    figures.drawTrails(moments.slice(from, now + 1), byId("trails"), view);
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
    figures.all.forEach((figure, number) => figure.group.classList.toggle("chosen-unit", number === at));
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
    } else if (shown === 0 || !moment.fields[at].aboard) {
      made("p", shown === 0 ? "no longer on the table" : "not on the board", "soft", card);
    }
    const list = made("p", "", "fields", card);
    for (const [name, value] of Object.entries(moment.fields[at])) {
      if (!value) continue;
      if (list.childNodes.length) list.append(" · ");
      made("span", name, "", list);
      list.append(` ${value}`);
    }
    if (!data.reach) return;
    if (!answer) {
      made("p", "no reach when this order was given", "soft", card);
      return;
    }
    const words = data.reach.words, choice = made("div", "", "actions", card);
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", "Reach of which action");
    for (const one of answers) {
      const button = made("button", words[one.a].replace(/_/g, " "), "", choice);
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
    made("p", HERE, "here", card);
  }

  // Of the place under the pointer the card tells the band, as far as the bands lie there.
  const HERE = "Point at the board for a place.";

  function tellPlace(event) {
    const line = card.querySelector(".here"), at = chosen();
    if (!line || event.pointerType !== "mouse") return;
    const answers = answersOf(at), answer = answers.find((one) => data.reach.words[one.a] === action) || answers[0];
    const [x, y] = view.onWorld(event), spot = board.createSVGPoint();
    [spot.x, spot.y] = [x / fine, y / fine];
    const paths = [...byId("bands").children], order = answer.d ? [...answer.b].reverse() : answer.b;
    const found = paths.findLastIndex((path) => path.isPointInFill(spot));
    line.textContent = found < 0 ? "There: not within reach." : `There: ${data.reach.words[order[found]]}.`;
  }
  board.addEventListener("pointermove", tellPlace);

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
  figures.all.forEach((figure, at) => {
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
    keepAddress();
    byId("first").disabled = byId("back").disabled = now === 0;
    byId("on").disabled = byId("end").disabled = now === last;
  }

  // The address holds the moment; a page inside another page has no address of its own.
  function keepAddress() {
    if (location.protocol === "about:" || timer) return;
    const address = now ? `#${now + 1}` : "";
    if (location.hash !== address) history.replaceState(null, "", address || location.href.split("#")[0]);
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
    if (!on) keepAddress();
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
      "+": () => view.zoom(1.4), "=": () => view.zoom(1.4), "-": () => view.zoom(1 / 1.4), "0": () => view.fit(),
      t: theme.turn, T: theme.turn,
      Escape: () => { pinned = hovered = -1; notes.hide(); drawReach(); },
    };
    const act = acts[event.key];
    if (!act) return;
    if (event.key !== "Escape") event.preventDefault();
    act();
  });

  // --- pan and zoom, clauses, light and dark ---

  const view = new View(board, world, data.size, placeLabels);
  const gestures = new Gestures({
    tap(event) {
      const unit = unitOf(event);
      if (unit >= 0) pin(unit);
      else if (board.contains(event.target) && pinned >= 0) pin(pinned);
    },
  });
  gestures.listenTo(view);
  byId("nearer").addEventListener("click", () => view.zoom(1.4));
  byId("farther").addEventListener("click", () => view.zoom(1 / 1.4));
  byId("whole").addEventListener("click", () => view.fit());

  const theme = Tabletop.theme(), notes = Tabletop.clauseNotes();
  account.addEventListener("scroll", notes.hide, { passive: true });

  addEventListener("resize", placeLabels);
  board.parentElement.style.setProperty("--shape", data.size[0] / data.size[1]);
  const asked = () => { const found = /^#(\d+)$/.exec(location.hash); return found ? +found[1] - 1 : 0; };
  addEventListener("hashchange", () => go(asked()));
  // Where there is little room, what is on the board is explained right below it.
  if (matchMedia("(max-width:820px)").matches) document.querySelector(".legend").open = true;
  go(asked());
})();
