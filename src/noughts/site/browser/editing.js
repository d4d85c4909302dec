// Keys of a field for Python: Tab and Shift+Tab indent lines, Enter keeps the indentation, Backspace takes a whole step.

const STEP = "    ";

// As if it had been typed, so that undo takes it back.
function type(field, from, to, text) {
  field.setSelectionRange(from, to);
  if (!document.execCommand("insertText", false, text)) field.setRangeText(text, from, to, "end");
}

const startOfLine = (text, at) => text.lastIndexOf("\n", at - 1) + 1;

function indent(field, back) {
  const { value, selectionStart: from, selectionEnd: to } = field;
  if (from === to && !back) {
    const column = from - startOfLine(value, from);
    type(field, from, to, " ".repeat(STEP.length - (column % STEP.length)));
    return;
  }
  const begin = startOfLine(value, from);
  const last = to > from && value[to - 1] === "\n" ? to - 1 : to;
  const end = value.indexOf("\n", last) < 0 ? value.length : value.indexOf("\n", last);
  const lines = value.slice(begin, end).split("\n");
  const changed = lines.map((line) => (back ? line.replace(/^ {1,4}|^\t/, "") : line && STEP + line));
  const text = changed.join("\n");
  if (text === lines.join("\n")) return;
  type(field, begin, end, text);
  if (from === to) {
    const at = Math.max(begin, from + text.length - (end - begin));
    field.setSelectionRange(at, at);
  } else {
    field.setSelectionRange(begin, begin + text.length);
  }
}

function newLine(field) {
  const { value, selectionStart: from, selectionEnd: to } = field;
  const line = value.slice(startOfLine(value, from), from);
  const deeper = /:\s*(#.*)?$/.test(line) ? STEP : "";
  type(field, from, to, `\n${line.match(/^\s*/)[0]}${deeper}`);
}

// True if it was a step of indentation that went.
function takeStep(field) {
  const { value, selectionStart: from, selectionEnd: to } = field;
  const before = value.slice(startOfLine(value, from), from);
  if (from !== to || !before || before.trim() || before.includes("\t")) return false;
  type(field, from - (before.length % STEP.length || STEP.length), from, "");
  return true;
}

/** Make the keys of a text area those of an editor. After Esc, Tab moves on, as it does elsewhere. */
export function editing(field) {
  let leaving = false;
  field.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = event;
    if (ctrlKey || metaKey || altKey || isComposing || key === "Shift") return;
    const leaves = leaving;
    leaving = key === "Escape";
    let done = true;
    if (key === "Tab" && !leaves) indent(field, shiftKey);
    else if (key === "Enter" && !shiftKey) newLine(field);
    else if (key === "Backspace" && takeStep(field)) done = true;
    else done = false;
    if (done) event.preventDefault();
  });
  field.addEventListener("blur", () => (leaving = false));
}
