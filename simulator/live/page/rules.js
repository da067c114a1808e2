// House rules: options of the rulebook and figures of its tables, changed beside the table.
import { open } from "./history.js";
import { stepsTo, table } from "./moment.js";
import { spoken } from "./parts.js";

const { byId, made } = Tabletop;
const MOST = 40;

// Show what can be changed; what is changed here stands first.
export function showRules() {
  const { options, tables } = table.setup, changed = Object.keys(options).length + Object.keys(tables).length;
  byId("rules").querySelector("summary").textContent = `House rules${changed ? ` (${changed} changed here)` : ""}`;
  byId("options").replaceChildren(...table.opened.options.map((option) => row(option.name, option, "options")));
  showFigures();
}

function showFigures() {
  const wanted = byId("figure").value.trim().toLowerCase(), { tables } = table.setup;
  const found = table.opened.figures.filter(({ path, clause }) => (
    wanted ? `${path} ${spoken(path)} ${clause}`.toLowerCase().includes(wanted) : path in tables
  ));
  byId("figures").replaceChildren(...found.slice(0, MOST).map((figure) => row(figure.path, { ...figure, values: [] }, "tables")));
  const left = found.length - MOST;
  byId("more").textContent = left > 0 ? `and ${left} more` : wanted && !found.length ? "no figure of this name" : "";
}

function row(name, { clause, about = "", values, value }, kind) {
  const here = table.setup[kind], label = made("label", "", name in here ? "changed" : "");
  made("span", spoken(name), "", label);
  const field = made(values.length ? "select" : "input", "", "", label);
  if (values.length) field.append(...values.map((one) => new Option(spoken(one), one)));
  field.value = value;
  made("span", [clause, about].filter(Boolean).join(": "), "about", label);
  field.addEventListener("change", async () => {
    const setup = { ...table.setup, [kind]: { ...here, [name]: field.value } };
    if (!(await open(setup, stepsTo(table.here)))) field.value = value;
  });
  return label;
}

byId("figure").addEventListener("input", () => { if (table.opened) showFigures(); });
byId("reset").addEventListener("click", () => open({ ...table.setup, options: {}, tables: {} }, stepsTo(table.here)));
