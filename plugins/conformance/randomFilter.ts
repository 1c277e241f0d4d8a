import {
  operatorDefinitions,
  positiveOf,
  type Cell,
  type Column,
  type ColumnFilter,
  type Operator,
} from "../protocol/index.ts";
import type { Random } from "./createRandom.ts";
import type { Subject } from "./subject.ts";

/** Returns a random filter on a column, with values that are equal or close to values in its rows. */
export function randomFilter(
  column: Column,
  operator: Operator,
  { values, capabilities }: Subject,
  random: Random,
): ColumnFilter {
  const test = { column_id: column.id, expression: operator };
  const { values: takes } = operatorDefinitions[operator];
  if (takes === "none") return test;
  const known = values.get(column.id) ?? [];
  const draw = () => nearby(known, column, operator, random);
  if (takes === "one") return { ...test, value: [draw()] };
  const most = Math.min(capabilities.filters?.listLength ?? 5, 5);
  const list = Array.from({ length: random.below(most + 1) }, () =>
    random.chance(0.15) ? null : draw(),
  );
  return { ...test, value: list };
}

/**
 * Returns a value from the rows. Often changes it slightly first, to a value for which sources return different
 * results.
 */
function nearby(
  known: readonly Exclude<Cell, null>[],
  { type }: Column,
  operator: Operator,
  random: Random,
): Cell {
  if (known.length === 0) return type === "numeric" ? 1 : type === "datetime" ? epoch : "a";
  const value = random.pick(known);
  if (typeof value === "number") return random.chance(0.7) ? value : value + random.below(3) - 1;
  if (type === "datetime") return random.chance(0.8) ? value : shifted(value, random);
  if (operatorDefinitions[operator].tests === "part") return partOf(value, operator, random);
  return random.chance(0.6) ? value : changed(value, random);
}

const epoch = "1970-01-01T00:00:00.000Z";

function shifted(instant: string, random: Random): string {
  const shiftMs = random.pick([-1, 1, 86_400_000]);
  const at = Date.parse(instant) + shiftMs;
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : instant;
}

/**
 * Returns a string that some sources treat as equal to `text`. The string contains no lone surrogates, because UTF-8
 * cannot encode them.
 */
function changed(text: string, random: Random): string {
  return random.pick([
    text.toUpperCase(),
    text.toLowerCase(),
    `${text} `,
    ` ${text}`,
    text.trim(),
    withoutMarks(text),
    text.normalize("NFC"),
    text.normalize("NFD"),
    [...text].slice(0, -1).join(""),
  ]);
}

const withoutMarks = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

function partOf(text: string, operator: Operator, random: Random): string {
  const letters = [...text];
  const length = 1 + random.below(Math.min(4, letters.length));
  const last = letters.length - length;
  const positive = positiveOf(operator);
  const from =
    positive === "starts with" ? 0 : positive === "ends with" ? last : random.below(last + 1);
  const part = letters.slice(Math.max(0, from), Math.max(0, from) + length);
  if (part.length > 0 && random.chance(0.25))
    part[random.below(part.length)] = random.pick(["%", "_", "."]);
  const drawn = part.join("");
  const changes = [drawn.toUpperCase(), drawn.toLowerCase(), withoutMarks(drawn)];
  return random.pick([drawn, drawn, drawn, ...changes]);
}
