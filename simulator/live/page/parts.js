// Parts that several sections of the page are made of.
const { byId, drawn, made } = Tabletop;

export function button(text, act, parent, className) {
  const element = made("button", text, className, parent);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

export const spoken = (name) => name.replace(/_/g, " ");

export function listReasons(reasons, parent) {
  const list = made("ul", "", "reasons", parent);
  for (const reason of reasons) {
    const line = made("li", "", "", list);
    if (reason.clause) made("b", `${reason.clause} `, "", line);
    line.append(reason.message);
    if (reason.text) made("span", reason.text, "text", line);
  }
}

// What was refused and why; nothing takes the last refusal away.
export function refuse(error, step) {
  const box = byId("refused");
  box.replaceChildren();
  box.hidden = !error;
  if (!error) return;
  made("h3", step ? `Rejected: ${step}` : "That did not work", "", box);
  const reasons = error.reasons || [];
  if (reasons.length) listReasons(reasons, box);
  else made("p", error.message, "", box);
}

export const attempt = (act) => async () => {
  try {
    await act();
  } catch (error) {
    refuse(error);
  }
};

export function drawBands(bands, layer, fine) {
  layer.replaceChildren();
  for (const { path, colour, known } of bands) {
    if (!known) hatching(colour, layer, fine);
    drawn("path", {
      d: path, fill: known ? colour : `url(#${HATCHING})`, stroke: known ? "#2a272366" : colour, "stroke-width": 1.2 / fine,
      "stroke-dasharray": known ? "none" : `${5 / fine} ${4 / fine}`, "fill-rule": "evenodd", transform: `scale(${fine})`,
    }, layer);
  }
}

// Ground of which the answer is not known yet is hatched, in no colour of an answer.
const HATCHING = "not-known-yet";

function hatching(colour, layer, fine) {
  const size = 8 / fine;
  const pattern = drawn("pattern", {
    id: HATCHING, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
  }, drawn("defs", {}, layer));
  drawn("line", { y2: size, stroke: colour, "stroke-width": 2.4 / fine }, pattern);
}

export function listBands(bands, parent) {
  const keys = made("div", "", "keys bands", parent);
  for (const { label, colour, known } of bands) {
    const line = made("div", "", "key", keys), swatch = drawn("svg", { viewBox: "0 0 16 13", "aria-hidden": "true" }, line);
    drawn("rect", { x: 0.5, y: 0.5, width: 15, height: 12, rx: 2, fill: known ? colour : "none" }, swatch);
    if (!known) drawn("path", { d: "M1 6L6 1M1 12L12 1M7 12L15 4", stroke: colour, "stroke-width": 1.3 }, swatch);
    made("span", label, "", line);
  }
}

export function download(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
