// The scenario itself is changed: its text, and by hand what stands on the board. The text is what counts; the server
// changes it and finds what is wrong with it.
import { ask, Refused, request } from "./asking.js";
import { drawBoard, fine, placeAt, see, setUpBoard, sizeOf } from "./board.js";
import { drawSketch, finished, hasPieces, pieceTools, sketch, sketchPoint } from "./drawing.js";
import { open } from "./history.js";
import { now, stepsTo, table } from "./moment.js";
import { attempt, button, download, refuse, spoken } from "./parts.js";
import { letGo } from "./reach.js";

const { byId, drawn, made, unitOf } = Tabletop;
const HAND = "hand", UNIT = "unit", PIECE = "piece";

// `begun` is the text before any change; `tools` are what can be placed on this board.
const draft = { on: false, begun: "", text: "", past: [], future: [], tool: HAND, glyph: "", unit: "", tools: null, playable: false };
let waiting = 0, asked = 0, boardIsSetUp = () => {};

export const active = () => draft.on;
export function onBoardSetUp(act) { boardIsSetUp = act; }

// --- beginning and end ---

const begin = async () => edit((await ask("draft", {}, "reading the scenario")).draft);

async function edit(text) {
  letGo();
  refuse(null);
  Object.assign(draft, { on: true, begun: text, text, past: [], future: [], tool: HAND, glyph: "", unit: "", tools: null });
  draft.back = { setup: table.setup, steps: stepsTo(table.here) };
  byId("text").value = text;
  document.body.classList.add("editing");
  byId("edit").hidden = false;
  byId("text").scrollTop = 0;
  await check();
}

export function leave() {
  if (!draft.on) return;
  draft.on = false;
  clearTimeout(waiting);
  asked += 1;
  sketch.points = [];
  document.body.classList.remove("editing");
  byId("edit").hidden = true;
}

async function play() {
  if (!draft.playable) throw new Refused({ message: "it cannot be played before its faults are mended; they are listed above the text" });
  const { setup } = draft.back, text = draft.text;
  leave();
  if (text === draft.begun) await open(draft.back.setup, draft.back.steps);
  else await open({ ...setup, draft: text, options: {}, tables: {} }, []);
}

async function discard() {
  leave();
  await open(draft.back.setup, draft.back.steps);
}

// --- the text ---

function take(text) {
  if (text === draft.text) return;
  draft.past.push(draft.text);
  draft.future = [];
  draft.text = text;
}

async function change(...changes) {
  try {
    const { draft: text } = await ask("edit", { draft: draft.text, changes, ...NO_MOMENT }, "");
    take(text);
    byId("text").value = text;
    refuse(null);
  } catch (error) {
    refuse(error);
  }
  await check();
}

// A draft is asked about by itself; what JSON leaves out does not go along.
const NO_MOMENT = { scenario: undefined, options: undefined, tables: undefined, steps: undefined };

async function check() {
  const number = ++asked;
  let found;
  try {
    found = await ask("check", { draft: draft.text, ...NO_MOMENT }, "checking");
  } catch (error) {
    refuse(error);
    return;
  }
  if (number !== asked || !draft.on) return;
  showFaults(found);
  draft.playable = !found.faults.length;
  if (!found.shows) return;
  draft.tools = found.shows.tools;
  setUpBoard(found.shows.opened);
  see({ ...found.shows.moment, may_go: [], question: null });
  drawBoard(false, () => numberOf(draft.unit), (at) => pick(at));
  boardIsSetUp();
  showChosen();
  showTools();
  drawSketch();
}

function turnBack(from, to) {
  if (!from.length) return;
  to.push(draft.text);
  draft.text = from.pop();
  byId("text").value = draft.text;
  check();
}

const undo = () => turnBack(draft.past, draft.future);
const redo = () => turnBack(draft.future, draft.past);

function showFaults({ faults, notes }) {
  const box = byId("faults");
  box.replaceChildren();
  made("p", faults.length ? `${faults.length} ${faults.length === 1 ? "fault" : "faults"}` : "It can be played.", faults.length ? "bad" : "good", box);
  byId("unedit").disabled = !draft.past.length;
  byId("reedit").disabled = !draft.future.length;
  const list = made("ul", "", "reasons", box);
  for (const { line, message } of [...faults, ...notes].slice(0, 30)) {
    const item = made("li", "", "", list);
    if (line) button(`line ${line}`, () => show(line), item, "line");
    item.append(` ${message}`);
  }
}

// Mark a line of the text, in the middle of what is seen of it.
function show(line) {
  const text = byId("text"), lines = draft.text.split("\n"), begin = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(begin, begin + (lines[line - 1] || "").length);
  text.scrollTop = text.scrollHeight * Math.max(0, (line - 4) / lines.length);
}

// --- tools ---

const numberOf = (id) => table.seen.units.findIndex((unit) => unit.id === id);

