import { isSetBy, readItem } from "../../../charts/index.ts";
import { testOfRange } from "../../../embed/index.ts";
import { readerZone } from "../../language/index.ts";
import type { FilterValue } from "./filterValue.ts";
import {
  withView,
  type BoardItem,
  type BoardView,
  type Contents,
  type FilterGroup,
  type StoredFilter,
} from "./contents.ts";

/**
 * Returns contents in which a filter opens with a value; undefined for no filter. The comparison of a range with an
 * earlier one is not part of the stored form.
 */
export function withControlDefault(
  contents: Contents,
  view: BoardView,
  item: BoardItem,
  value: FilterValue | undefined,
): Contents {
  const isOther = (group: FilterGroup) => !isSetBy(group, item.id);
  const { filterGroups } = contents;
  const rest: Contents = {
    ...contents,
    ...(filterGroups && { filterGroups: filterGroups.filter(isOther) }),
  };
  const others = (view.filterGroups ?? []).filter(isOther);
  const [field] = readItem(item).fields;
  const { datasetId, columnId, subtype } = field ?? {};
  if (value === undefined || datasetId === undefined || columnId === undefined)
    return withView(rest, { ...view, filterGroups: others });
  const origin = "filterFromVizItem";
  const column = { dataset_id: datasetId, column_id: columnId };
  const filters: readonly StoredFilter[] = testsOf(value, subtype === "date").map(
    ([expression, given]) => ({
      expression,
      parameters: [column, given],
      properties: { type: "where", origin, itemId: item.id },
    }),
  );
  const id = crypto.randomUUID();
  const group = { id, origin, condition: "and", datasetId, itemId: item.id, filters };
  return withView(rest, { ...view, filterGroups: [...others, group] });
}

/** Returns the tests of a value, in the form from which controls read their defaults. */
function testsOf(
  value: FilterValue,
  isDay: boolean,
): readonly (readonly [expression: string, value: unknown])[] {
  if ("values" in value) return [["? in ?", value.values]];
  if ("text" in value) return [["? like ?", value.text]];
  if ("range" in value) {
    const range = testOfRange(value.range, { isDay, timezoneId: isDay ? "UTC" : readerZone });
    return [[range.test, range.value]];
  }
  const { from, to } = value;
  return [
    ...(from === undefined ? [] : [["? >= ?", from] as const]),
    ...(to === undefined ? [] : [["? <= ?", to] as const]),
  ];
}
