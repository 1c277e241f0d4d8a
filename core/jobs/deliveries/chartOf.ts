import type { AnswerCell } from "../../queries/index.ts";
import type { SlotField } from "../../web/charts/index.ts";
import type { MessageChart, MessageThreshold } from "./message.ts";
import type { ReportedEvaluation } from "./reported.ts";
import { bySeverity } from "./thresholdsIn.ts";

/** Maximum number of bars in the picture of a message. */
const mostBars = 15;

interface Charted {
  readonly fields: readonly SlotField[];
  /** The names of the fields, in the reader's language. */
  readonly titles: readonly string[];
  readonly thresholds: readonly MessageThreshold[];
}

/**
 * Returns the picture of an evaluation: the measure of the condition by the first dimension, for the rows that match
 * and for those that no longer do, worst first. Undefined for an answer with fewer than two values to compare.
 */
export function chartOf(
  { answer, values }: Pick<ReportedEvaluation, "answer" | "values">,
  { fields, titles, thresholds }: Charted,
): MessageChart | undefined {
  const threshold = thresholds.find(({ cell }) => cell !== null);
  const isMeasure = ({ aggregation, type }: SlotField) =>
    aggregation !== undefined || type === "numeric";
  const cell = threshold?.cell ?? fields.findIndex(isMeasure);
  const [category] = fields;
  const measure = fields[cell];
  if (!category || !measure || cell <= 0 || isMeasure(category)) return undefined;
  const rows = [...(answer?.data ?? []), ...(values?.data ?? [])];
  const sorted = threshold ? rows.toSorted(bySeverity(threshold)) : rows;
  const isTime = category.type === "datetime";
  const shown = new Map<string, readonly [AnswerCell, AnswerCell]>();
  for (const row of sorted) {
    const [first = null] = row;
    const value = row[cell] ?? null;
    const key = JSON.stringify(first);
    if (typeof value === "number" && !shown.has(key)) shown.set(key, [first, value]);
  }
  const found = [...shown.values()].slice(0, mostBars);
  if (found.length < 2) return undefined;
  return {
    category: { ...category, label: titles[0] ?? "" },
    measure: { ...measure, label: titles[cell] ?? "" },
    rows: isTime
      ? found.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))
      : found,
    threshold: threshold?.value ?? null,
  };
}
