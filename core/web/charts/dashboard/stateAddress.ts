import { levels } from "../format/datetimeFormats.ts";
import type { DashboardState } from "./dashboardState.ts";
import { isDay } from "./dateRange.ts";

/**
 * How the state of a dashboard is written in the query of an address: `v=1`, then a member per choice, such as
 * `f.when=dates:last_now,7,day`, `f.city=in:Ghent,Bruges`, `s.sales=north;south`, `d.months=day,2026-03-01`,
 * `c.sales=measure,<key of the column>` or `p.region=west`. In cells, `~` begins a value that is not a string: `~null`,
 * `~12`, `~true`.
 */
const prefixes = {
  f: "filters",
  s: "selections",
  d: "drills",
  c: "picks",
  p: "parameters",
} as const;
type Prefix = keyof typeof prefixes;
type Cell = string | number | boolean | null;

const units: readonly string[] = levels.slice(1);
/** Maximum length of a query. Browsers and proxies cut or refuse much longer addresses. */
const mostCharacters = 6_000;
/** Maximum length of the path of a link in a message. Mail programs cut longer links. */
export const mostLinkCharacters = 1_800;

/** Returns whether a member of a query belongs to the state of a dashboard. */
export const isOfState = (name: string): boolean => name === "v" || prefixOf(name) !== undefined;

/** Writes a state as members of a query. Undefined for a state that is too long for an address. */
export function writeState(
  state: DashboardState,
): readonly (readonly [string, string])[] | undefined {
  return stateQuery(state).length <= mostCharacters ? entriesOf(state) : undefined;
}

/** Returns a state as the query of an address of any length, without a question mark. */
export const stateQuery = (state: DashboardState): string =>
  new URLSearchParams(entriesOf(state).map(([name, value]) => [name, value])).toString();

function entriesOf(state: DashboardState): readonly (readonly [string, string])[] {
  const { filters = {}, selections = {}, drills = {}, picks = {}, parameters = {} } = state;
  return [
    ["v", "1"],
    ...Object.entries(filters).map(([id, value]) => [`f.${id}`, writeFilter(value)] as const),
    ...Object.entries(selections).map(
      ([id, keys]) => [`s.${id}`, keys.map(writeCells).join(";")] as const,
    ),
    ...Object.entries(drills).map(
      ([id, steps]) =>
        [
          `d.${id}`,
          steps.map(({ level, key }) => `${units[level - 1]},${writeCells(key)}`).join(";"),
        ] as const,
    ),
    ...Object.entries(picks).map(
      ([id, chosen]) => [`c.${id}`, Object.entries(chosen).map(writeCells).join(";")] as const,
    ),
    ...Object.entries(parameters).map(
      ([name, value]) => [`p.${name}`, writeParameter(value)] as const,
    ),
  ];
}

/**
 * Reads the state in a query: undefined if the query has none. Parts that cannot be read are null, so that the
 * dashboard names them as ignored.
 */
export function readStateOf(query: URLSearchParams): unknown {
  const version = query.get("v");
  const names = [...new Set(query.keys())].filter((name) => prefixOf(name) !== undefined);
  if (version === null && names.length === 0) return undefined;
  if (version !== null && version !== "1") return { version };
  const state: Record<string, Record<string, unknown>> = {};
  for (const name of names) {
    const prefix = prefixOf(name);
    if (!prefix) continue;
    const part = (state[prefixes[prefix]] ??= {});
    Object.defineProperty(part, name.slice(2), {
      value: readers[prefix](query.get(name) ?? ""),
      enumerable: true,
    });
  }
  return { version: 1, ...state };
}

function prefixOf(name: string): Prefix | undefined {
  const letter = name.slice(0, 1);
  return name.length > 2 && name[1] === "." && isPrefix(letter) ? letter : undefined;
}

const isPrefix = (name: string): name is Prefix => Object.hasOwn(prefixes, name);

