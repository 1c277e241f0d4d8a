import {
  usualAggregation,
  type ExploredColumn,
  type Filter,
  type Question,
  type Shelf,
} from "../questions/index.ts";
import type { DraggedColumn } from "./dragColumn.ts";
import { withoutPlace } from "./shelvesView.ts";

/**
 * Adds a column to a shelf. If no shelf is given, numbers go to the values, and other columns to the rows, then to the
 * colour. The first number that is added in this way replaces the initial row count.
 */
export function addColumn(
  question: Question,
  column: (Parameters<typeof usualAggregation>[0] & Pick<ExploredColumn, "id">) | undefined,
  shelf?: Exclude<Shelf, "filters">,
): Question {
  const id = column?.id ?? "*";
  const isNumber = column === undefined || column.type === "numeric";
  const target = shelf ?? (isNumber ? "measures" : question.rows.length > 0 ? "color" : "rows");
  if (target === "measures") {
    const aggregation = column === undefined ? "count" : usualAggregation(column);
    const gives = shelf === undefined && id !== "*" && countsAlone(question);
    const kept = gives ? [] : question.measures;
    return { ...question, measures: [...kept, { id, aggregation }] };
  }
  const grouping = { id, ...(column?.type === "datetime" && { level: 3 }) };
  // A question without measures counts its rows, because a chart of counts is clearer than a list of values.
  const counted =
    question.measures.length === 0 && target === "rows" ? [{ id: "*", aggregation: "count" }] : [];
  const withMeasure = { ...question, measures: [...question.measures, ...counted] };
  if (target === "color") return { ...withMeasure, color: grouping };
  return { ...withMeasure, rows: [...question.rows, grouping] };
}

const countsAlone = ({ measures: [first, ...others] }: Question): boolean =>
  first?.id === "*" && others.length === 0;

/** Moves a column to another shelf. Returns the question unchanged if the column does not fit there. */
export function moveColumn(
  question: Question,
  { id, from }: DraggedColumn,
  shelf: Exclude<Shelf, "filters">,
  column: ExploredColumn | undefined,
): Question {
  // The row count can only be on the shelf of values.
  const belongs = id !== "*" || shelf === "measures";
  if (!from || from.shelf === shelf || !belongs) return question;
  return addColumn(withoutPlace(question, from), column, shelf);
}

/** Replaces the filter at an index. The index -1 appends the filter. */
export function withFilter(question: Question, filter: Filter, index: number): Question {
  const { filters } = question;
  const next =
    index < 0 ? [...filters, filter] : filters.map((each, at) => (at === index ? filter : each));
  return { ...question, filters: next };
}
