// Questions to the server, and what waits for an answer.
import { moment } from "./moment.js";

const { byId } = Tabletop;
const token = new URLSearchParams(location.search).get("token") || "";
const page = Math.random().toString(36).slice(2);
const running = new Map();

export class Refused extends Error {
  constructor(fields) {
    super(fields.message);
    this.reasons = fields.reasons || [];
  }
}

// Work that is shown when it takes long and that can be stopped: one question, or several one after the other.
export function working(doing) {
  const control = new AbortController();
  const shown = setTimeout(() => { running.set(control, doing); showBusy(); }, 400);
  running.set(control, "");
  showBusy();
  return { signal: control.signal, end: () => { clearTimeout(shown); running.delete(control); showBusy(); } };
}

export async function request(path, fields, doing) {
  const work = working(doing);
  try {
    return await send(path, fields, work);
  } finally {
    work.end();
  }
}

async function send(path, fields, { signal }) {
  try {
    const answer = await fetch(path, {
      method: fields ? "POST" : "GET", body: fields && JSON.stringify(fields), signal,
      headers: { "X-Token": token, "X-Page": page, ...(fields ? { "Content-Type": "application/json" } : {}) },
    });
    const document = await answer.json();
    if (!answer.ok) throw new Refused(document.error || { message: `status ${answer.status}` });
    if (document.refused) throw new Refused(document.refused);
    return document;
  } catch (error) {
    if (error.name === "AbortError") throw new Refused({ message: "stopped" });
    if (error instanceof TypeError) throw new Refused({ message: "the server does not answer; is `simulator serve` still running?" });
    throw error;
  }
}

export const ask = (question, fields, doing) => request(`ask/${question}`, { ...moment(), ...fields }, doing);
export const askFor = (work, question, fields) => send(`ask/${question}`, { ...moment(), ...fields }, work);

// A long answer comes in steps, and between two of them other questions are asked: so one process answers them all, and
// goes on where it stopped. While others wait, no step begins.
let step = Promise.resolve();
const others = new Set();

export function between(question) {
  const answer = step.then(question);
  others.add(answer);
  return answer.finally(() => others.delete(answer));
}

export async function quiet() {
  while (others.size) await Promise.allSettled([...others]);
}

export async function nextStep(question) {
  await quiet();
  const answer = question();
  step = answer.then(() => {}, () => {});
  return answer;
}

function showBusy() {
  const doing = [...running.values()].filter(Boolean);
  document.querySelector("main").setAttribute("aria-busy", String(running.size > 0));
  byId("busy").hidden = !doing.length;
  byId("doing").textContent = doing.at(-1) || "";
}

export const busy = () => running.size > 0;
export const stopAll = () => { for (const control of running.keys()) control.abort(); };
byId("stop").addEventListener("click", stopAll);