function writeFilter(value: NonNullable<DashboardState["filters"]>[string]): string {
  if ("values" in value) return `in:${writeCells(value.values)}`;
  if ("text" in value) return `has:${value.text}`;
  if (!("range" in value)) return `between:${value.from ?? ""},${value.to ?? ""}`;
  const { range, compare = "none" } = value;
  const written =
    range.key === "custom"
      ? `days:${escaped(range.customRange.from)},${escaped(range.customRange.to)}`
      : `dates:${range.key},${range.quantity},${units[range.unit - 1]}`;
  if (compare === "none") return written;
  return `${written};${typeof compare === "string" ? compare : compare.from}`;
}

function readFilter(text: string): unknown {
  const at = text.indexOf(":");
  const [kind, rest] = [text.slice(0, at), text.slice(at + 1)];
  if (kind === "in") return { values: readCells(rest) };
  if (kind === "has") return { text: rest };
  if (kind === "between") {
    const [from, to, ...others] = rest.split(",").map(readEnd);
    return others.length > 0
      ? null
      : { ...(from !== null && { from }), ...(to !== null && { to }) };
  }
  const [range = "", compare] = rest.split(";");
  const compared = {
    ...(compare !== undefined && { compare: isDay(compare) ? { from: compare } : compare }),
  };
  if (kind === "days") {
    const [from = "", to = ""] = range.split(",").map(unescaped);
    return { range: { key: "custom", customRange: { from, to } }, ...compared };
  }
  if (kind !== "dates") return null;
  const [key, quantity, unit = ""] = range.split(",");
  const level = units.indexOf(unit) + 1;
  return { range: { key, quantity: Number(quantity), unit: level }, ...compared };
}

/** Reads an end of a range of numbers: null for an open end. What is not a number is kept, and then ignored. */
function readEnd(text: string): number | string | null {
  if (text === "") return null;
  return Number.isFinite(Number(text)) ? Number(text) : text;
}

const writeCells = (cells: readonly Cell[]): string => cells.map(writeCell).join(",");
const readCells = (text: string): readonly Cell[] => text.split(",").map(readCell);

function writeCell(cell: Cell): string {
  if (typeof cell !== "string") return `~${String(cell)}`;
  const text = cell.startsWith("~") ? `~${cell}` : cell;
  return escaped(text);
}

/** Escapes the characters that separate the parts of a member. */
const escaped = (text: string): string =>
  text.replaceAll(/[%,;*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const unescaped = (text: string): string =>
  text.replaceAll(/%(?:25|2C|3B|2A)/g, decodeURIComponent);

function readCell(text: string): Cell {
  const plain = unescaped(text);
  if (!plain.startsWith("~")) return plain;
  const rest = plain.slice(1);
  if (rest.startsWith("~")) return rest;
  if (rest === "null") return null;
  if (rest === "true" || rest === "false") return rest === "true";
  return rest !== "" && Number.isFinite(Number(rest)) ? Number(rest) : plain;
}

const emptyList = "*;";

/** Writes the value of a parameter: a cell, or a list of cells after `*`. An empty list is `*;`. */
function writeParameter(value: unknown): string {
  const isList = Array.isArray(value);
  const cells = (isList ? value : [value]).filter(isCell).map(writeCell).join(",");
  if (!isList) return cells;
  return value.length === 0 ? emptyList : `*${cells}`;
}

function isCell(value: unknown): value is Cell {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

const readers: Readonly<Record<Prefix, (text: string) => unknown>> = {
  f: readFilter,
  s: (text) => text.split(";").map(readCells),
  d: (text) =>
    text.split(";").map((step) => {
      const [unit = "", ...key] = step.split(",");
      return { level: units.indexOf(unit) + 1, key: key.map(readCell) };
    }),
  c: (text) =>
    Object.fromEntries(
      text.split(";").map((each) => {
        const [slot, key] = readCells(each);
        return [String(slot), key ?? null];
      }),
    ),
  p: (text) =>
    text === emptyList ? [] : text.startsWith("*") ? readCells(text.slice(1)) : readCell(text),
};
