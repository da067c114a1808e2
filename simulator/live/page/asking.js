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

export async function request(path, fields, doing) {
  const control = new AbortController();
  const shown = setTimeout(() => { running.set(control, doing); showBusy(); }, 400);
  running.set(control, "");
  showBusy();
  try {
    const answer = await fetch(path, {
      method: fields ? "POST" : "GET", body: fields && JSON.stringify(fields), signal: control.signal,
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
  } finally {
    clearTimeout(shown);
    running.delete(control);
    showBusy();
  }
}

export const ask = (question, fields, doing) => request(`ask/${question}`, { ...moment(), ...fields }, doing);

function showBusy() {
  const doing = [...running.values()].filter(Boolean);
  document.querySelector("main").setAttribute("aria-busy", String(running.size > 0));
  byId("busy").hidden = !doing.length;
  byId("doing").textContent = doing.at(-1) || "";
}

export const busy = () => running.size > 0;
export const stopAll = () => { for (const control of running.keys()) control.abort(); };
byId("stop").addEventListener("click", stopAll);
