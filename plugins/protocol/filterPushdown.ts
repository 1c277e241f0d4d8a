import type { Capabilities } from "./capabilities.ts";
import type { ColumnFilter, Filter } from "./filter.ts";
import type { FindColumn } from "./findColumn.ts";
import type { Narrowing } from "./narrowing.ts";
import { operatorDefinitions } from "./operators.ts";
import { isGroup, leaves } from "./tree.ts";

/**
 * How a plugin carries out a filter.
 *
 * - `exact`: it passes exactly the matching rows.
 * - `superset`: it passes all matching rows, and possibly other rows.
 * - `none`: it does not receive the filter.
 */
export type Pushdown = "exact" | "superset" | "none";

/** How a plugin carries out a filter, and which promise is missing. */
export interface FilterPushdown {
  readonly pushdown: Pushdown;
  /** The promise that is missing, as a phrase that completes "the plugin does not promise …". Absent for `exact`. */
  readonly missing?: string;
}

/**
 * Returns how a plugin with these capabilities carries out a filter. A group of filters is as exact as its least exact
 * member, because `and` and `or` of supersets are supersets. `timezoneId` is the zone in which the query truncates.
 * O(leaves).
 */
export function filterPushdown(
  filter: Filter,
  capabilities: Capabilities,
  findColumn: FindColumn,
  timezoneId?: string,
): FilterPushdown {
  const { filters } = capabilities;
  if (!filters) return { pushdown: "none", missing: "filters" };
  if (!isGroup(filter)) return testPushdown(filter, capabilities, findColumn, timezoneId);
  if (!filters.nested) return { pushdown: "none", missing: "nested filters" };
  const members = leaves(filter).map((leaf) =>
    testPushdown(leaf, capabilities, findColumn, timezoneId),
  );
  const worst = (["none", "superset"] as const)
    .map((word) => members.find(({ pushdown }) => pushdown === word))
    .find((each) => each !== undefined);
  return worst ?? { pushdown: "exact" };
}

function testPushdown(
  { column_id, expression, level, value }: ColumnFilter,
  { filters, grouping }: Capabilities,
  findColumn: FindColumn,
  timezoneId: string | undefined,
): FilterPushdown {
  const none = (missing: string): FilterPushdown => ({ pushdown: "none", missing });
  const { type, narrowed } = findColumn(column_id) ?? {};
  const isIn = (promised: NonNullable<typeof filters>["superset"]) =>
    type !== undefined && promised?.[expression]?.includes(type) === true;
  const isExact = isIn(filters?.operators);
  if (!isExact && !isIn(filters?.superset)) return none(`${expression} on ${type} columns`);
  if (level && !filters?.levels) return none("filters on levels");
  if (level && !grouping?.levels.includes(level)) return none(`the level ${level}`);
  if (level && timezoneId !== undefined && !grouping?.timezones)
    return none("levels in a time zone");
  const isList = operatorDefinitions[expression].values === "list";
  if (isList && (value?.length ?? 0) > (filters?.listLength ?? Infinity))
    return none(`lists of more than ${filters?.listLength} values`);
  const word = narrowed?.filters?.[expression];
  if (word === "none") return none(narrowedWords(`${expression} on this ${type} column`, narrowed));
  if (word === "superset")
    return {
      pushdown: "superset",
      missing: narrowedWords(`an exact ${expression} on this ${type} column`, narrowed),
    };
  return isExact
    ? { pushdown: "exact" }
    : { pushdown: "superset", missing: `an exact ${expression} on ${type} columns` };
}

/** Appends the reason why a column is narrowed to the description of the withdrawn promise. */
export function narrowedWords(what: string, narrowed: Narrowing | undefined): string {
  return narrowed?.reason === undefined ? what : `${what}: ${narrowed.reason}`;
}
