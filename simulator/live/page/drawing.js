// Pieces of terrain on a table are drawn point by point.
import { table } from "./moment.js";
import { button, spoken } from "./parts.js";

const { byId, drawn, made } = Tabletop;

// How many points a shape has; a polygon and a line go on until they are finished.
const SHAPES = { polygon: [3, 500], rectangle: [2, 2], circle: [2, 2], line: [2, 500], point: [1, 1] };
const LAYERS = ["ground", "replacing", "modifier", "cover", "obstacle", "elevated"];

export const sketch = { points: [], shape: "polygon", kind: "", layer: "ground", more: "", name: "" };

export const hasPieces = (tools) => !table.opened.cells && tools.kinds.length > 0;

export function pieceTools(parent, tools, change) {
  sketch.kind ||= tools.kinds[0].kind;
  sketch.count = tools.pieces.length;
  const taken = new Set(tools.pieces.map((piece) => piece.id));
  for (let number = 1; !sketch.name || taken.has(sketch.name); number++) sketch.name = `${spoken(sketch.kind)} ${number}`;
  const pick = (name, about, values) => {
    const label = made("label", `${name} `, "", parent);
    label.title = about;
    const field = made(values ? "select" : "input", "", "", label);
    if (values) field.append(...values.map((one) => new Option(spoken(one), one)));
    field.id = `piece-${name}`;
    field.value = sketch[name];
    field.addEventListener("change", () => {
      sketch[name] = field.value;
      if (name === "shape") { sketch.points = []; drawSketch(); }
    });
  };
  pick("kind", "what it is", tools.kinds.map((one) => one.kind));
  pick("shape", "how it is drawn", Object.keys(SHAPES));
  pick("layer", "ground, or what lies on it", LAYERS);
  pick("name", "used once");
  pick("more", "other attributes, as in the file: height: 3, paved: true");
  const row = made("div", "", "choices", parent);
  button("Finish the piece", () => finished(change), row);
  made("p", "Click its points on the board; Enter finishes it, Escape lets go of it.", "soft", parent);
  if (!tools.pieces.length) return;
  const field = made("select", "", "", made("label", "piece ", "", parent));
  field.id = "piece-there";
  field.append(new Option("—", ""), ...tools.pieces.map(({ id, kind }, at) => new Option(`${id} (${spoken(kind)})`, at)));
  button("Remove the piece", () => {
    if (field.value !== "") change({ do: "remove", path: ["board", "pieces", +field.value] });
  }, parent);
}

export function sketchPoint(place, change) {
  sketch.points.push(place);
  drawSketch();
  if (sketch.points.length === SHAPES[sketch.shape][1]) finished(change);
}

// The piece is written into the text, once it has points enough.
export function finished(change) {
  const { points, shape, kind, layer, name, more, count } = sketch;
  if (points.length < SHAPES[shape][0]) return;
  const inches = points.map((point) => point.inches), [[x, y]] = inches, round = (number) => Math.round(number * 100) / 100;
  const [ex, ey] = inches.at(-1);
  const drawnAs = {
    polygon: () => inches, line: () => inches, point: () => [x, y],
    circle: () => ({ centre: [x, y], radius: round(Math.hypot(ex - x, ey - y)) }),
    rectangle: () => ({ centre: [round((x + ex) / 2), round((y + ey) / 2)], size: [round(Math.abs(ex - x)), round(Math.abs(ey - y))] }),
  };
  const parts = [["id", name], ["kind", kind], ["layer", layer], [shape, drawnAs[shape]()]];
  const written = parts.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(", ");
  sketch.points = [];
  change({ do: "put", path: ["board", "pieces", count], value: `{${written}${more.trim() ? `, ${more.trim()}` : ""}}` });
}

// What is drawn so far, and how it would go on to the pointer.
export function drawSketch(next = null) {
  const layer = byId("sketch");
  layer.replaceChildren();
  const points = [...sketch.points, ...(next ? [next] : [])].map((point) => point.at);
  if (!points.length) return;
  const [[x, y]] = points, [ex, ey] = points.at(-1);
  if (sketch.shape === "circle") drawn("circle", { class: "shape", cx: x, cy: y, r: Math.hypot(ex - x, ey - y) }, layer);
  else if (sketch.shape === "rectangle") drawn("path", { class: "shape", d: `M${x} ${y}H${ex}V${ey}H${x}Z` }, layer);
  else drawn("path", { class: "shape", d: `M${points.map((point) => point.join(" ")).join("L")}${sketch.shape === "polygon" ? "Z" : ""}` }, layer);
  for (const [cx, cy] of points) drawn("circle", { class: "corner", cx, cy, r: 4 / table.view.pixelsPerUnit() }, layer);
}