function choose(tool, glyph = "") {
  Object.assign(draft, { tool, glyph });
  sketch.points = [];
  if (tool !== HAND) pick(-1);
  drawSketch();
  showTools();
}

function pick(at) {
  draft.unit = at < 0 || at === numberOf(draft.unit) ? "" : table.seen.units[at].id;
  if (draft.unit) Object.assign(draft, { tool: HAND, glyph: "" });
  showChosen();
  showTools();
}

function showChosen() {
  table.figures.all.forEach(({ group, chip }, at) => {
    const chosen = table.seen.units[at].id === draft.unit;
    group.classList.toggle("chosen-unit", chosen);
    chip.setAttribute("aria-pressed", String(chosen));
  });
}

function showTools() {
  const box = byId("tools"), { tools, tool, glyph } = draft;
  if (!tools) return;
  const before = document.activeElement?.id;
  const row = made("div", "", "actions"), detail = made("div", "", "values");
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "What a click on the board does");
  const add = (text, name, mark = "") => {
    const one = button(text, () => choose(name, mark), row);
    one.setAttribute("aria-pressed", String(tool === name && glyph === mark));
    return one;
  };
  add("Move units", HAND);
  add("Add a unit", UNIT);
  if (hasPieces(tools)) add("Draw a piece", PIECE);
  for (const look of tools.glyphs) add(`${look.glyph} ${look.about || "open"}`, "paint", look.glyph).classList.add("glyph");
  if (tool === UNIT) unitTools(detail);
  else if (tool === PIECE) pieceTools(detail, tools, change);
  else if (draft.unit) chosenTools(detail);
  box.replaceChildren(row, detail);
  if (before) byId(before)?.focus();
}

function field(parent, name, about, values, value = "") {
  const label = made("label", `${spoken(name)} `, "", parent);
  label.title = about;
  const element = made(values.length ? "select" : "input", "", "", label);
  if (values.length) element.append(...values.map((one) => new Option(spoken(one), one)));
  if (value !== "") element.value = value;
  element.dataset.field = name;
  element.id = `tool-${name}`;
  return element;
}

const typeOf = (name) => draft.tools.types.find((one) => one.name === name) || draft.tools.types[0];
const wanted = { type: "", side: "", fields: {} };

function unitTools(parent) {
  const { types, sides } = draft.tools;
  const taken = new Set(table.seen.units.map((unit) => unit.id));
  let number = 1;
  while (taken.has(`new${number}`)) number += 1;
  field(parent, "name", "its name in orders", [], wanted.name && !taken.has(wanted.name) ? wanted.name : `new${number}`)
    .addEventListener("change", (event) => { wanted.name = event.target.value; });
  wanted.type ||= types[0].name;
  field(parent, "type", typeOf(wanted.type).about, types.map((one) => one.name), wanted.type)
    .addEventListener("change", (event) => { wanted.type = event.target.value; showTools(); });
  field(parent, "side", "whose it is", [], wanted.side || sides[0] || "").addEventListener("change", (event) => { wanted.side = event.target.value; });
  for (const { name, about, values, wants, required } of typeOf(wanted.type).fields) {
    if (required) field(parent, name, about || wants, values, wanted.fields[name] ?? "").addEventListener("change", (event) => { wanted.fields[name] = event.target.value; });
  }
  made("p", "Click where it stands.", "soft", parent);
}

