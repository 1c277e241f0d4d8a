import type { ChartItem } from "./item.ts";
import { isObject } from "./readItem.ts";

type Stored = Readonly<Record<string, unknown>>;

/** Spellings of references in contents, and in the data service. */
const spellings: Readonly<Record<string, string>> = {
  columnId: "column_id",
  column: "column_id",
  datasetId: "dataset_id",
  set: "dataset_id",
  formulaId: "formula_id",
};

export interface ItemFilters {
  readonly where: readonly unknown[];
  readonly having: readonly unknown[];
}

/**
 * Collects the filters of a dashboard that an item shows: global ones, its own, and filters that other items set on
 * its datasets. An unknown filter is kept as it is, so that the query refuses it: none is dropped.
 */
export function filtersOf(
  { contents, view }: { readonly contents: Stored; readonly view: Stored },
  item: ChartItem,
): ItemFilters {
  const groups = [contents["filterGroups"], contents["filters"], view["filterGroups"]].flatMap(
    (list) => (Array.isArray(list) ? list.filter(isObject) : []),
  );
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

function conditionOf(group: Stored, type: "where" | "having"): object[] {
  const { filters, subGroups, condition } = group;
  const tests = (Array.isArray(filters) ? filters : []).flatMap((filter: unknown) => {
    if (!isObject(filter)) return [{ expression: filter }];
    const { properties, expression, parameters } = filter;
    const kind = isObject(properties) && properties["type"] === "having" ? "having" : "where";
    return kind === type ? [{ expression, parameters: respelled(parameters) }] : [];
  });
  const nested = (Array.isArray(subGroups) ? subGroups : [])
    .filter(isObject)
    .flatMap((each) => conditionOf(each, type));
  const all = [...tests, ...nested];
  if (all.length === 0) return [];
  return [condition === "or" ? { or: all } : { and: all }];
}

function respelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(respelled);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [spellings[member] ?? member, each]),
  );
}
