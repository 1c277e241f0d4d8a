import { numberFormat } from "../format/numberFormats.ts";
import { objectOf } from "../item/readItem.ts";
import type { Stored } from "../item/stored.ts";
import type { Bar, LaidBars } from "./layBars.ts";

/** What the labels of bars show: the value, or its share of a sum or of the largest value. */
const barLabels = [
  "none",
  "absolute",
  "percentage",
  "percentageLegend",
  "percentageCategory",
  "percentageMax",
] as const;

type BarLabel = (typeof barLabels)[number];

/** Returns the option `bars.label`; undefined if it is absent or unknown. */
export function readBarLabel(options: Stored<"bars">): BarLabel | undefined {
  const { label } = objectOf<"label">(options.bars);
  return barLabels.find((each) => each === label);
}

/**
 * Returns the function that writes the label of a bar; empty for no label. Shares are relative to the sum of the
 * absolute values: of all bars, of the series (`percentageLegend`) or of the category (`percentageCategory`).
 */
export function labelBars(
  { bars, series }: LaidBars,
  label: BarLabel,
  localeId: string,
): (bar: Bar) => string {
  if (label === "none") return () => "";
  const valueText = (bar: Bar) => series[bar.series]?.measure.text(bar.value) ?? "";
  if (label === "absolute") return (bar) => (bar.value === null ? "" : valueText(bar));
  const groupOf = (bar: Bar): number =>
    label === "percentageLegend" ? bar.series : label === "percentageCategory" ? bar.category : 0;
  const wholes = new Map<number, number>();
  for (const bar of bars) {
    const [whole, size] = [wholes.get(groupOf(bar)) ?? 0, Math.abs(bar.value ?? 0)];
    wholes.set(groupOf(bar), label === "percentageMax" ? Math.max(whole, size) : whole + size);
  }
  const write = numberFormat({ format: ",.1%" }, localeId);
  return (bar) => {
    const whole = wholes.get(groupOf(bar)) ?? 0;
    return bar.value === null || whole === 0 ? "" : write(bar.value / whole);
  };
}
