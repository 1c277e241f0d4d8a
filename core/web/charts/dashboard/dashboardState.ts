import type { Picks } from "../item/pickedItem.ts";
import { isObject, listOf } from "../item/readItem.ts";
import type { ControlValue } from "./controlValue.ts";

type Json = Readonly<Record<string, unknown>>;

/** The key of a group: its cells, in the order of the item's dimensions. */
export type GroupKey = readonly (string | number | null)[];

/**
 * What a reader chose in a dashboard, as JSON. A state is complete: it replaces the author's defaults, and what it does
 * not contain is not chosen.
 */
export interface DashboardState {
  readonly version: 1;
  /** Values of filter items, by item id. Their forms depend on the type of the item. */
  readonly filters?: Readonly<Record<string, ControlValue>>;
  /** Keys of the groups that are selected in items, by item id. */
  readonly selections?: Readonly<Record<string, readonly GroupKey[]>>;
  /** The periods into which the reader drilled down, by item id: the level below each period, and its key. */
  readonly drills?: Readonly<Record<string, readonly DrillStep[]>>;
  /** The columns that the reader chose in the pickers of items: keys by slot, by item id. */
  readonly picks?: Readonly<Record<string, Picks>>;
  /** Values of parameters by name. They take precedence over those of the page. */
  readonly parameters?: Json;
}

/** A period into which the reader drilled down. */
export interface DrillStep {
  /** The level that the item shows below the period, from 1 (year) to 9 (millisecond). */
  readonly level: number;
  readonly key: GroupKey;
}

/** A state whose filters are not checked yet, because their forms depend on the items. */
export interface GivenState extends Omit<DashboardState, "filters"> {
  readonly filters?: Json;
}

/** A state, and the parts of its source that are not part of a state. */
export interface ReadState {
  readonly state: GivenState | undefined;
  /** Paths such as `selections.sales`. */
  readonly ignored: readonly string[];
}

const mostEntries = 200;
const mostGroups = 1_000;
const mostSteps = 8;
const mostCharacters = 1_000;

/**
 * Reads a state from JSON that a page, an address or a stored view gives. Parts of other forms are ignored, and listed.
 * Values of filters are checked when they are applied, because their form depends on the item.
 */
export function readState(given: unknown): ReadState {
  if (given === undefined || given === null) return { state: undefined, ignored: [] };
  if (!isObject<Member>(given) || given.version !== 1)
    return { state: undefined, ignored: ["version"] };
  const ignored: string[] = [];
  const read = <Value>(name: Member, valueOf: (value: unknown) => Value | undefined) => {
    const part = given[name];
    if (part === undefined) return undefined;
    if (!isObject(part)) {
      ignored.push(name);
      return undefined;
    }
    const entries = Object.entries(part).flatMap(([id, each], index): [string, Value][] => {
      const value = index < mostEntries ? valueOf(each) : undefined;
      if (value !== undefined) return [[id, value]];
      ignored.push(`${name}.${id}`.slice(0, 200));
      return [];
    });
    return Object.fromEntries(entries);
  };
  const filters = read("filters", (value) => (isObject(value) ? value : undefined));
  const selections = read("selections", readGroups);
  const drills = read("drills", readSteps);
  const picks = read("picks", readPicks);
  const parameters = read("parameters", readParameter);
  return {
    state: {
      version: 1,
      ...(filters && { filters }),
      ...(selections && { selections }),
      ...(drills && { drills }),
      ...(picks && { picks }),
      ...(parameters && { parameters }),
    },
    ignored: [...ignored, ...Object.keys(given).filter((name) => !isMember(name))],
  };
}

const members = ["version", "filters", "selections", "drills", "picks", "parameters"] as const;
type Member = (typeof members)[number];
const isMember = (name: string): boolean => members.some((each) => each === name);

function readGroups(given: unknown): readonly GroupKey[] | undefined {
  const groups = listOf(given);
  const isList = groups.length > 0 && groups.length <= mostGroups && groups.every(isKey);
  return isList ? groups : undefined;
}

function readPicks(given: unknown): Picks | undefined {
  if (!isObject(given)) return undefined;
  const entries = Object.entries(given).flatMap(([slot, key]): [string, string][] =>
    typeof key === "string" && key.length <= mostCharacters ? [[slot, key]] : [],
  );
  const isWhole = entries.length > 0 && entries.length === Object.keys(given).length;
  return isWhole && entries.length <= mostSteps ? Object.fromEntries(entries) : undefined;
}

function readSteps(given: unknown): readonly DrillStep[] | undefined {
  const steps = listOf(given);
  const isList = steps.length > 0 && steps.length <= mostSteps && steps.every(isStep);
  return isList ? steps : undefined;
}

function isStep(given: unknown): given is DrillStep {
  if (!isObject<"level" | "key">(given)) return false;
  const { level, key } = given;
  return (
    typeof level === "number" && Number.isInteger(level) && level >= 1 && level <= 9 && isKey(key)
  );
}

const isKey = (given: unknown): given is GroupKey =>
  Array.isArray(given) && given.length > 0 && given.length <= 20 && given.every(isCell);

function isCell(value: unknown): value is string | number | null {
  if (typeof value === "string") return value.length <= mostCharacters;
  return value === null || (typeof value === "number" && Number.isFinite(value));
}

/** Reads the value of a parameter: a cell or a list of cells. Booleans are cells of parameters. */
function readParameter(given: unknown): unknown {
  const isValue = (value: unknown) => typeof value === "boolean" || isCell(value);
  const isList = Array.isArray(given) && given.length <= mostGroups && given.every(isValue);
  return isList || isValue(given) ? given : undefined;
}
