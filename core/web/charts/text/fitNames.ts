import type { Weight } from "../scene.ts";
import { fitText } from "./fitText.ts";
import { measureText } from "./measureText.ts";

const characters = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Shortens names to a width in pixels, or each to its own width. Names that would look the same with their ends cut off
 * are shortened in the middle, because their ends tell them apart.
 */
export function fitNames(
  names: readonly string[],
  width: number | readonly number[],
  size: number,
  weight: Weight = 400,
): readonly string[] {
  const widthOf = (index: number) => (typeof width === "number" ? width : (width[index] ?? 0));
  const fitted = names.map((name, index) => fitText(name, widthOf(index), size, weight));
  const namesByText = new Map<string, Set<string>>();
  for (const [index, text] of fitted.entries())
    namesByText.set(text, (namesByText.get(text) ?? new Set()).add(names[index] ?? ""));
  return fitted.map((text, index) =>
    text !== "" && (namesByText.get(text)?.size ?? 0) > 1
      ? cutInMiddle(names[index] ?? "", widthOf(index), { size, weight }) || text
      : text,
  );
}

/** Shortens a name in the middle, with an ellipsis between its beginning and its end. */
function cutInMiddle(
  name: string,
  width: number,
  { size, weight }: { readonly size: number; readonly weight: Weight },
): string {
  const segments = Array.from(characters.segment(name), ({ segment }) => segment);
  let room = width - measureText("…", size, weight);
  let [start, end] = ["", ""];
  for (let at = 0; at < segments.length; at++) {
    const isEnd = at % 2 === 0;
    const segment = (isEnd ? segments.at(-1 - at / 2) : segments[(at - 1) / 2]) ?? "";
    room -= measureText(segment, size, weight);
    if (room < 0) break;
    if (isEnd) end = segment + end;
    else start += segment;
  }
  return end === "" ? "" : `${start.trimEnd()}…${end.trimStart()}`;
}
