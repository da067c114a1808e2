// A place that is pointed at: what it costs and how it is reached, or why not.
import { ask, between } from "./asking.js";
import { fine, placeAt, sizeOf } from "./board.js";
import { give } from "./history.js";
import { now, stepsTo, table } from "./moment.js";
import { button, listReasons, refuse } from "./parts.js";
import { choice, question, standAt } from "./reach.js";

const { byId, drawn, made } = Tabletop;

// `held` stays when the pointer goes on; `state` is a heading or a level at the end.
export const target = { place: null, held: false, state: "", way: null };
let waiting = null, asking = false, dwell = 0;

export function unpoint() {
  Object.assign(target, { place: null, held: false, state: "", way: null });
  clearTimeout(dwell);
  byId("pointer")?.replaceChildren();
  byId("ways")?.replaceChildren();
  byId("answer").hidden = true;
}

export function point(place, hold = false) {
  if (choice.unit < 0 || !place) return;
  if (target.place && target.place.key === place.key && target.held === hold) return;
  Object.assign(target, { place, held: hold, way: null });
  drawPointer("");
  byId("ways").replaceChildren();
  later();
}

const fields = () => ({ ...question(), ...target.place.fields, state: target.state });

// One question at a time; of those that came meanwhile the last one is asked next.
async function later() {
  clearTimeout(dwell);
  if (asking) { waiting = target.place; return; }
  asking = true;
  waiting = null;
  const about = target.place, key = () => [stepsTo(table.here).length, choice.unit, choice.stood, target.state].join(), asked = key();
  const current = () => about === target.place && choice.unit >= 0 && asked === key();
  try {
    const found = await between(() => ask("place", fields(), ""));
    if (current()) {
      showPlace(found);
      dwell = setTimeout(() => detail(found, current), target.held ? 0 : 220);
    }
  } catch (error) {
    if (current()) showPlace({ place: "", reachable: false, problem: error.message });
  } finally {
    asking = false;
    if (waiting && waiting === target.place && waiting !== about) later();
  }
}

async function detail(place, current) {
  try {
    const asked = place.reachable ? ["way", fields(), "computing the way"] : ["why_not", fields(), "computing why not"];
    const found = await between(() => ask(...asked));
    if (!current()) return;
    if (place.reachable) target.way = found;
    showPlace(place, found);
    drawWay(found);
    if (!place.reachable || !table.opened.headings) return;
    const { headings } = await between(() => ask("headings", fields(), ""));
    if (current()) showHeadings(headings);
  } catch (error) {
    if (current()) showPlace({ ...place, problem: error.message });
  }
}

// --- on the board ---

export function drawPointer(kind = byId("pointer").getAttribute("class")) {
  const layer = byId("pointer"), [x, y] = target.place.at;
  layer.replaceChildren();
  layer.setAttribute("class", kind);
  const r = Math.max(6, sizeOf(choice.unit));
  drawn("circle", { cx: x, cy: y, r }, layer);
  const heading = /facing (-?[\d.]+)/.exec(target.state), arrived = target.way?.turned;
  const angle = heading ? +heading[1] : arrived && !Number.isNaN(+arrived) ? +arrived : null;
  if (angle === null || !table.opened.headings) return;
  const [dx, dy] = [Math.cos(angle * Math.PI / 180), -Math.sin(angle * Math.PI / 180)];
  const far = r * 1.8 + 6 / table.view.pixelsPerUnit();
  drawn("path", { d: `M${x + dx * r} ${y + dy * r}L${x + dx * far} ${y + dy * far}` }, layer);
  if (!target.held) return;
  const handle = drawn("circle", { class: "handle", cx: x + dx * far, cy: y + dy * far, r: 7 / table.view.pixelsPerUnit() }, layer);
  drawn("title", {}, handle).textContent = "drag to turn";
}

function drawWay(found) {
  const layer = byId("ways"), step = fine();
  layer.replaceChildren();
  if (found.nearest_at) {
    const [x, y] = found.nearest_at;
    drawn("circle", { class: "nearest", cx: x * step, cy: y * step, r: sizeOf(choice.unit) }, layer);
  }
  for (const { points, fails } of found.ways || []) {
    const d = `M${points.map(([x, y]) => `${x * step} ${y * step}`).join("L")}`;
    for (const className of ["under", "over"]) drawn("path", { class: `${className}${fails ? " fails" : ""}`, d }, layer);
  }
  for (const { at, number, label } of found.spots || []) {
    const size = 9 / table.view.pixelsPerUnit(), mark = drawn("g", {}, layer);
    drawn("title", {}, mark).textContent = label;
    drawn("circle", { class: "mark", cx: at[0] * step, cy: at[1] * step, r: size }, mark);
    const text = drawn("text", { x: at[0] * step, y: at[1] * step + size * 0.4, "font-size": size * 1.25 }, mark);
    text.textContent = number;
  }
  drawPointer();
}

