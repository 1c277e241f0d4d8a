import { element, viewWordsOf } from "../view/index.ts";
import type { ControlFrame } from "./controlFrame.ts";

/** Draws a slider with two handles over the range of a column. The fields next to it show the same numbers. */
export function drawSlider(
  { picture: { localeId }, column }: ControlFrame,
  least: number,
  most: number,
  fields: readonly HTMLInputElement[],
): HTMLElement {
  const words = viewWordsOf(localeId);
  const step = 10 ** Math.floor(Math.log10((most - least) / 100));
  const fill = element("span", { class: "mf-slider-fill" });
  const handles = [words.from, words.to].map((name, index) => {
    const bounds = { min: least, max: most, step: "any" };
    const handle = element("input", { type: "range", "aria-label": name, ...bounds });
    handle.value = fields[index]?.value || String(index === 0 ? least : most);
    return handle;
  });
  const values = () => handles.map(({ value }) => Number(value));
  const show = () => {
    const [low = least, high = most] = values();
    const share = (value: number) => `${(100 * (value - least)) / (most - least)}%`;
    fill.style.setProperty("inset-inline-start", share(low));
    fill.style.setProperty("inset-inline-end", `calc(100% - ${share(high)})`);
    for (const [index, handle] of handles.entries())
      handle.ariaValueText = column.text(values()[index] ?? null);
  };
  for (const [index, handle] of handles.entries()) {
    const digits = fields[index];
    handle.addEventListener("input", () => {
      const [low = least, high = most] = values();
      // A handle cannot move past the other handle.
      if (low > high) handle.value = String(index === 0 ? high : low);
      show();
      if (!digits) return;
      const value = Number(handle.value);
      const isEnd = Math.abs(value - (index === 0 ? least : most)) < step / 2;
      digits.value = isEnd ? "" : String(Number((Math.round(value / step) * step).toPrecision(12)));
    });
    handle.addEventListener("change", () => digits?.dispatchEvent(new Event("change")));
    digits?.addEventListener("change", () => {
      handle.value = digits.value || String(index === 0 ? least : most);
      show();
    });
  }
  show();
  return element("div", { class: "mf-slider" }, fill, ...handles);
}
