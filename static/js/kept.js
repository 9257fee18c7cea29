// Keeps in this browser what was given on the page, until the server has confirmed it
// (`answer:stored`), and takes it back when the page is opened again before that.
// Loaded after autosave.js, which then sends what was taken back.

const KEPT_MS = 7 * 24 * 3_600_000;
const PREFIX = "parallax:draft:";
const OWN = new Set(["key", "active_ms"]);

const form = document.querySelector("[data-judgment]");
const name = PREFIX + [form.dataset.draftUrl, form.dataset.keep].join(" ");

// In a browser that keeps nothing the drafts at the server are all there is.
function ifItKeeps(action) {
  try {
    action();
  } catch {
    form.dataset.keepsNothing = "";
  }
}

function keep() {
  const entries = [...new FormData(form)].filter(([key]) => !OWN.has(key));
  ifItKeeps(() => localStorage.setItem(name, JSON.stringify({ at: Date.now(), entries })));
}

function clearOldOnes() {
  for (const key of Object.keys(localStorage).filter((k) => k.startsWith(PREFIX))) {
    const age = Date.now() - JSON.parse(localStorage.getItem(key)).at;
    if (age > KEPT_MS) localStorage.removeItem(key);
  }
}

function takeBack() {
  const kept = JSON.parse(localStorage.getItem(name));
  if (!kept) return;
  for (const input of form.querySelectorAll("[data-question] [name]")) {
    const values = kept.entries.filter(([key]) => key === input.name).map(([, value]) => value);
    if (input.matches("[type=radio], [type=checkbox]")) input.checked = values.includes(input.value);
    else input.value = values[0] ?? "";
  }
  form.dispatchEvent(new Event("change", { bubbles: true }));
}

for (const change of ["input", "change", "submit"]) form.addEventListener(change, keep);
form.addEventListener("answer:stored", () => ifItKeeps(() => localStorage.removeItem(name)));
ifItKeeps(clearOldOnes);
ifItKeeps(takeBack);
