// Keeps a part of a page new: sends its form every few seconds and puts the answer in its place.
const EVERY_MS = 5000;
const SLOWEST_MS = 60000;

const form = document.querySelector("form[data-refresh]");
const part = form && document.getElementById(form.dataset.refresh);
const trouble = form && form.querySelector("[data-refresh-trouble]");
let wait = EVERY_MS;

/** Ask for the part; the address it answers with is another when the session has ended. */
async function fetched() {
  const body = new FormData(form);
  body.set("part", "1");
  const asked =
    form.method === "post"
      ? fetch(form.action, { method: "POST", body, redirect: "error" })
      : fetch(`${form.action}?${new URLSearchParams(body)}`, { redirect: "error" });
  const response = await asked;
  if (!response.ok) throw new Error(String(response.status));
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

/** Say where the keyboard stands in the part, so that it can stand there again; "" where it cannot. */
function place(element) {
  const kept = element.closest("details[data-keep]");
  if (element.matches("summary") && kept) return `[data-keep="${kept.dataset.keep}"] > summary`;
  for (const name of ["href", "aria-labelledby"]) {
    const value = element.getAttribute(name);
    if (value) return `${element.localName}[${name}="${CSS.escape(value)}"]`;
  }
  return "";
}

/** Exchange the part; what was opened stays open, and who stands in it with the keyboard stays there. */
function exchange(page) {
  const inside = part.contains(document.activeElement);
  const where = inside ? place(document.activeElement) : "";
  if (inside && !where) return;
  for (const details of part.querySelectorAll("details[data-keep][open]")) {
    const again = page.querySelector(`details[data-keep="${details.dataset.keep}"]`);
    if (again) again.open = true;
  }
  part.replaceChildren(...page.body.childNodes);
  if (where) part.querySelector(where)?.focus({ preventScroll: true });
}

async function refresh() {
  if (!document.hidden) {
    try {
      const page = await fetched();
      if (page.querySelector("[data-refresh-end]")) {
        location.reload();
        return;
      }
      exchange(page);
      trouble.hidden = true;
      wait = EVERY_MS;
    } catch {
      trouble.hidden = false;
      wait = Math.min(2 * wait, SLOWEST_MS);
    }
  }
  setTimeout(refresh, wait);
}

if (part) refresh();
