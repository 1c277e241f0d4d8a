import type { ComparedPeriod } from "./comparedItem.ts";
import type { ChartItem } from "./item.ts";
import { isObject, listOf } from "./readItem.ts";
import type { Stored } from "./stored.ts";

/** The data service's name for each member of a stored reference. */
const spellings: Readonly<Record<string, string>> = {
  columnId: "column_id",
  column: "column_id",
  datasetId: "dataset_id",
  set: "dataset_id",
  formulaId: "formula_id",
};

/** Filters of an item: on rows (`where`), and on groups (`having`). */
export interface ItemFilters {
  readonly where: readonly unknown[];
  readonly having: readonly unknown[];
  /**
   * How many of the last filters on rows are those of the page and of the reader.
   * @default 0
   */
  readonly addedCount?: number;
  /** The earlier periods with which the reader compares filtered datetimes. */
  readonly compare?: readonly ComparedPeriod[];
}

/**
 * Returns the filters of a dashboard that apply to an item: global filters, its own filters, and filters that other
 * items set on its datasets. Unknown filters are kept, so that the query rejects them instead of showing more rows.
 * `replaced` has the ids of filter items whose stored filters a reader's choice replaces.
 */
export function filtersOf(
  {
    contents,
    view,
  }: {
    readonly contents: Stored<"filterGroups" | "filters">;
    readonly view: Stored<"filterGroups">;
  },
  item: ChartItem,
  replaced?: ReadonlySet<string>,
): ItemFilters {
  const groups = [contents.filterGroups, contents.filters, view.filterGroups]
    .flatMap(groupsIn)
    .filter((group) => !isReplaced(group, replaced));
  const datasets = new Set(item.fields.flatMap(({ datasetId }) => datasetId ?? []));
  const own = groups.filter((group) => {
    const { origin, itemId, datasetId } = group;
    if (typeof datasetId === "string" && !datasets.has(datasetId)) return false;
    return origin === "itemFilter"
      ? itemId === item.id
      : itemId !== item.id || itemId === undefined;
  });
  return {
    where: own.flatMap((group) => conditionOf(group, "where")),
    having: own.flatMap((group) => conditionOf(group, "having")),
  };
}

/** Origins of stored filters that a filter item sets. */
const origins: readonly unknown[] = ["filterFromVizItem", "filterFromFilterItem"];

/** Returns whether a stored group of filters is what a filter item filters by when the dashboard opens. */
export function isSetBy(group: unknown, itemId: string): group is Stored<"filters"> {
  return (
    isObject<"origin" | "itemId">(group) &&
    group.itemId === itemId &&
    origins.includes(group.origin)
  );
}

function isReplaced(group: Stored, replaced: ReadonlySet<string> | undefined): boolean {
  const { itemId } = group;
  return typeof itemId === "string" && replaced?.has(itemId) === true && isSetBy(group, itemId);
}

function conditionOf(group: Stored, type: Kind): object[] {
  const { filters, subGroups, condition } = group;
  const isChoice = condition === "or";
  if (isChoice && kindsIn(group).size > 1)
    // Queries cannot combine filters on rows and on groups with "or". The combination is kept, so that the host rejects
    // the query instead of showing other rows.
    return type === "where" ? [{ or: [{ where: filters }, { having: subGroups }] }] : [];
  const tests = listOf(filters).flatMap((filter) => {
    if (kindOf(filter) !== type) return [];
    if (!isObject(filter)) return [{ expression: filter }];
    const { expression, parameters } = filter;
    return [{ expression, parameters: respelled(parameters) }];
  });
  const all = [...tests, ...groupsIn(subGroups).flatMap((each) => conditionOf(each, type))];
  if (all.length === 0) return [];
  return [isChoice ? { or: all } : { and: all }];
}

type Kind = "where" | "having";

const groupsIn = (list: unknown): Stored[] => listOf(list).filter(isObject);

function kindsIn({ filters, subGroups }: Stored): Set<Kind> {
  const nested = groupsIn(subGroups).flatMap((each) => [...kindsIn(each)]);
  return new Set([...listOf(filters).map(kindOf), ...nested]);
}

function kindOf(filter: unknown): Kind {
  const { properties } = isObject(filter) ? filter : {};
  return isObject<"type">(properties) && properties.type === "having" ? "having" : "where";
}

function respelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(respelled);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [spellings[member] ?? member, each]),
  );
}
