import { cleanText } from "../../charts/index.ts";
import { filteredColumn } from "../selections/index.ts";
import { element } from "../view/index.ts";
import type { ControlFrame } from "./controlFrame.ts";

/** Milliseconds after the last key before the search starts. */
const typingMs = 250;

/** Draws a search box. The filter keeps rows whose value contains the text. */
export function drawSearch({ field, name, draft, change, later }: ControlFrame): Node[] {
  const input = element("input", { type: "search", "aria-label": name });
  input.value = draft.typed;
  input.addEventListener("input", () => {
    draft.typed = input.value;
    later(typingMs, () => {
      const text = draft.typed.trim();
      const where = { expression: "? like ?", parameters: [filteredColumn(field), text] };
      change(text === "" ? [] : [where], cleanText(text));
    });
  });
  return [element("div", { class: "mf-pair" }, input)];
}
