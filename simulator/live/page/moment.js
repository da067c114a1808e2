// The moment that is shown: a setup, and a place in a tree of orders and answers. The address of the page holds it.

const beginning = () => ({ step: null, parent: null, children: [] });

// `setup` is the scenario by its name, or the text of a draft, with what is changed of its options and figures.
// `opened` is what the server says of it, `seen` of this moment; `moments` are the steps that led here.
export const table = {
  setup: { scenario: "", draft: "", options: {}, tables: {} },
  opened: null, seen: null, moments: [], figures: null, view: null,
  root: beginning(), here: null,
};
table.here = table.root;

export const now = () => table.moments.at(-1);

export function stepsTo(node) {
  const steps = [];
  for (let at = node; at.parent; at = at.parent) steps.unshift(at.step);
  return steps;
}

export const moment = () => ({ ...table.setup, steps: stepsTo(table.here) });

export function childOf(node, step) {
  let child = node.children.find((one) => one.step === step);
  if (!child) {
    child = { step, parent: node, children: [] };
    node.children.push(child);
  }
  node.latest = child;
  return child;
}

export const walk = (steps) => steps.reduce(childOf, table.root);

export function growAnew() { table.root = beginning(); }

// --- the address ---

// A draft is packed: as it is, it would be longer than what mail and chats carry.
const PACKED = "~";

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function written() {
  const { scenario, draft, options, tables } = table.setup, steps = stepsTo(table.here);
  const parts = draft || Object.keys(tables).length ? [scenario, options, steps, tables, draft] : [scenario, options, steps];
  const text = JSON.stringify(parts);
  if (!draft) return `#${encodeURIComponent(text)}`;
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `#${PACKED}${letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

export async function readAddress() {
  const text = location.hash.slice(1);
  try {
    const parts = JSON.parse(text.startsWith(PACKED) ? await unpacked(text.slice(1)) : decodeURIComponent(text));
    const [scenario, options, steps, tables, draft] = parts;
    if (typeof scenario !== "string" || !Array.isArray(steps)) return null;
    return { setup: { scenario, draft: draft || "", options: options || {}, tables: tables || {} }, steps };
  } catch {
    return null; // an address without a moment, or one that was cut off, is the beginning
  }
}

export async function keepAddress() {
  const address = await written();
  if (location.hash !== address) history.replaceState(null, "", address);
}
