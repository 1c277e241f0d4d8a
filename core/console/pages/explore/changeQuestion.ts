import type { ExploredColumn, Question, Shelf } from "../../questions/index.ts";

/** Puts a column on a shelf; without one where its kind belongs: numbers are values, all else rows, then colour. */
export function addColumn(
  question: Question,
  column: Pick<ExploredColumn, "id" | "type" | "aggregation_type"> | undefined,
  shelf?: Exclude<Shelf, "filters">,
): Question {
  const id = column?.id ?? "*";
  const isNumber = column === undefined || column.type === "numeric";
  const target = shelf ?? (isNumber ? "measures" : question.rows.length > 0 ? "color" : "rows");
  if (target === "measures") {
    const aggregation =
      column === undefined
        ? "count"
        : isNumber
          ? (column.aggregation_type ?? "sum")
          : "distinctcount";
    return { ...question, measures: [...question.measures, { id, aggregation }] };
  }
  const grouping = { id, ...(column?.type === "datetime" && { level: 3 }) };
  // A question of rows alone counts them: a picture says more than a list.
  const counted =
    question.measures.length === 0 && target === "rows" ? [{ id: "*", aggregation: "count" }] : [];
  const withMeasure = { ...question, measures: [...question.measures, ...counted] };
  if (target === "color") return { ...withMeasure, color: grouping };
  return { ...withMeasure, rows: [...question.rows, grouping] };
}
