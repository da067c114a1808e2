// The board: the units on it, as they stand or as they went, and what lies at a point of it.
import { now, table } from "./moment.js";
import { button } from "./parts.js";

const { byId, drawn, Figures, View, unfold } = Tabletop;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export const fine = () => 1 / table.opened.fineness;

// Another board is another picture; where one looks at stays if it is as large as before.
export function setUpBoard(found) {
  const before = table.view, same = before && String(before.size) === String(found.size);
  table.opened = found;
  byId("title").textContent = document.title = found.title;
  byId("subtitle").textContent = found.subtitle;
  byId("frame").innerHTML = found.board;
  byId("legend").innerHTML = found.legend;
  byId("frame").style.setProperty("--shape", found.size[0] / found.size[1]);
  found.colours.forEach((colour, at) => document.documentElement.style.setProperty(`--side${at}`, colour));
  document.documentElement.style.setProperty(`--side${found.colours.length}`, "#6b655c");
  for (const id of ["ways", "pointer", "sketch"]) drawn("g", { id }, byId("world"));
  byId("world").insertBefore(byId("ways"), byId("units"));
  table.view = new View(byId("board"), byId("world"), found.size, placeLabels);
  table.figures = null;
  if (same) Object.assign(table.view, { x: before.x, y: before.y, k: before.k });
}

export function see(found) {
  table.seen = found;
  table.moments = unfold(found.units, found.moments);
}

export function placeLabels() {
  table.figures?.placeLabels(now(), table.view, -1);
}

function drawUnits(chosen, choose) {
  for (const id of ["units", "labels", "chips"]) byId(id).replaceChildren();
  const { seen, opened, moments } = table;
  table.figures = new Figures({ ...seen, marks: opened.marks, fineness: opened.fineness, unit: opened.unit, moments: [now()] }, byId("units"), byId("labels"));
  table.figures.all.forEach((figure, at) => {
    const unit = seen.units[at];
    figure.chip = button("", () => choose(chosen() === at ? -1 : at), byId("chips"), "chip");
    figure.chip.dataset.unit = at;
    const mark = drawn("svg", { class: `swatch side-${unit.number}`, viewBox: "0 0 16 16", "aria-hidden": "true" }, figure.chip);
    drawn("path", { d: opened.marks[unit.mark], "fill-rule": "evenodd", transform: "translate(8 8) scale(6.4)" }, mark);
    figure.chip.append(unit.id);
  });
}

function place(at) {
  const { seen, figures } = table;
  figures.place(at);
  figures.all.forEach(({ chip }, number) => {
    const shown = at.units[number], { id } = seen.units[number], may = (seen.may_go || []).includes(id);
    chip.classList.toggle("off", !shown);
    chip.classList.toggle("gone", shown === 0);
    chip.classList.toggle("may", may);
    chip.setAttribute("aria-label", id + (may ? ", can be ordered now" : ""));
  });
  placeLabels();
}

let timer = 0;

// Draw the moment; `moving` shows the last order as it was carried out, in about a second.
export function drawBoard(moving, chosen, choose) {
  clearInterval(timer);
  const { moments, figures, view, seen } = table;
  if (!figures || figures.units !== seen.units) drawUnits(chosen, choose);
  view.look();
  const first = moments.findIndex((one) => one.order === moments.at(-2)?.order);
  table.figures.drawTrails(first < 0 ? [] : moments.slice(first), byId("trails"), view);
  if (!moving || still.matches || first < 0 || moments.length - first < 2) {
    place(now());
    return;
  }
  let at = first;
  const pace = Math.max(40, Math.min(260, 1200 / (moments.length - first)));
  view.board.style.setProperty("--pace", `${pace}ms`);
  view.board.classList.add("moving");
  place(moments[at]);
  timer = setInterval(() => {
    at += 1;
    place(moments[Math.min(at, moments.length - 1)]);
    if (at < moments.length - 1) return;
    clearInterval(timer);
    view.board.classList.remove("moving");
  }, pace);
}

// What lies at a point of the picture: a square or dot by row and column, or a place in inches.
export function placeAt([x, y]) {
  const { cells, plane } = table.opened, step = fine();
  if (cells) {
    const { origin, along, down } = cells;
    const dx = x / step - origin[0], dy = y / step - origin[1], whole = along[0] * down[1] - along[1] * down[0];
    const column = Math.round((dx * down[1] - dy * down[0]) / whole), row = Math.round((dy * along[0] - dx * along[1]) / whole);
    const at = [origin[0] + column * along[0] + row * down[0], origin[1] + column * along[1] + row * down[1]];
    return row < 0 || column < 0 ? null : { key: `${row} ${column}`, fields: { cell: [row, column] }, at: [at[0] * step, at[1] * step] };
  }
  const [left, top, minX, maxY, pixels] = plane;
  const inches = [minX + (x - left) / pixels, maxY - (y - top) / pixels].map((number) => Math.round(number * 10) / 10);
  return { key: inches.join(), fields: { place: inches.join() }, inches, at: [left + (inches[0] - minX) * pixels, top + (maxY - inches[1]) * pixels] };
}

// How large a unit is in the picture.
export function sizeOf(at) {
  const shown = now().units[at];
  return shown ? table.figures.radius(shown) : table.opened.unit * 0.42;
}
