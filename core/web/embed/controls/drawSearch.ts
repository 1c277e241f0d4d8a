import { localizedText, objectOf } from "../../charts/index.ts";
import { element } from "../view/index.ts";
import type { ControlFrame } from "./controlFrame.ts";

/** Milliseconds after the last key before the search starts. */
const typingMs = 250;

/** Draws a search box. The filter keeps rows whose value contains the text. */
export function drawSearch(frame: ControlFrame): Node[] {
  const { name, later, change, picture } = frame;
  const { options } = picture.item;
  const { placeholder: isShown } = objectOf<"placeholder">(options.display);
  const placeholder = isShown === false ? "" : localizedText(options.placeholder, picture.localeId);
  const input = element("input", { type: "search", "aria-label": name, placeholder });
  const value = frame.value();
  input.value = value !== undefined && "text" in value ? value.text : "";
  input.addEventListener("input", () => {
    later(typingMs, () => {
      const text = input.value.trim();
      change(text === "" ? undefined : { text });
    });
  });
  return [element("div", { class: "mf-pair" }, input)];
}
