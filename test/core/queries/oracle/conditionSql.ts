import type { PlainBin } from "../../../support/plainBin.ts";
import type { ParameterOverride } from "../../../../core/base/contracts/index.ts";
import { literal } from "./openOracle.ts";
import { relativeBounds } from "./relativeBounds.ts";
import type { Mention, ValueType } from "./values.ts";

/** A tested value of a row or a group, in SQL. `tolerance` is SQL for the possible error of a computed number. */
export interface Tested {
  readonly sql: string;
  readonly type: ValueType;
  readonly isDate: boolean;
  readonly tolerance?: string;
  readonly bin?: PlainBin;
}

export interface ConditionOptions {
  readonly tested: (mention: Mention) => Tested;
  readonly parameters: ReadonlyMap<string, ParameterOverride>;
  readonly nowMs: number;
  readonly zone: string;
  /** Returns the last value of a column over all rows, in milliseconds; null if there is none. */
  readonly lastOf: (mention: Mention) => number | null;
  /** Receives SQL that is true if a computed number is too close to the value with which it is compared. */
  readonly onDoubt?: (sql: string) => void;
}

/** A condition as clients write it. */
export type Condition =
  | readonly Condition[]
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly expression: string; readonly parameters: readonly unknown[] };

/** Writes a condition as SQL that is never null. Undefined if the condition uses a cleared parameter. */
export function conditionSql(condition: Condition, options: ConditionOptions): string | undefined {
  const all = (members: readonly Condition[], word: string, none: string) => {
    const written = members.flatMap((each) => conditionSql(each, options) ?? []);
    if (written.length === 0) return members.length > 0 ? undefined : none;
    return `(${written.join(` ${word} `)})`;
  };
  if (isList(condition)) return all(condition, "and", "true");
  if ("and" in condition) return all(condition.and, "and", "true");
  if ("or" in condition) return all(condition.or, "or", "false");
  const [mention, given] = condition.parameters as [Mention, unknown];
  const word = condition.expression
    .replaceAll("?", "")
    .trim()
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
  const tested = options.tested(mention);
  if (/_|^ago$|td$/.test(word)) return relativeSql(word, mention, given, tested, options);
  const resolved = resolve(given, options.parameters);
  if (resolved === cleared) return undefined;
  if (isParameter(given) && Array.isArray(resolved) && resolved.length === 0) return "false";
  const zone = tested.isDate ? "UTC" : options.zone;
  return testSql(word, tested, resolved, { ...options, zone });
}

const isList = (condition: Condition): condition is readonly Condition[] =>
  Array.isArray(condition);

const cleared = Symbol("cleared");

function isParameter(value: unknown): value is { parameter: string; value?: unknown } {
  return typeof value === "object" && value !== null && "parameter" in value;
}

function resolve(given: unknown, parameters: ConditionOptions["parameters"]): unknown {
  if (!isParameter(given)) return given;
  const override = parameters.get(given.parameter.replace("metadata.", ""));
  if (override?.clear) return cleared;
  return override ? override.value : given.value;
}

const negative: Readonly<Record<string, string>> = {
  "!=": "=",
  "not in": "in",
  "not like": "like",
  "not starts with": "starts with",
  "not ends with": "ends with",
  "is not null": "is null",
};

