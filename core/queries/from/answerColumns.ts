import { aggregationDefinitions, type DataType } from "../../../plugins/protocol/index.ts";
import type { BoundQuery } from "../boundQuery.ts";

/** A named column of the answer of an inner query. */
export interface AnswerColumn {
  readonly name: string;
  readonly type: DataType;
  /** `date` for calendar dates, which no time zone shifts; absent for other columns. */
  readonly subtype?: "date";
  /** Index of the column's values in the batch of the answer. */
  readonly vector: number;
}

/**
 * Returns the columns of the answer to an inner query: its dimensions, then its measures. Bins are the numbers at which
 * they start.
 */
export function answerColumns(
  bound: Pick<BoundQuery, "dataset" | "joined" | "query" | "types" | "formulas" | "cells">,
  names: readonly string[],
): readonly AnswerColumn[] {
  const { types, formulas, cells } = bound;
  return cells.map((vector, cell) => {
    const type = types[vector] ?? formulas[vector - types.length]?.type ?? "numeric";
    const isDate = type === "datetime" && isDateColumn(bound, vector);
    return { name: names[cell] ?? "", type, ...(isDate && { subtype: "date" as const }), vector };
  });
}

/** Returns whether a column of the query contains calendar dates. */
function isDateColumn(
  {
    dataset,
    joined,
    query,
    types,
    formulas,
  }: Pick<BoundQuery, "dataset" | "joined" | "query" | "types" | "formulas">,
  index: number,
): boolean {
  if (index >= types.length) return formulas[index - types.length]?.isDate === true;
  const { column_id: columnId, aggregation } = query.columns[index] ?? {};
  if (aggregation && aggregationDefinitions[aggregation].result !== "T") return false;
  const derived = query.derived?.find(({ id }) => id === columnId);
  if (derived) return derived.subtype === "date";
  const columns = [dataset, ...joined].flatMap((each) => [...each.columns.values()]);
  return columns.find(({ pluginId }) => pluginId === columnId)?.subtype === "date";
}
