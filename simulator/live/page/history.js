// What was done: orders are given here, taken back, tried otherwise; each try is a branch of a tree.
import { ask, request } from "./asking.js";
import { drawBoard, see, setUpBoard } from "./board.js";
import { childOf, growAnew, keepAddress, stepsTo, table, walk } from "./moment.js";
import { button, refuse } from "./parts.js";
import { choice, choose, letGo } from "./reach.js";
import { showRules } from "./rules.js";

const { byId, made } = Tabletop;
// Orders that follow when the questions of the last one are answered.
let queue = [];

// Show a setup after some steps; false if it cannot be shown: then all stays as it was.
export async function open(setup, steps) {
  letGo();
  let found;
  try {
    found = await request("ask/open", { ...setup, steps: [] }, "opening the scenario");
  } catch (error) {
    refuse(error);
    return false;
  }
  if (setup.scenario !== table.setup.scenario || setup.draft !== table.setup.draft) growAnew();
  table.setup = setup;
  queue = [];
  byId("scenario").value = setup.scenario;
  setUpBoard(found);
  boardIsSetUp();
  showRules();
  table.here = walk(steps);
  const shown = await show();
  readScript();
  return shown;
}

// What else listens on a board, which is another element in every scenario.
let boardIsSetUp = () => {};
export function onBoardSetUp(act) { boardIsSetUp = act; }

// Playing the script of a scenario may take seconds: the page does not wait for it.
async function readScript() {
  const about = table.opened;
  try {
    about.script = (await request("ask/script", { ...table.setup, steps: [] }, "")).steps;
  } catch {
    about.script = []; // a script that these options forbid
  }
  if (about === table.opened) drawHistory();
}

// Show the moment `here`; false if a step before it is refused: then the last moment that can be is shown.
async function show({ moving = false } = {}) {
  const asked = table.here;
  let found;
  try {
    found = await ask("moment", {}, "playing");
  } catch (error) {
    refuse(error);
    return false;
  }
  if (table.here !== asked) return false;
  const steps = stepsTo(asked);
  if (found.error) {
    const refused = steps[found.done];
    table.here = walk(steps.slice(0, found.done));
    if (found.done === steps.length - 1) {
      table.here.children = table.here.children.filter((one) => one.step !== refused);
      table.here.latest = table.here.children.at(-1);
    }
    refuse(found.error, refused);
  } else refuse(null);
  see(found);
  keepAddress();
  drawBoard(moving && !found.error, () => choice.unit, choose);
  drawAccount();
  drawHistory();
  showQuestion();
  byId("status").textContent = found.clock + (found.over ? ", over" : "");
  return !found.error;
}

export async function give(step, then = []) {
  queue = then;
  const before = table.here;
  table.here = childOf(before, step);
  letGo();
  const done = await show({ moving: true });
  if (!done) {
    queue = [];
    if (table.here !== before) drawHistory();
    return;
  }
  if (!table.seen.question && queue.length) await give(queue[0], queue.slice(1));
}

// An answer, or an order: whatever is written below the board.
export function giveText(text) {
  give(table.seen.question && !text.startsWith("? ") ? `? ${text}` : text, table.seen.question ? queue : []);
}

function showQuestion() {
  const box = byId("question"), { question } = table.seen;
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

// --- going back and forth ---

export function goTo(node) {
  table.here = node;
  queue = [];
  letGo();
  return show();
}

export const undo = () => { if (table.here.parent) goTo(table.here.parent); };
export const redo = () => { if (table.here.latest) goTo(table.here.latest); };

// The next step of the scenario's own script, while what was done so far is its beginning.
function scripted() {
  const steps = stepsTo(table.here), script = table.opened?.script;
  return script && steps.every((step, at) => step === script[at]) ? script[steps.length] : undefined;
}

export function nextOfScript() {
  const step = scripted();
  if (step !== undefined) give(step);
}

// The moments from the beginning through `here`, and on along what was tried last.
function line() {
  const nodes = [];
  for (let at = table.here; at; at = at.parent) nodes.unshift(at);
  for (let at = table.here.latest; at; at = at.latest) nodes.push(at);
  return nodes;
}

export function drawHistory() {
  const { here } = table, nodes = line(), at = nodes.indexOf(here), slider = byId("timeline");
  byId("undo").disabled = !here.parent;
  byId("redo").disabled = !here.latest;
  byId("script").disabled = scripted() === undefined;
  slider.max = nodes.length - 1;
  slider.value = at;
  slider.disabled = nodes.length < 2;
  slider.setAttribute("aria-valuetext", at ? `${at} of ${nodes.length - 1}: ${here.step}` : "the beginning");
  byId("count").textContent = `${at} of ${nodes.length - 1}`;
  drawTree();
}

// As a board of analysis has it: the line tried last runs on, every other one is a list of its own below.
function drawTree() {
  const tree = byId("tree");
  const branches = (node, parent) => {
    for (let at = node; at; at = at.latest) {
      const one = button(at.step, () => goTo(at), made("li", "", "", parent));
      if (at === table.here) one.setAttribute("aria-current", "step");
      for (const other of at.parent.children) {
        if (other !== at && at.parent.latest === at) branches(other, made("ol", "", "", made("li", "", "", parent)));
      }
    }
  };
  tree.replaceChildren();
  if (table.root.latest) branches(table.root.latest, tree);
  byId("lines").hidden = !table.root.latest;
  const forks = tree.querySelectorAll("ol").length;
  byId("lines").querySelector("summary").textContent = forks ? `Moves, ${forks + 1} lines` : "Moves";
}

function drawAccount() {
  const account = byId("account");
  account.innerHTML = table.seen.account;
  byId("clauses").innerHTML = table.seen.clauses;
  const sections = [...account.querySelectorAll("[data-order]")];
  sections.at(-1)?.classList.add("current");
  account.querySelector(".order.current .ledger")?.setAttribute("open", "");
}

// An order of the account leads to the moment before it.
byId("account").addEventListener("click", (event) => {
  const head = event.target.closest(".head"), section = event.target.closest("[data-order]");
  if (!head || !section) return;
  goTo(walk(stepsTo(table.here).slice(0, table.seen.begins[+section.dataset.order])));
});

byId("undo").addEventListener("click", undo);
byId("redo").addEventListener("click", redo);
byId("script").addEventListener("click", nextOfScript);
byId("timeline").addEventListener("change", () => {
  const nodes = line(), last = nodes.at(-1);
  // What lies ahead stays on the slider, also after going back.
  for (let at = last; at.parent; at = at.parent) at.parent.latest = at;
  goTo(nodes[+byId("timeline").value]);
});