// --- in words ---

function showPlace(place, found) {
  const box = byId("answer"), name = place.place || "There";
  box.hidden = false;
  box.replaceChildren();
  drawPointer(place.reachable ? "yes" : "no");
  byId("status").textContent = place.reachable ? `${place.place}: ${place.cost}` : `${place.place || "there"}: ${place.problem || "not within reach"}`;
  made("h3", place.reachable ? `${place.place}: ${place.cost}` : `${name}: not within reach`, place.reachable ? "" : "bad", box);
  if (place.problem) made("p", place.problem, "bad", box);
  if (table.opened.headings && place.reachable) made("p", "", "soft headings", box);
  if (found && found.reasons) showWhyNot(found, box);
  else if (found) showWay(found, box);
  else if (!place.problem) made("p", "…", "soft", box);
  if (target.held && place.place) {
    button("What if it stood here?", () => standAt(place.place), made("div", "", "choices", box));
  }
}

function showHeadings(headings) {
  const listed = headings.slice(0, 6).map(([first, last, cost]) => `${first}°${first === last ? "" : ` to ${last}°`}: ${cost}`);
  if (/^0° to 360°/.test(listed[0] || "")) return;
  byId("answer").querySelector(".headings").textContent = `headings ${listed.join(", ")}${headings.length > 6 ? ", …" : ""}`;
}

function showWay(found, box) {
  for (const order of found.orders) made("p", order, "orders", box);
  if (!found.orders.length) made("p", "it is there already", "soft", box);
  const row = made("div", "", "go", box), go = button("Go there", goThere, row);
  go.disabled = !found.orders.length || Boolean(choice.stood);
  if (choice.stood) go.title = "It does not stand there: this is what it could do if it did.";
  if (table.opened.headings || table.opened.levels) {
    const field = made("input", "", "", row);
    field.placeholder = table.opened.headings ? "facing 90" : "level 1";
    field.value = target.state;
    field.setAttribute("aria-label", "Heading or level at the end");
    field.addEventListener("change", () => turnTo(field.value.trim()));
  }
  const lines = made("table", "", "price-lines", box);
  const line = (what, price, clause) => {
    const row = made("tr", "", "", lines);
    made("td", what, "", row);
    made("td", price, "", row);
    made("td", clause, "soft", row);
  };
  const { words } = found;
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
  made("p", `Nearest legal end: ${nearest}${price ? ` for ${price}` : ""}`, "", box);
  button("Point there", () => {
    const [at, facing] = nearest.split(/ (?=facing|level)/);
    target.state = facing || "";
    point({ key: nearest, fields: { place: at }, at: found.nearest_at.map((n) => n * fine()) }, true);
  }, made("div", "", "go", box));
}

// --- going there, turning, moving by keys ---

export async function goThere() {
  if (choice.unit < 0 || !target.place || choice.stood) return;
  if (!target.way) {
    try {
      target.way = await ask("way", fields(), "computing the way");
    } catch (error) {
      refuse(error);
      return;
    }
  }
  const { orders } = target.way;
  if (orders.length) give(orders[0], orders.slice(1));
}

export function turnTo(text) {
  target.state = text;
  if (!target.place) return;
  target.place = { ...target.place };
  later();
}

export function turnBy(degrees) {
  if (!target.place || !table.opened.headings) return;
  const given = /facing (-?[\d.]+)/.exec(target.state);
  const from = given ? +given[1] : +(target.way?.turned ?? now().units[choice.unit]?.[2] ?? 0) || 0;
  turnTo(`facing ${(((from + degrees) % 360) + 360) % 360}`);
}

// The handle is dragged: on dots there are six headings, on a table it turns by five degrees.
export function turnTowards([x, y]) {
  const step = table.opened.cells ? 60 : 5, [cx, cy] = target.place.at;
  const angle = Math.atan2(cy - y, x - cx) * 180 / Math.PI;
  target.state = `facing ${(Math.round(angle / step) * step + 360) % 360}`;
  drawPointer();
}

// By keys the pointer goes from square to square, from dot to dot, or by half inches.
export function step(dx, dy, far) {
  const { opened } = table, shown = now().units[choice.unit];
  const by = (far ? 5 : 1) * (opened.cells ? opened.unit : opened.unit / 2);
  const from = target.place ? target.place.at : shown && shown.slice(0, 2).map((n) => n * fine());
  if (!from) return;
  for (let times = 1; times <= 3; times++) {
    const place = placeAt([from[0] + dx * by * times, from[1] + dy * by * times]);
    if (place && place.key !== target.place?.key) {
      point(place, true);
      return;
    }
  }
}