// What a person typed is a value as a file has it: a number, a list, a word.
const typed = (text) => {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

async function addUnit(place) {
  const values = {};
  for (const element of byId("tools").querySelectorAll("[data-field]")) values[element.dataset.field] = element.value.trim();
  const { name, type, side, ...rest } = values;
  const unit = { type, ...(side ? { side } : {}) };
  for (const [key, value] of Object.entries(rest)) if (typed(value) !== undefined) unit[key] = typed(value);
  await change(
    { do: "put", path: ["units", name], value: JSON.stringify(unit) },
    { do: "move", unit: name, ...placed(place) },
    ...(typeOf(type).faces ? [{ do: "put", path: ["units", name, "heading"], value: "0" }] : []),
  );
  wanted.name = "";
  showTools();
}

const placed = (place) => (place.inches ? { point: place.inches } : place.fields);

function chosenTools(parent) {
  const at = numberOf(draft.unit), unit = table.seen.units[at], shown = now().units[at], type = typeOf(unit.type);
  made("p", `${unit.id}: ${unit.type}${shown ? ` at ${shown[5]}` : ""}`, "", parent);
  if (shown && shown[2] !== null) {
    field(parent, "heading", "which way it faces", [], String(shown[2]))
      .addEventListener("change", (event) => set("heading", event.target.value));
  }
  const other = field(parent, "field", "another value of the unit", ["", ...type.fields.map((one) => one.name)]);
  const value = field(parent, "value", "written as in the file", []);
  other.addEventListener("change", () => {
    const chosen = type.fields.find((one) => one.name === other.value);
    value.placeholder = chosen ? chosen.values.slice(0, 4).join(", ") || chosen.wants : "";
    value.title = chosen ? [chosen.clause, chosen.about].filter(Boolean).join(": ") : "";
  });
  value.addEventListener("change", () => { if (other.value) set(other.value, value.value); });
  button("Remove it", removeUnit, parent);
}

const set = (name, value) => change({ do: "put", path: ["units", draft.unit, name], value });

function removeUnit() {
  const unit = draft.unit;
  if (!unit) return;
  draft.unit = "";
  change({ do: "remove", path: ["units", unit] });
}

// --- on the board ---

const spotOf = (event) => placeAt(table.view.onWorld(event));
const painting = () => draft.tool === "paint";

export function grab(event) {
  if (painting()) return { cells: new Map() };
  const unit = draft.tool === HAND ? unitOf(event) : -1;
  return unit < 0 ? null : { unit };
}

export function drag(held, event) {
  const place = spotOf(event);
  if (!place) return;
  if (held.cells) {
    paint(held.cells, place);
    return;
  }
  ghost(held.unit, place);
}

// A unit that is dragged stays where it stands until it is let go.
function ghost(unit, place) {
  const layer = byId("pointer"), [x, y] = place.at;
  table.figures.all[unit].group.classList.add("dragged");
  layer.replaceChildren();
  layer.setAttribute("class", "");
  drawn("circle", { cx: x, cy: y, r: Math.max(6, sizeOf(unit)) }, layer);
}

function paint(cells, place) {
  if (cells.has(place.key)) return;
  cells.set(place.key, place.fields.cell);
  const [x, y] = place.at, r = table.opened.unit * 0.36;
  drawn("circle", { class: "dab", cx: x, cy: y, r }, byId("sketch"));
}

export function drop(held, event, done) {
  byId("pointer").replaceChildren();
  const place = spotOf(event);
  if (held.cells) {
    byId("sketch").replaceChildren();
    if (done && held.cells.size) change({ do: "paint", cells: [...held.cells.values()], glyph: draft.glyph });
    return;
  }
  table.figures.all[held.unit]?.group.classList.remove("dragged");
  if (!done || !place) return;
  draft.unit = table.seen.units[held.unit].id;
  change({ do: "move", unit: draft.unit, ...placed(place) });
}

export function tap(event) {
  const place = spotOf(event);
  if (!place) return;
  if (painting()) change({ do: "paint", cells: [place.fields.cell], glyph: draft.glyph });
  else if (draft.tool === UNIT) addUnit(place);
  else if (draft.tool === PIECE) sketchPoint(place, change);
  else pick(unitOf(event));
}

export function hover(event) {
  const place = spotOf(event);
  if (place) byId("status").textContent = place.inches ? place.inches.join(", ") : "";
  if (draft.tool === PIECE && sketch.points.length && place) drawSketch(place);
}

function shift(dx, dy) {
  const at = numberOf(draft.unit), shown = at < 0 ? null : now().units[at];
  if (!shown) return;
  const by = table.opened.cells ? table.opened.unit : table.opened.unit / 2;
  const place = placeAt([shown[0] * fine() + dx * by, shown[1] * fine() + dy * by]);
  if (place) change({ do: "move", unit: draft.unit, ...placed(place) });
}

export const keys = (ownEnter) => ({
  Enter: ownEnter || draft.tool !== PIECE ? null : () => finished(change),
  Escape: () => { if (sketch.points.length) { sketch.points = []; drawSketch(); } else choose(HAND); },
  Delete: removeUnit, u: undo, r: redo,
  ArrowLeft: () => shift(-1, 0), ArrowRight: () => shift(1, 0), ArrowUp: () => shift(0, -1), ArrowDown: () => shift(0, 1),
});

// A new scenario begins as a small one that can be played.
async function beginNew() {
  const ruleset = byId("fresh").value;
  byId("fresh").value = "";
  if (!ruleset) return;
  const { draft: text } = await request("ask/new", { ruleset }, "setting out a scenario");
  await edit(text);
  draft.begun = "";
}

export async function listRulebooks() {
  const { rulebooks } = await request("ask/rulebooks", {}, "");
  byId("fresh").append(...rulebooks.map(({ name, title }) => new Option(title, name)));
}

byId("fresh").addEventListener("change", attempt(beginNew));
byId("editor").addEventListener("click", attempt(begin));
byId("play").addEventListener("click", attempt(play));
byId("discard").addEventListener("click", attempt(discard));
byId("unedit").addEventListener("click", undo);
byId("reedit").addEventListener("click", redo);
byId("keep").addEventListener("click", () => {
  download(`${(table.setup.scenario || "scenario").replace(/\W+/g, "_")}.yaml`, draft.text, "application/yaml");
});
byId("text").addEventListener("input", () => {
  take(byId("text").value);
  clearTimeout(waiting);
  waiting = setTimeout(check, 300);
});
