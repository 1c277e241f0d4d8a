import { isRecord } from "../api/index.ts";

/** A column that groups the rows. */
export interface Grouping {
  readonly id: string;
  /** 1 year to 9 millisecond, for datetimes. */
  readonly level?: number;
}

/** A column that is summed up. The id `*` counts rows. */
export interface Measure {
  readonly id: string;
  readonly aggregation: string;
}

/** A test of a column. */
export interface Filter {
  readonly id: string;
  /** As the data service writes it, such as `? in ?`. */
  readonly test: string;
  readonly value?: unknown;
}

/** The state of the explorer, as the address holds it. */
export interface Question {
  readonly rows: readonly Grouping[];
  readonly color?: Grouping | undefined;
  readonly measures: readonly Measure[];
  readonly filters: readonly Filter[];
  /** An item type, such as `line-chart`; "" lets the explorer choose. */
  readonly chart: string;
}

export const emptyQuestion: Question = { rows: [], measures: [], filters: [], chart: "" };

export const shelves = ["rows", "color", "measures", "filters"] as const;
export type Shelf = (typeof shelves)[number];

/** Writes a question for the address; "" for the empty one. */
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

/** Reads a question of an address. Members of a wrong kind count as missing: anyone can write an address. */
export function readQuestion(text: string | null): Question {
  let given: unknown;
  try {
    given = JSON.parse(text ?? "");
  } catch {
    return emptyQuestion;
  }
  if (!isRecord(given)) return emptyQuestion;
  const { color, chart } = given;
  return {
    rows: listOf(given["rows"]).map(groupingOf),
    ...(isRecord(color) && { color: groupingOf(color) }),
    measures: listOf(given["measures"]).map(({ id, aggregation }) => ({
      id: String(id),
      aggregation: typeof aggregation === "string" ? aggregation : "count",
    })),
    filters: listOf(given["filters"]).map(({ id, test, value }) => ({
      id: String(id),
      test: String(test),
      ...(value !== undefined && { value }),
    })),
    chart: typeof chart === "string" ? chart : "",
  };
}
