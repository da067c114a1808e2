// The chosen unit, and where it can end.
import { ask, askFor, nextStep, quiet, working } from "./asking.js";
import { fine } from "./board.js";
import { now, stepsTo, table } from "./moment.js";
import { button, drawBands, listBands, spoken } from "./parts.js";
import { unpoint } from "./place.js";

const { byId, made } = Tabletop;

// The seconds of a step in which more of an area is computed.
const STEP = 0.3;

// `stood` is where the unit would stand instead of where it does.
export const choice = { unit: -1, action: "", values: {}, shade: "cost", stood: "", reach: null };

export const question = () => ({
  unit: table.seen.units[choice.unit].id, action: choice.action, values: choice.values, shade: choice.shade, stood: choice.stood,
});

export function letGo() {
  Object.assign(choice, { unit: -1, stood: "", reach: null });
  unpoint();
  byId("bands")?.replaceChildren();
  byId("ask").hidden = true;
  for (const figure of table.figures?.all || []) {
    figure.group.classList.remove("chosen-unit");
    figure.chip.setAttribute("aria-pressed", "false");
  }
}

export async function choose(at) {
  letGo();
  if (at < 0 || table.seen.question) return;
  choice.unit = at;
  const { group, chip } = table.figures.all[at];
  group.classList.add("chosen-unit");
  chip.setAttribute("aria-pressed", "true");
  await showReach();
}

export async function showReach() {
  const at = choice.unit;
  unpoint();
  choice.reach = null;
  byId("bands").replaceChildren();
  showCard();
  const asked = question(), about = JSON.stringify([asked, stepsTo(table.here)]);
  const current = () => choice.unit === at && about === JSON.stringify([question(), stepsTo(table.here)]);
  const work = working(`computing where ${table.seen.units[at].id} can end`);
  const show = (found) => {
    choice.reach = found;
    drawBands(found.bands, byId("bands"), fine());
    showCard();
  };
  try {
    // On a table its area may take long: what is known of it is shown meanwhile. Elsewhere it is known at once.
    for (let whole = Boolean(table.opened.cells); !whole;) {
      const known = await nextStep(() => askFor(work, "known", { ...asked, within: STEP }));
      if (!current()) return;
      show(known);
      whole = known.is_whole;
    }
    await quiet();
    const found = await askFor(work, "reach", asked);
    if (current()) show(found);
  } catch (error) {
    if (current()) showCard(error);
  } finally {
    work.end();
  }
}

// What if it stood elsewhere? Empty for where it does stand.
export function standAt(place) {
  choice.stood = place;
  return showReach();
}

function showCard(problem) {
  const { seen, opened, setup } = table, { unit: at, reach, stood } = choice;
  const box = byId("ask"), unit = seen.units[at], shown = now().units[at];
  box.hidden = false;
  box.replaceChildren();
  made("h3", unit.id, "", box);
  const { aboard } = now().fields[at], where = aboard ? `aboard ${aboard}` : "not on the board";
  const facing = shown && shown[2] !== null ? `, facing ${shown[2]}°` : "";
  made("p", [unit.side, unit.type, shown ? `at ${shown[5]}${facing}` : where].filter(Boolean).join(", "), "soft", box);
  if (shown && shown[4]) made("p", shown[4], "", box);
  if (stood) {
    made("p", `if it stood at ${stood}`, "supposed", box);
    button("Back to where it stands", () => standAt(""), made("div", "", "choices", box));
  }
  const actions = made("div", "", "actions", box);
  actions.setAttribute("role", "group");
  actions.setAttribute("aria-label", "Reach of which action");
  const taken = choice.action || reach?.action || "";
  for (const [name, about] of Object.entries(opened.actions)) {
    const one = button(spoken(name), () => { Object.assign(choice, { action: name, values: {} }); showReach(); }, actions);
    one.title = about;
    one.setAttribute("aria-pressed", String(name === taken));
  }
  for (const one of ["cost", "chance"]) {
    const by = button(`by ${one}`, () => { choice.shade = one; showReach(); }, actions, "soft");
    by.setAttribute("aria-pressed", String(choice.shade === one));
  }
  showValues(taken, box);
  for (const { clause, message } of problem?.reasons || []) made("p", `${clause} ${message}`.trim(), "bad", box);
  if (problem && !problem.reasons?.length) made("p", problem.message, "bad", box);
  if (!reach) return;
  if (!reach.bands.length && reach.is_whole !== false) made("p", "It can end nowhere with this action.", "bad", box);
  listBands(reach.bands, box);
  if (reach.is_whole === undefined && Object.keys({ ...setup.options, ...setup.tables }).length) {
    button("Compare with the rules of the file", compare, made("div", "", "choices", box));
  }
}

function showValues(taken, parent) {
  const list = made("div", "", "values", parent);
  for (const [name, about] of Object.entries(table.opened.asks)) {
    if (about.for.length && !about.for.includes(taken)) continue;
    const label = made("label", `${spoken(name)} `, "", list), words = about.unit ? table.seen.units.map((unit) => unit.id) : about.words;
    label.title = about.about;
    const field = made(words.length ? "select" : "input", "", "", label);
    if (words.length) field.append(new Option("—", ""), ...words.map((word) => new Option(spoken(word), word)));
    field.value = choice.values[name] || "";
    field.addEventListener("change", () => {
      choice.values = { ...choice.values, [name]: field.value };
      if (!field.value) delete choice.values[name];
      showReach();
    });
  }
}

async function compare() {
  const at = choice.unit, { options, tables } = table.setup;
  let found;
  try {
    found = await ask("compare", { ...question(), options: {}, tables: {}, other_options: options, other_tables: tables }, "comparing");
  } catch (error) {
    showCard(error);
    return;
  }
  if (choice.unit !== at) return;
  choice.reach = { ...choice.reach, bands: found.bands };
  drawBands(found.bands, byId("bands"), fine());
  showCard();
  const changed = found.changes.map((one) => `${one.name}: ${one.before} → ${one.after} (${one.clause})`);
  made("p", changed.join("; "), "soft", byId("ask"));
}
