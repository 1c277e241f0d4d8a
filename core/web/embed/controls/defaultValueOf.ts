import {
  isObject,
  isSetBy,
  listOf,
  readControlValue,
  readDateRange,
  type ChartItem,
  type ControlValue,
} from "../../charts/index.ts";
import { formOf } from "./formOf.ts";

/**
 * Returns the value of a control that stored filters set, so that the reader can change it. Undefined if the control
 * cannot show these filters; they then apply as fixed filters.
 */
export function defaultValueOf(
  item: ChartItem,
  groups: readonly unknown[],
): ControlValue | undefined {
  const own = groups.filter((group) => isSetBy(group, item.id));
  const filters = own.flatMap((group) =>
    isObject<"filters" | "subGroups" | "condition">(group) &&
    group.condition !== "or" &&
    listOf(group.subGroups).length === 0
      ? listOf(group.filters)
      : [undefined],
  );
  const [field] = item.fields;
  if (filters.length === 0 || !field) return undefined;
  const form = formOf(item);
  const members: { [Each in "range" | "from" | "to" | "text" | "values"]?: unknown } = {};
  const ends: { from?: unknown; to?: unknown } = {};
  for (const filter of filters) {
    if (!isObject<"expression" | "parameters">(filter)) return undefined;
    const [column, value] = listOf(filter.parameters);
    const { columnId, column_id: id = columnId } = isObject<"columnId" | "column_id">(column)
      ? column
      : {};
    if (id !== field.columnId) return undefined;
    const { expression } = filter;
    if (form === "dates") {
      const range = readDateRange({ ...(isObject(value) && value), key: expression });
      const [from, to] = expression === "? between ?" ? listOf(value) : [];
      if (range) members.range = range;
      else if (from !== undefined && to !== undefined) Object.assign(ends, { from, to });
      else if (expression === "? >= ?" && ends.from === undefined) ends.from = value;
      else if (expression === "? <= ?" && ends.to === undefined) ends.to = value;
      else return undefined;
    } else if (form === "range") {
      const [from, to] = expression === "? between ?" ? listOf(value) : [];
      if (from !== undefined && to !== undefined) Object.assign(members, { from, to });
      else if (expression === "? >= ?") members.from = value;
      else if (expression === "? <= ?") members.to = value;
      else return undefined;
    } else if (form === "search") {
      if (expression !== "? like ?" || members.text !== undefined) return undefined;
      members.text = value;
    } else {
      if (members.values !== undefined) return undefined;
      if (expression === "? in ?") members.values = value;
      else if (expression === "? = ?") members.values = [value];
      else if (expression === "? is null") members.values = [null];
      else return undefined;
    }
  }
  if (Object.keys(ends).length > 0) {
    if (members.range !== undefined) return undefined;
    members.range = { key: "custom", customRange: ends };
  }
  return readControlValue(form, members);
}