function testSql(
  word: string,
  tested: Tested,
  value: unknown,
  options: Pick<ConditionOptions, "onDoubt" | "zone">,
): string {
  const { onDoubt, zone } = options;
  const positive = negative[word];
  if (positive) return `(not ${testSql(positive, tested, value, options)})`;
  const { sql, type, tolerance, bin } = tested;
  const of = (cell: unknown) => {
    const start = binStart(cell, bin) as string | number | null;
    return literal(
      type === "datetime" && start !== null ? inZone(String(start), zone) : start,
      type,
    );
  };
  const doubt = (cell: unknown) => {
    if (tolerance && cell !== null)
      onDoubt?.(`coalesce(abs(${sql} - ${of(cell)}) <= ${tolerance}, false)`);
  };
  switch (word) {
    case "is null":
      return `(${sql} is null)`;
    case "in": {
      const cells = value as readonly unknown[];
      cells.forEach(doubt);
      const some = cells.filter((cell) => cell !== null).map(of);
      const isIn = some.length > 0 ? `coalesce(${sql} in (${some.join(", ")}), false)` : "false";
      return cells.includes(null) ? `(${isIn} or ${sql} is null)` : isIn;
    }
    case "between": {
      const [low, high] = value as readonly unknown[];
      doubt(low);
      doubt(high);
      return `coalesce(${sql} >= ${of(low)} and ${sql} <= ${of(high)}, false)`;
    }
    case "like":
    case "starts with":
    case "ends with": {
      const name = { like: "contains", "starts with": "starts_with", "ends with": "suffix" }[word];
      return `coalesce(${name}(fold(${sql}), fold(${of(value)})), false)`;
    }
    default:
      doubt(value);
      return `coalesce(${sql} ${word} ${of(value)}, false)`;
  }
}

/** Reads a date or datetime without a zone on the zone's clock. Returns other strings unchanged. */
function inZone(text: string, zone: string): string {
  if (!/^\d{4}-\d\d-\d\d(T[\d:.]+)?$/.test(text)) return text;
  const { epochMilliseconds } = Temporal.PlainDateTime.from(text).toZonedDateTime(zone);
  return new Date(epochMilliseconds).toISOString();
}

/** Returns the number at which a bin with a label such as `[ 2 - 4 [` starts. */
function binStart(cell: unknown, bin: Tested["bin"]): unknown {
  return bin && typeof cell === "string" ? Number(/\[ (\S+)/.exec(cell)?.[1]) : cell;
}

function relativeSql(
  word: string,
  mention: Mention,
  value: unknown,
  { sql, isDate }: Tested,
  { nowMs, zone, lastOf }: ConditionOptions,
): string {
  const anchor = word === "last_available" ? lastOf(mention) : nowMs;
  if (anchor === null) return "false";
  const { from, to } = relativeBounds(word, value as { unit?: number }, anchor, zone, isDate);
  const at = (instant: number) => literal(new Date(instant).toISOString(), "datetime");
  const tests = [
    ...(from ? [`${sql} ${from.isIncluded ? ">=" : ">"} ${at(from.at)}`] : []),
    ...(to ? [`${sql} ${to.isIncluded ? "<=" : "<"} ${at(to.at)}`] : []),
  ];
  return `coalesce(${tests.join(" and ")}, false)`;
}

/** Lists the conditions that are combined with AND, for every form in which a client can write AND. */
export function conjuncts(condition: Condition): readonly Condition[] {
  if (isList(condition)) return condition.flatMap(conjuncts);
  if ("and" in condition) return condition.and.flatMap(conjuncts);
  if (!("or" in condition)) return [condition];
  return condition.or.length === 1 ? condition.or.flatMap(conjuncts) : [condition];
}

/** Lists the column references in a condition. */
export function mentionsIn(condition: Condition): readonly Mention[] {
  if (isList(condition)) return condition.flatMap(mentionsIn);
  if ("and" in condition) return condition.and.flatMap(mentionsIn);
  if ("or" in condition) return condition.or.flatMap(mentionsIn);
  return [condition.parameters[0] as Mention];
}

/** Lists the columns of the `last_available` tests in a condition. */
export function lastMentions(condition: Condition): readonly Mention[] {
  if (isList(condition)) return condition.flatMap(lastMentions);
  if ("and" in condition) return condition.and.flatMap(lastMentions);
  if ("or" in condition) return condition.or.flatMap(lastMentions);
  return condition.expression === "last_available" ? [condition.parameters[0] as Mention] : [];
}
