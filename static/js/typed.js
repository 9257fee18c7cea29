// Keeps what staff type in this tab until it was sent and done: a session that has ended, a lost
// connection or a step back lose nothing. The next page without such a field throws it away.

const PREFIX = "parallax:typed:";

const fields = [...document.querySelectorAll("form[data-typed] :is(textarea, select)")];
const nameOf = (field) => `${PREFIX}${location.pathname}#${field.id}`;

function takeBack(field) {
  const kept = sessionStorage.getItem(nameOf(field));
  if (kept === null || kept === field.value) return;
  field.value = kept;
  field.closest("details")?.setAttribute("open", "");
}

function throwAway() {
  for (const name of Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))) {
    sessionStorage.removeItem(name);
  }
}

// In a browser that keeps nothing what is typed lasts as long as the page.
function ifItKeeps(action) {
  try {
    action();
  } catch {
    document.documentElement.dataset.keepsNothing = "";
  }
}

for (const field of fields) {
  ifItKeeps(() => takeBack(field));
  field.addEventListener("input", () => ifItKeeps(() => sessionStorage.setItem(nameOf(field), field.value)));
}
if (fields.length === 0 && !document.querySelector("[data-log-in]")) ifItKeeps(throwAway);
