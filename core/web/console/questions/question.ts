import { isRecord } from "../api/index.ts";

/** A column by which the rows are grouped. */
export interface Grouping {
  readonly id: string;
  /** Level of a datetime column, from 1 (year) to 9 (millisecond). */
  readonly level?: number;
}

/** What is shown instead of the value of a measure: its part, its place, or an earlier value of the same group. */
export type MeasureCalculation =
  | { readonly type: "share_of_total" | "rank" }
  | {
      readonly type: "past" | "absolute_change" | "percentage_change";
      /** The earlier value: one period of the grouping before, or one year. */
      readonly from: "period" | "year";
    };

/** An aggregated column. The id `*` counts rows. */
export interface Measure {
  readonly id: string;
  readonly aggregation: string;
  /** Absent: the value itself is shown. */
  readonly calculation?: MeasureCalculation | undefined;
}

/** A filter on the rows by one column. `value` is absent for operators without a value. */
export interface Filter {
  readonly id: string;
  /** Operator in the notation of the data service, such as `? in ?`. */
  readonly test: string;
  readonly value?: unknown;
}

/** The order of the groups: by their first value, or by the first column by which the rows are grouped. */
export interface Order {
  readonly by: "measure" | "category";
  readonly direction: "asc" | "desc";
}

/** The state of Explore, which is part of the address. */
export interface Question {
  readonly rows: readonly Grouping[];
  readonly color?: Grouping | undefined;
  readonly measures: readonly Measure[];
  readonly filters: readonly Filter[];
  /** An item type such as `line-chart`; "" to let Explore choose. */
  readonly chart: string;
  /** Absent: the order that suits the chart. */
  readonly order?: Order | undefined;
  /** Maximum number of groups. Absent: as many as the chart can show. */
  readonly limit?: number | undefined;
}

/** A question before the reader has chosen anything. */
export const emptyQuestion: Question = { rows: [], measures: [], filters: [], chart: "" };

/** The shelves on which columns can be placed. */
export const shelves = ["rows", "color", "measures", "filters"] as const;
/** The name of a shelf. */
export type Shelf = (typeof shelves)[number];

/** Returns a question as a string for the address; "" for an empty question. */
export function writeQuestion(question: Question): string {
  const isEmpty =
    question.rows.length === 0 &&
    question.measures.length === 0 &&
    question.filters.length === 0 &&
    !question.color;
  return isEmpty ? "" : JSON.stringify(question);
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

function groupingOf({ id, level }: Readonly<Record<string, unknown>>): Grouping {
  return { id: String(id), ...(typeof level === "number" && { level }) };
}

/**
 * Parses a question from an address. Members of the wrong type count as missing, because anyone can write an address.
 */
export function readQuestion(text: string | null): Question {
  let given: unknown;
  try {
    given = JSON.parse(text ?? "");
  } catch {
    return emptyQuestion;
  }
  if (!isRecord(given)) return emptyQuestion;
  const { color, chart, order, limit } = given;
  return {
    rows: listOf(given["rows"]).map(groupingOf),
    ...(isRecord(color) && { color: groupingOf(color) }),
    measures: listOf(given["measures"]).map(({ id, aggregation, calculation }) => ({
      id: String(id),
      aggregation: typeof aggregation === "string" ? aggregation : "count",
      ...(isCalculation(calculation) && { calculation }),
    })),
    filters: listOf(given["filters"]).map(({ id, test, value }) => ({
      id: String(id),
      test: String(test),
      ...(value !== undefined && { value }),
    })),
    chart: typeof chart === "string" ? chart : "",
    ...(isOrder(order) && { order: { by: order.by, direction: order.direction } }),
    ...(typeof limit === "number" && Number.isInteger(limit) && limit > 0 && { limit }),
  };
}

function isCalculation(given: unknown): given is MeasureCalculation {
  if (!isRecord(given)) return false;
  const { type, from } = given;
  if (type === "share_of_total" || type === "rank") return true;
  const isCompared = type === "past" || type === "absolute_change" || type === "percentage_change";
  return isCompared && (from === "period" || from === "year");
}

function isOrder(given: unknown): given is Order {
  if (!isRecord(given)) return false;
  const { by, direction } = given;
  return (by === "measure" || by === "category") && (direction === "asc" || direction === "desc");
}

/** Returns a question that does not group by some columns. */
export function withoutColumns(question: Question, ids: readonly string[]): Question {
  const isKept = ({ id }: Grouping) => !ids.includes(id);
  return {
    ...question,
    rows: question.rows.filter(isKept),
    color: question.color && isKept(question.color) ? question.color : undefined,
  };
}
