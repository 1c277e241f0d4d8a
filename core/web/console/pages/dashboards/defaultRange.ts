import { isSetBy } from "../../../charts/index.ts";
import { isRecord } from "../../api/index.ts";
import type { BoardItem, BoardView, Contents } from "./contents.ts";
import { withControlDefault } from "./controlDefault.ts";

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
  if (!isDefaultRange(name)) return withControlDefault(contents, view, item, undefined);
  const { expression, unit, quantity } = defaultRanges[name];
  return withControlDefault(contents, view, item, { range: { key: expression, unit, quantity } });
}
