// What leaves the page: a scenario, a picture, an area, a link.
import { ask, Refused } from "./asking.js";
import { keepAddress, table } from "./moment.js";
import { attempt, download } from "./parts.js";
import { choice, question } from "./reach.js";

const { byId } = Tabletop;
const say = (text) => { byId("status").textContent = text; };
const named = (ending) => `${(table.setup.scenario || "scenario").replace(/\W+/g, "_")}.${ending}`;
const picture = async () => (await ask("picture", choice.unit < 0 ? { unit: "" } : question(), "drawing")).text;

// Pictures are pasted as pixels, twice as fine as they are shown.
async function pixels(text) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth * 2, image.naturalHeight * 2];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

byId("save").addEventListener("click", attempt(async () => {
  download(named("yaml"), (await ask("save", { name: table.opened.title }, "writing")).text, "application/yaml");
}));
byId("picture").addEventListener("click", attempt(async () => download(named("svg"), await picture(), "image/svg+xml")));
byId("copy").addEventListener("click", attempt(async () => {
  const image = await pixels(await picture());
  await navigator.clipboard.write([new ClipboardItem({ [image.type]: image })]);
  say("The picture is copied.");
}));
byId("geojson").addEventListener("click", attempt(async () => {
  if (choice.unit < 0) throw new Refused({ message: "choose a unit first: the file holds where it can end" });
  download(named("geojson"), JSON.stringify(await ask("geojson", question(), "writing")), "application/geo+json");
}));
byId("link").addEventListener("click", attempt(async () => {
  await keepAddress();
  await navigator.clipboard.writeText(location.href);
  say("The link to this moment is copied.");
}));
