import { isSetBy, readItem } from "../../../charts/index.ts";
import { isRecord } from "../../api/index.ts";
import {
  withView,
  type BoardItem,
  type BoardView,
  type Contents,
  type FilterGroup,
} from "./contents.ts";

/** The relative ranges with which an author can let a date filter open, by name. */
export const defaultRanges = {
  last7: { expression: "last_now", unit: 5, quantity: 7 },
  last30: { expression: "last_now", unit: 5, quantity: 30 },
  last90: { expression: "last_now", unit: 5, quantity: 90 },
  thisMonth: { expression: "ago", unit: 3, quantity: 0 },
  lastMonth: { expression: "ago", unit: 3, quantity: 1 },
  thisYear: { expression: "ago", unit: 1, quantity: 0 },
  yearToDate: { expression: "to_date", unit: 1, quantity: 1 },
} as const;

export type DefaultRange = keyof typeof defaultRanges;

const isDefaultRange = (name: string): name is DefaultRange => Object.hasOwn(defaultRanges, name);

/**
 * Returns the range with which a date filter opens: "" for all dates, and `other` for stored filters that are none of
 * the offered ranges.
 */
export function defaultRangeOf(
  { filterGroups = [] }: Contents,
  view: BoardView,
  { id }: BoardItem,
): DefaultRange | "" | "other" {
  const filters = [...filterGroups, ...(view.filterGroups ?? [])]
    .filter((group) => isSetBy(group, id))
    .flatMap((group) => group.filters ?? []);
  const [only] = filters;
  if (!only) return "";
  const [, value] = only.parameters;
  const { unit, quantity = 1 } = isRecord(value) ? value : {};
  const found = Object.entries(defaultRanges).find(
    ([, range]) =>
      range.expression === only.expression && range.unit === unit && range.quantity === quantity,
  );
  return filters.length === 1 && found && isDefaultRange(found[0]) ? found[0] : "other";
}

/** Returns contents in which a date filter opens with a range; "" for all dates. */
export function withDefaultRange(
  contents: Contents,
  view: BoardView,
  item: BoardItem,
  name: string,
): Contents {
  const isOther = (group: FilterGroup) => !isSetBy(group, item.id);
  const others = (view.filterGroups ?? []).filter(isOther);
  const { filterGroups } = contents;
  const rest: Contents = {
    ...contents,
    ...(filterGroups && { filterGroups: filterGroups.filter(isOther) }),
  };
  const [field] = readItem(item).fields;
  if (!isDefaultRange(name) || field?.datasetId === undefined || field.columnId === undefined)
    return withView(rest, { ...view, filterGroups: others });
  const { expression, unit, quantity } = defaultRanges[name];
  const { datasetId, columnId } = field;
  const origin = "filterFromVizItem";
  const group: FilterGroup = {
    id: crypto.randomUUID(),
    origin,
    condition: "and",
    datasetId,
    itemId: item.id,
    filters: [
      {
        expression,
        parameters: [
          { dataset_id: datasetId, column_id: columnId },
          { unit, quantity },
        ],
        properties: { type: "where", origin, itemId: item.id },
      },
    ],
  };
  return withView(rest, { ...view, filterGroups: [...others, group] });
}
