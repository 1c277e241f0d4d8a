import { type ColumnFilter, type Filter, PluginError } from "../../../plugins/protocol/index.ts";

/** A filter as plugins of the numbered versions read it. */
export interface LegacyFilter {
  readonly column_id: string;
  readonly expression: string;
  readonly value?: readonly unknown[];
}

/** Filters translated: `never` when no row can pass them. */
export type LegacyFilters =
  | { readonly kind: "filters"; readonly filters: readonly LegacyFilter[] }
  | { readonly kind: "never" };

/**
 * Translates filters into one ANDed list: `!=` is sent as `<>`, null tests carry no value, and lists
 * that plugins are not known to read (empty, or null alone) become what they mean.
 * @throws {PluginError} PLUGIN_NOT_OFFERED for groups, levels and operators that the versions do not have
 */
export function legacyFilters(filters: readonly Filter[]): LegacyFilters {
  const translated: LegacyFilter[] = [];
  for (const filter of filters) {
    const one = translate(plain(filter));
    if (one === "never") return { kind: "never" };
    if (one !== "always") translated.push(one);
  }
  return { kind: "filters", filters: translated };
}

/** The columns with a `!=` filter that no other filter of the list keeps from being null. */
export function columnsWithOpenNull(filters: readonly Filter[]): string[] {
  const plainFilters = filters.map(plain);
  const isNullExcluded = (columnId: string) =>
    plainFilters.some((filter) => filter.column_id === columnId && excludesNull(filter));
  const unequal = plainFilters.filter(({ expression }) => expression === "!=");
  const ids = new Set(unequal.map(({ column_id }) => column_id));
  return [...ids].filter((id) => !isNullExcluded(id));
}

/** The question that decides about `<>`: the filters whose meaning is known, and null in the column. */
export function nullProbe(filters: readonly Filter[], columnId: string): Filter[] {
  const certain = filters.filter((filter) => plain(filter).expression !== "!=");
  return [...certain, { column_id: columnId, expression: "is null" }];
}

function plain(filter: Filter): ColumnFilter {
  if (!("column_id" in filter)) throw notOffered("nested filters");
  if (filter.level) throw notOffered("filters on a level");
  return filter;
}

function translate(filter: ColumnFilter): LegacyFilter | "always" | "never" {
  const { column_id, expression, value = [] } = filter;
  const isNullListed = value.includes(null);
  const isOnlyNull = isNullListed && value.every((cell) => cell === null);
  switch (expression) {
    case "is null":
    case "is not null":
      return { column_id, expression };
    case "in":
      if (value.length === 0) return "never";
      return isOnlyNull ? { column_id, expression: "is null" } : { column_id, expression, value };
    case "not in":
      if (value.length === 0) return "always";
      return isOnlyNull
        ? { column_id, expression: "is not null" }
        : { column_id, expression, value };
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      if (value.length !== 1 || isNullListed) throw notOffered(`${expression} without one value`);
      return { column_id, expression: expression === "!=" ? "<>" : expression, value };
    default:
      throw notOffered(`the operator ${expression}`);
  }
}

function excludesNull({ expression, value = [] }: ColumnFilter): boolean {
  if (expression === "in") return !value.includes(null);
  if (expression === "not in") return value.includes(null);
  return ["=", "<", "<=", ">", ">=", "is not null"].includes(expression);
}

function notOffered(what: string): PluginError {
  return new PluginError("PLUGIN_NOT_OFFERED", [what]);
}
