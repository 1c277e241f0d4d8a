import type { ExploredColumn, Filter, Question, Shelf } from "../../questions/index.ts";
import type { DraggedColumn } from "./dragColumn.ts";
import { withoutPlace } from "./shelvesView.ts";

/**
 * Puts a column on a shelf; without one where its kind belongs: numbers are values, all else rows, then colour. The
 * count that a question of rows begins with gives way to the first number without a shelf.
 */
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
    const gives = shelf === undefined && id !== "*" && countsAlone(question);
    const kept = gives ? [] : question.measures;
    return { ...question, measures: [...kept, { id, aggregation }] };
  }
  const grouping = { id, ...(column?.type === "datetime" && { level: 3 }) };
  // A question of rows alone counts them: a picture says more than a list.
  const counted =
    question.measures.length === 0 && target === "rows" ? [{ id: "*", aggregation: "count" }] : [];
  const withMeasure = { ...question, measures: [...question.measures, ...counted] };
  if (target === "color") return { ...withMeasure, color: grouping };
  return { ...withMeasure, rows: [...question.rows, grouping] };
}

const countsAlone = ({ measures: [first, ...others] }: Question): boolean =>
  first?.id === "*" && others.length === 0;

/** Moves a column from its place to another shelf; the question as it is where the column does not belong there. */
export function moveColumn(
  question: Question,
  { id, from }: DraggedColumn,
  shelf: Exclude<Shelf, "filters">,
  column: ExploredColumn | undefined,
): Question {
  // Rows are counted on the shelf of values alone.
  const belongs = id !== "*" || shelf === "measures";
  if (!from || from.shelf === shelf || !belongs) return question;
  return addColumn(withoutPlace(question, from), column, shelf);
}

/** Puts a filter in the place of the one with an index; at the end for -1. */
export function withFilter(question: Question, filter: Filter, index: number): Question {
  const { filters } = question;
  const next =
    index < 0 ? [...filters, filter] : filters.map((each, at) => (at === index ? filter : each));
  return { ...question, filters: next };
}
