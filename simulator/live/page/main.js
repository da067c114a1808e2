// The live table: it shows, asks and remembers what was ordered, and knows no rules. Every question states its moment
// in full: the setup, and the orders and answers since the beginning.
import { busy, request, stopAll } from "./asking.js";
import { placeAt, placeLabels } from "./board.js";
import * as editing from "./editing.js";
import { giveText, nextOfScript, onBoardSetUp, open, redo, undo } from "./history.js";
import { readAddress, table, written } from "./moment.js";
import { refuse, spoken } from "./parts.js";
import { goThere, point, step, target, turnBy, turnTo, turnTowards, unpoint } from "./place.js";
import { choice, choose, letGo } from "./reach.js";
import "./files.js";
import "./rules.js";

const { byId, Gestures, unitOf } = Tabletop;
const theme = Tabletop.theme(), notes = Tabletop.clauseNotes();

// --- pointer and touch ---

const at = (event) => placeAt(table.view.onWorld(event));

const gestures = new Gestures({
  // By touch the board is shoved, and a unit is chosen and pointed with.
  grab(event) {
    if (editing.active()) return editing.grab(event);
    if (event.target instanceof Element && event.target.classList.contains("handle")) return "handle";
    const unit = event.pointerType === "mouse" && !table.seen.question ? unitOf(event) : -1;
    return unit < 0 ? null : unit;
  },
  drag(held, event) {
    if (editing.active()) editing.drag(held, event);
    else if (held === "handle") turnTowards(table.view.onWorld(event));
    else {
      // A unit that is dragged stays where it stands, and a ring goes along with the pointer.
      if (choice.unit !== held) choose(held);
      table.figures.all[held].group.classList.add("dragged");
      target.held = false;
      point(at(event));
    }
  },
  drop(held, event, done) {
    if (editing.active()) editing.drop(held, event, done);
    else if (held === "handle") turnTo(target.state);
    else {
      table.figures.all[held]?.group.classList.remove("dragged");
      if (done) point(at(event), true);
    }
  },
  tap(event) {
    if (!table.view.board.contains(event.target)) return;
    if (editing.active()) {
      editing.tap(event);
      return;
    }
    const unit = unitOf(event);
    if (unit >= 0) choose(unit === choice.unit ? -1 : unit);
    else if (choice.unit >= 0) point(at(event), true);
  },
});

function listen() {
  gestures.listenTo(table.view);
  const { board } = table.view;
  board.addEventListener("pointermove", (event) => {
    if (editing.active()) editing.hover(event);
    else if (gestures.idle && !target.held && choice.unit >= 0 && event.pointerType === "mouse") point(at(event));
  });
  board.addEventListener("dblclick", (event) => {
    if (editing.active() || choice.unit < 0 || unitOf(event) >= 0) return;
    point(at(event), true);
    goThere();
  });
}
onBoardSetUp(listen);
editing.onBoardSetUp(listen);

// --- keys ---

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function escape() {
  if (busy()) stopAll();
  if (target.held) unpoint();
  else letGo();
  notes.hide();
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !table.seen) return;
  const on = event.target instanceof Element ? event.target : document.body;
  if (on.closest("input,select,textarea")) return;
  if (ARROWS[event.key] && choice.unit >= 0 && !editing.active()) {
    event.preventDefault();
    step(...ARROWS[event.key], event.shiftKey);
    return;
  }
  const ownEnter = on.closest("button,summary") && !(on.classList.contains("chip") && target.place);
  const turn = table.opened.cells ? 60 : 15;
  const looking = {
    t: theme.turn, "+": () => table.view.zoom(1.4), "=": () => table.view.zoom(1.4), "-": () => table.view.zoom(1 / 1.4),
    "0": () => table.view.fit(),
  };
  const acts = editing.active() ? { ...looking, ...editing.keys(ownEnter) } : {
    ...looking, Enter: target.place && !ownEnter ? goThere : null, u: undo, r: redo, n: nextOfScript,
    "[": () => turnBy(turn), "]": () => turnBy(-turn), Escape: escape,
  };
  const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

byId("nearer").addEventListener("click", () => table.view.zoom(1.4));
byId("farther").addEventListener("click", () => table.view.zoom(1 / 1.4));
byId("whole").addEventListener("click", () => table.view.fit());
byId("orderform").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("order").value.trim();
  if (!text) return;
  giveText(text);
  byId("order").value = "";
});
addEventListener("resize", () => { if (table.seen) placeLabels(); });

// --- beginning ---

const fresh = (scenario) => ({ scenario, draft: "", options: {}, tables: {} });

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
  byId("scenario").addEventListener("change", async () => {
    editing.leave();
    await open(fresh(byId("scenario").value), []);
  });
  editing.listRulebooks().catch(refuse);
  const asked = await readAddress();
  if (asked) await open(asked.setup, asked.steps);
  if (!table.opened) await open(fresh(names[0]), []);
}

addEventListener("hashchange", async () => {
  const asked = await readAddress();
  if (asked && location.hash !== (await written())) {
    editing.leave();
    await open(asked.setup, asked.steps);
  }
});
begin();
