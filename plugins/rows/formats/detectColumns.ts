import type { DataType } from "../../protocol/index.ts";
import { splitDate } from "../readDate.ts";
import { readValue, type ValueForms } from "../readValue.ts";
import type { RowBlock } from "../rowDriver.ts";

/** The type of a column as detected from its values, with samples. */
export interface DetectedColumn {
  readonly type: DataType;
  /** `date` if no value has a time of day. Absent otherwise. */
  readonly subtype?: "date";
  /** The first distinct values, at most three, as strings. */
  readonly samples: readonly string[];
  /** The reason why the column is text although most of its values are of another kind. It is shown to people. */
  readonly note?: string;
}

/** Detects the types of columns from blocks of values. */
export interface Detector {
  readonly rowCount: number;
  add(block: RowBlock): void;
  columns(): readonly DetectedColumn[];
}

export interface DetectorOptions {
  readonly columnCount: number;
  readonly forms: ValueForms;
  /** Whether strings may represent numbers, as in CSV. */
  readonly textsSpellNumbers: boolean;
}

/**
 * Creates a detector. A column is numeric if all its values are numbers, a datetime column if all its values are dates
 * or instants, and otherwise text. Strings with leading zeros and whole numbers beyond 2^53 do not count as numbers,
 * because they would lose digits.
 */
export function createDetector(options: DetectorOptions): Detector {
  const states = Array.from({ length: options.columnCount }, createState);
  let rowCount = 0;
  return {
    get rowCount() {
      return rowCount;
    },
    add({ rows, placeOf }) {
      rows.forEach((row, rowIndex) => {
        for (let index = 0; index < states.length; index++)
          note(states[index]!, row[index], () => placeOf(rowIndex), options);
      });
      rowCount += rows.length;
    },
    columns: () => states.map(detected),
  };
}

/** The number of values of each kind so far, and the reasons of the first values that do not fit. */
interface State {
  valueCount: number;
  numberCount: number;
  dateCount: number;
  isTimed: boolean;
  /** The reason why a value is not a number, as a phrase that completes "it is text: ". */
  notNumber?: string;
  notDate?: string;
  /** The first date whose day and month could be swapped. */
  ordered?: string;
  readonly samples: string[];
}

function createState(): State {
  return { valueCount: 0, numberCount: 0, dateCount: 0, isTimed: false, samples: [] };
}

const mostSamples = 3;
const longestSample = 40;

function note(
  state: State,
  value: unknown,
  place: () => string,
  { forms, textsSpellNumbers }: DetectorOptions,
): void {
  const text = readValue(value, "hierarchy", forms);
  if (typeof text !== "string") return;
  if (state.samples.length < mostSamples) {
    const sample = text.slice(0, longestSample).toWellFormed();
    if (!state.samples.includes(sample)) state.samples.push(sample);
  }
  // A quoted empty string is read as null in columns of numbers and dates, so it does not affect the type.
  if (typeof value === "string" && value.trim() === "") return;
  state.valueCount++;
  const isText = typeof value === "string";
  if (isText && !textsSpellNumbers) state.notNumber ??= `${place()} is the string ${quoted(value)}`;
  else {
    const doubt = numberDoubt(value, forms);
    if (doubt === undefined) state.numberCount++;
    else state.notNumber ??= `${place()} ${doubt}: ${quoted(text)}`;
  }
  const instant = readValue(value, "datetime", forms);
  if (typeof instant === "number") {
    state.dateCount++;
    state.isTimed ||= isTimed(value, instant);
  } else {
    state.notDate ??= `${place()} is not a date: ${quoted(text)}`;
    if (isText && splitDate(value)?.kind === "numbers")
      state.ordered ??= `${place()}, ${quoted(text)}`;
  }
}

/** Returns the reason why a value does not count as a number; undefined if it is a number. */
function numberDoubt(value: unknown, forms: ValueForms): string | undefined {
  if (typeof readValue(value, "numeric", forms) !== "number") return "is not a number";
  if (typeof value === "string") {
    const digits = value.trim().replace(/^[+-]/, "");
    if (/^0\d/.test(digits)) return "has a leading zero";
    if (/^\d{16,}$/.test(digits) && !Number.isSafeInteger(Number(digits)))
      return "is a whole number beyond 2^53";
  }
  if (typeof value === "bigint" && !Number.isSafeInteger(Number(value)))
    return "is a whole number beyond 2^53";
  return undefined;
}

/** Returns whether a value has a time of day. A Date at midnight has none. */
function isTimed(value: unknown, instant: number): boolean {
  return typeof value === "string" ? /\d[T ]\d/.test(value.trim()) : instant % 86_400_000 !== 0;
}

function detected(state: State): DetectedColumn {
  const { valueCount, numberCount, dateCount, samples } = state;
  const isAll = (count: number) => valueCount > 0 && count === valueCount;
  if (isAll(numberCount)) return { type: "numeric", samples };
  if (isAll(dateCount))
    return { type: "datetime", ...(!state.isTimed && { subtype: "date" }), samples };
  const reason = state.ordered
    ? `the order of day and month in its dates is not known (${state.ordered}); set dates to DMY or MDY`
    : 2 * numberCount > valueCount
      ? state.notNumber
      : 2 * dateCount > valueCount
        ? state.notDate
        : undefined;
  return {
    type: "hierarchy",
    samples,
    ...(reason !== undefined && { note: `it is text: ${reason}` }),
  };
}

const quoted = (text: string): string =>
  JSON.stringify(text.slice(0, longestSample).toWellFormed());
