import { isObject } from "../../base/index.ts";
import { relativeWords } from "../../queries/index.ts";
import { fillIn } from "../../web/charts/index.ts";
import type { ExportWords } from "./exportWords.ts";
import { exportWordsOf } from "./exportWordsOf.ts";

/** How the columns and the values of filters are written. */
export interface FilterNames {
  readonly localeId: string;
  /** Returns the name of the column that a parameter refers to; undefined if the parameter is not a column. */
  columnName(parameter: unknown): string | undefined;
  /** Returns a value of a column as readers see it. */
  valueText(column: unknown, value: unknown): string;
}

/** Maximum number of values that are written. The rest is counted. */
const mostValues = 5;

/**
 * Returns a filter of a query in words, such as "Region: East, West". A filter in an unknown form is written as its
 * expression, with names in place of the question marks. O(filter).
 */
export function nameFilter(filter: object, names: FilterNames): string {
  const { and, or, expression, parameters }: FilterMembers = filter;
  const words = exportWordsOf(names.localeId);
  if (Array.isArray(and)) return joined(and, words.and, names);
  if (Array.isArray(or)) return joined(or, words.or, names);
  const given: readonly unknown[] = Array.isArray(parameters) ? parameters : [];
  const test = typeof expression === "string" ? expression.trim().toLowerCase() : "";
  const [column, ...values] = given;
  const name = names.columnName(column);
  const relative = relativeWords.find((each) => each === test);
  if (name !== undefined && relative !== undefined)
    return `${name}: ${fillIn(words.relative[relative], { period: periodOf(values[0], names.localeId) })}`;
  const [, operator = ""]: readonly (string | undefined)[] = /^\? (.*?)(?: \?)?$/.exec(test) ?? [];
  const isColumns = values.some((value) => names.columnName(value) !== undefined);
  const write = Object.hasOwn(templates, operator) ? templates[operator] : undefined;
  if (name === undefined || isColumns || !write) return written(filter, names);
  const shown = values.length === 0 ? words.none : listed(column, values[0], names);
  return fillIn(write(words), { name, values: shown });
}

interface FilterMembers {
  readonly and?: unknown;
  readonly or?: unknown;
  readonly expression?: unknown;
  readonly parameters?: unknown;
}

/** How a test of a column is written, by operator. */
const templates: Readonly<Record<string, (words: ExportWords) => string>> = {
  "=": () => "{name}: {values}",
  in: () => "{name}: {values}",
  "is null": () => "{name}: {values}",
  "!=": ({ isNot }) => isNot,
  "not in": ({ isNot }) => isNot,
  "is not null": ({ isNot }) => isNot,
  ">": () => "{name} > {values}",
  ">=": () => "{name} >= {values}",
  "<": () => "{name} < {values}",
  "<=": () => "{name} <= {values}",
  like: ({ contains }) => contains,
  "not like": ({ lacks }) => lacks,
  "starts with": ({ startsWith }) => startsWith,
  "ends with": ({ endsWith }) => endsWith,
};

function joined(filters: readonly unknown[], word: string, names: FilterNames): string {
  const all = filters.filter((each) => isObject(each)).map((each) => nameFilter(each, names));
  const distinct = [...new Set(all)];
  const shown = distinct.slice(0, mostValues);
  const rest = distinct.length - shown.length;
  return [...shown, ...(rest > 0 ? [`+ ${rest}`] : [])].join(` ${word} `);
}

function listed(column: unknown, value: unknown, names: FilterNames): string {
  const all = (Array.isArray(value) ? value : [value]).map((each) => names.valueText(column, each));
  const rest = all.length - mostValues;
  const { comma } = exportWordsOf(names.localeId);
  return `${all.slice(0, mostValues).join(comma)}${rest > 0 ? ` + ${rest}` : ""}`;
}

/** Writes the expression of a filter with the names of its columns and its values. */
function written({ expression, parameters }: FilterMembers, names: FilterNames): string {
  const given: readonly unknown[] = Array.isArray(parameters) ? parameters : [];
  const [column] = given;
  const texts = given.map((each) => names.columnName(each) ?? listed(column, each, names));
  const text = typeof expression === "string" ? expression : JSON.stringify(expression);
  const places = text.split("?").length - 1;
  let at = 0;
  const inPlace = text.replaceAll("?", () => texts[at++] ?? "?");
  return [inPlace, ...texts.slice(places)].join(" ");
}

/** Returns a period such as `{unit: "day", quantity: 30}` in words. */
function periodOf(value: unknown, localeId: string): string {
  if (!isObject<"unit" | "quantity">(value)) return "";
  const { unit, quantity = 1 } = value;
  const count = Number(quantity);
  const [name, size] = unit === "quarter" ? ["month", 3 * count] : [String(unit), count];
  try {
    const form = { style: "unit", unit: name, unitDisplay: "long" } as const;
    return new Intl.NumberFormat(localeId, form).format(size);
  } catch (failure) {
    // `Intl` does not know the unit, so it is shown as it was sent.
    if (failure instanceof RangeError) return `${size} ${name}`;
    throw failure;
  }
}
