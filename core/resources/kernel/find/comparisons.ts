import type { Knex } from "knex";
import { arrayBinding } from "../../../catalog/index.ts";
import { kindOf } from "../../../base/index.ts";
import { limits } from "../limits.ts";
import { bindValue, type Operand } from "./operand.ts";
import { invalidMember } from "./scope.ts";

type Compile = (knex: Knex, operand: Operand, value: unknown, path: string) => Knex.Raw;

function expectList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidMember(path, `must be a list, not ${kindOf(value)}`);
  if (value.length > limits.listLength)
    throw invalidMember(path, `must have at most ${limits.listLength} entries`);
  return value;
}

const test = (
  knex: Knex,
  operand: Operand,
  sql: string,
  ...bindings: (string | string[] | number | boolean | Date)[]
) => {
  const comparison = knex.raw(sql, [operand.sql, ...bindings]);
  return operand.anyOf ? operand.anyOf(comparison) : comparison;
};

/** Compares the value at a JSON path as a number if all given values are numbers. */
function typed(operand: Operand, values: readonly unknown[]): Operand {
  const { asNumber } = operand;
  const isNumeric = asNumber && values.every((value) => typeof value === "number");
  return isNumeric ? { ...operand, sql: asNumber, storage: "double precision" } : operand;
}

const compare =
  (symbol: string): Compile =>
  (knex, given, value, path) => {
    const operand = typed(given, [value]);
    const bound = bindValue(operand, value, path);
    return bound === undefined
      ? knex.raw("false")
      : test(knex, operand, `? ${symbol} ?::${operand.storage}`, bound);
  };

const equal: Compile = (knex, operand, value, path) =>
  value === null
    ? knex.raw("? is null", [operand.whole])
    : compare("=")(knex, operand, value, path);

const isOneOf: Compile = (knex, given, value, path) => {
  const entries = expectList(value, path);
  const operand = typed(
    given,
    entries.filter((entry) => entry !== null),
  );
  const bound = entries.flatMap((entry, index) =>
    entry === null ? [] : (bindValue(operand, entry, `${path}[${index}]`) ?? []),
  );
  const listed = test(knex, operand, `? = any(?::${operand.storage}[])`, arrayBinding(bound));
  return entries.includes(null) ? knex.raw("(? or ? is null)", [listed, operand.whole]) : listed;
};

const isLike =
  (operator: "like" | "ilike"): Compile =>
  (knex, operand, value, path) => {
    if (operand.storage !== "text") throw invalidMember(path, "can only be used with strings");
    if (typeof value !== "string")
      throw invalidMember(path, `must be a string, not ${kindOf(value)}`);
    if (value.length > limits.patternLength)
      throw invalidMember(path, `must have at most ${limits.patternLength} characters`);
    bindValue(operand, value, path);
    return test(knex, operand, `? ${operator} ? escape ''`, value);
  };

const isBetween: Compile = (knex, given, value, path) => {
  const [low, high, ...more] = expectList(value, path);
  const operand = typed(given, [low, high]);
  if (low === undefined || high === undefined || more.length > 0)
    throw invalidMember(path, "must be a list of two values");
  const bounds = [bindValue(operand, low, `${path}[0]`), bindValue(operand, high, `${path}[1]`)];
  if (bounds[0] === undefined || bounds[1] === undefined) return knex.raw("false");
  return test(
    knex,
    operand,
    `? between ?::${operand.storage} and ?::${operand.storage}`,
    bounds[0],
    bounds[1],
  );
};

/** Negates a test. The result is the exact complement, even for null: it is never null itself. */
const not =
  (positive: Compile): Compile =>
  (knex, operand, value, path) =>
    knex.raw("not coalesce((?), false)", [positive(knex, operand, value, path)]);

/** The characters that JSON escapes. */
const escaped = /["\\\p{Cc}]/u;

/** Tests whether a string contains another string, ignoring case. */
export function compileContains(
  knex: Knex,
  operand: Operand,
  text: string,
  path: string,
): Knex.Raw {
  bindValue(operand, text, path);
  const contains = test(knex, operand, "strpos(lower(?), lower(?)) > 0", text);
  if (!operand.anyOf || escaped.test(text)) return contains;
  // Search the JSON text as a whole first, so that most values need not be split into parts. `coalesce` is needed,
  // because `and` would evaluate its second operand if the first were null.
  return knex.raw("(coalesce(strpos(lower(?::text), lower(?)), 0) > 0 and ?)", [
    operand.whole,
    text,
    contains,
  ]);
}

/** The comparisons of `where`, by operator. In a call, the operator may have a leading `$` and contain spaces. */
export const comparisons: ReadonlyMap<string, Compile> = new Map([
  ["eq", equal],
  ["ne", not(equal)],
  ["in", isOneOf],
  ["notIn", not(isOneOf)],
  ["gt", compare(">")],
  ["gte", compare(">=")],
  ["lt", compare("<")],
  ["lte", compare("<=")],
  ["like", isLike("like")],
  ["notLike", not(isLike("like"))],
  ["iLike", isLike("ilike")],
  ["notILike", not(isLike("ilike"))],
  ["between", isBetween],
  ["notBetween", not(isBetween)],
]);
