// The questions of a judgment: those that depend on others, those that come last, sliders, errors.
// Without this script all questions are visible and say in words when they are to be answered.

const form = document.querySelector("[data-judgment]");
const questions = [...form.querySelectorAll("[data-question]")];
const last = form.querySelector("[data-last]");

const inputsOf = (question) => [
  ...question.querySelectorAll("input:not([type=range]), textarea"),
];

function givenIn(question) {
  return inputsOf(question)
    .filter((input) => (input.matches("[type=radio], [type=checkbox]") ? input.checked : input.value.trim()))
    .map((input) => input.value);
}

function isCalledFor(question, given) {
  const when = JSON.parse(question.dataset.when);
  return Object.entries(when).every(([key, wanted]) => {
    const chosen = given.get(key) ?? [];
    return chosen.length ? chosen.some((value) => wanted.includes(value)) : wanted.includes("none");
  });
}

// A question that is not called for counts as not answered for those that depend on it; so this is
// gone through once for each of them, until the longest chain has settled.
function showWhatIsCalledFor() {
  const conditional = questions.filter((question) => question.dataset.when);
  conditional.forEach(() => {
    const visible = questions.filter((question) => !question.hidden);
    const given = new Map(visible.map((question) => [question.dataset.question, givenIn(question)]));
    for (const question of conditional) question.hidden = !isCalledFor(question, given);
  });
}

function isOpen(question) {
  return !question.hidden && "required" in question.dataset && givenIn(question).length === 0;
}

// Once it has been shown it stays, so that nothing vanishes under the hand.
function showTheLastOnes() {
  if (!last || !last.hidden) return;
  last.hidden = questions.some((question) => !last.contains(question) && isOpen(question));
}

function keepInStep(slider) {
  const field = document.getElementById(slider.dataset.sliderOf);
  const take = () => {
    slider.toggleAttribute("data-untouched", field.value === "");
    if (field.value !== "") slider.value = field.value;
  };
  slider.addEventListener("input", () => {
    field.value = slider.value;
    slider.removeAttribute("data-untouched");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  // A click on the thumb where it stands chooses that number too.
  slider.addEventListener("pointerup", () => slider.dispatchEvent(new Event("input")));
  field.addEventListener("input", take);
  field.addEventListener("change", take);
  slider.hidden = false;
  take();
}

function update() {
  showWhatIsCalledFor();
  showTheLastOnes();
  form.dispatchEvent(new CustomEvent("questions:shown"));
}

for (const hint of form.querySelectorAll("[data-condition]")) {
  hint.classList.add("sr-only");
}
for (const slider of form.querySelectorAll("[data-slider-of]")) keepInStep(slider);
if (last) last.hidden = !last.querySelector(".error, :checked");
form.addEventListener("input", update);
form.addEventListener("change", update);
update();
form.querySelector("[data-problems]")?.focus();
for (const link of form.querySelectorAll("[data-problems] a")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const question = document.querySelector(link.getAttribute("href"));
    question.scrollIntoView({ block: "start" });
    inputsOf(question)[0].focus();
  });
}
