import { wallClock, type ChartCell } from "../../charts/index.ts";
import { filteredColumn } from "../selections/index.ts";
import { element, viewWordsOf } from "../view/index.ts";
import type { ControlFrame } from "./controlFrame.ts";
import { drawSlider } from "./drawSlider.ts";

/** Draws two fields for the first and the last day. The range includes both days. */
export function drawDates(frame: ControlFrame): Node[] {
  const { field, picture } = frame;
  const { level: _, ...instants } = field;
  const column = filteredColumn(instants);
  const zone = field.subtype === "date" ? "UTC" : picture.timezoneId;
  return [
    drawPair(frame, "date", ["", ""], ([low, high]) => [
      ...(low === ""
        ? []
        : [{ expression: "? >= ?", parameters: [column, midnightOf(low, 0, zone)] }]),
      ...(high === ""
        ? []
        : [{ expression: "? < ?", parameters: [column, midnightOf(high, 1, zone)] }]),
    ]),
  ];
}

/**
 * Draws two fields for the ends of a range of numbers. If the range of the column is known, a slider with two handles
 * is drawn above the fields.
 */
export function drawNumbers(frame: ControlFrame): Node[] {
  const { field, picture } = frame;
  const [least = null, most = null] = picture.rows?.[0] ?? [];
  const column = filteredColumn(field);
  const pair = drawPair(frame, "number", [hintOf(least), hintOf(most)], ([low, high]) => [
    ...(low === "" ? [] : [{ expression: "? >= ?", parameters: [column, Number(low)] }]),
    ...(high === "" ? [] : [{ expression: "? <= ?", parameters: [column, Number(high)] }]),
  ]);
  const isRange = typeof least === "number" && typeof most === "number" && least < most;
  return isRange ? [drawSlider(frame, least, most, pair), pair] : [pair];
}

function drawPair(
  { picture: { localeId }, draft, change }: ControlFrame,
  type: "date" | "number",
  hints: readonly [string, string],
  whereOf: (ends: Readonly<[string, string]>) => readonly object[],
): HTMLElement {
  const words = viewWordsOf(localeId);
  const labels = ([0, 1] as const).map((end) => {
    const input = element("input", { type, placeholder: hints[end], step: "any" });
    input.value = draft.ends[end];
    input.addEventListener("change", () => {
      draft.ends[end] = input.value;
      const [low, high] = draft.ends;
      change(whereOf(draft.ends), `${low || "…"} – ${high || "…"}`);
    });
    return element("label", {}, end === 0 ? words.from : words.to, input);
  });
  return element("div", { class: "mf-pair" }, ...labels);
}

function hintOf(cell: ChartCell): string {
  return typeof cell === "number" ? String(cell) : "";
}

/** Returns the instant at which a day begins in a time zone, or the instant at which the next day begins. */
function midnightOf(day: string, daysLater: 0 | 1, timezoneId: string): string {
  const wallMs = Date.parse(`${day}T00:00:00.000Z`) + daysLater * 86_400_000;
  let instantMs = wallMs;
  // The first guess may use the offset before or after a clock change; the second guess corrects it.
  for (let guess = 0; guess < 2; guess++) instantMs -= wallClock(instantMs, timezoneId) - wallMs;
  return new Date(instantMs).toISOString();
}
