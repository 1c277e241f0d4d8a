import type { ChartCell } from "../../charts/index.ts";
import { element, viewWordsOf } from "../view/index.ts";
import type { ControlFrame } from "./controlFrame.ts";
import { drawSlider } from "./drawSlider.ts";

/**
 * Draws two fields for the ends of a range of numbers. If the range of the column is known, a slider with two handles
 * is drawn above the fields.
 */
export function drawNumbers(frame: ControlFrame): Node[] {
  const { rows, localeId } = frame.picture;
  const words = viewWordsOf(localeId);
  const [least = null, most = null] = rows?.[0] ?? [];
  const value = frame.value();
  const { from, to } = value !== undefined && ("from" in value || "to" in value) ? value : {};
  const fields = [numberField(words.from, from, least), numberField(words.to, to, most)] as const;
  const ends = fields.map(({ input }) => input);
  for (const input of ends)
    input.addEventListener("change", () => {
      const [low, high] = ends.map((end) => (end.value === "" ? undefined : Number(end.value)));
      const isOpen = low === undefined && high === undefined;
      frame.change(
        isOpen
          ? undefined
          : { ...(low !== undefined && { from: low }), ...(high !== undefined && { to: high }) },
      );
    });
  const pair = element("div", { class: "mf-pair" }, ...fields.map(({ label }) => label));
  const isRange = typeof least === "number" && typeof most === "number" && least < most;
  return isRange ? [drawSlider(frame, least, most, ends), pair] : [pair];
}

function numberField(name: string, value: number | undefined, hint: ChartCell) {
  const placeholder = typeof hint === "number" ? String(hint) : "";
  const input = element("input", { type: "number", step: "any", placeholder });
  input.value = value === undefined ? "" : String(value);
  return { input, label: element("label", {}, name, input) };
}
