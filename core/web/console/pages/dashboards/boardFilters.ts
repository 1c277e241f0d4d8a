import { isSetBy } from "../../../charts/index.ts";
import { isRecord } from "../../api/index.ts";
import type { Filter } from "../../questions/index.ts";
import { withView, type BoardView, type Contents, type FilterGroup } from "./contents.ts";

/** The owner of filters: the whole dashboard, or one item. */
export type FilterScope =
  | { readonly kind: "dashboard" }
  | { readonly kind: "item"; readonly view: BoardView; readonly itemId: string };

/** A stored filter with its position in the contents. */
export interface BoardFilter extends Filter {
  readonly datasetId: string;
  readonly group: FilterGroup;
  readonly index: number;
}

const groupsOf = (contents: Contents, scope: FilterScope): readonly FilterGroup[] =>
  scope.kind === "dashboard" ? (contents.filterGroups ?? []) : (scope.view.filterGroups ?? []);

const isOf = (group: FilterGroup, scope: FilterScope): boolean =>
  scope.kind === "dashboard"
    ? group.itemId === undefined
    : group.origin === "itemFilter" && group.itemId === scope.itemId;

/** Lists the filters of a scope that name a column. Nested groups are kept but not listed. */
export const filtersIn = (contents: Contents, scope: FilterScope): BoardFilter[] =>
  listed(groupsOf(contents, scope).filter((group) => isOf(group, scope)));

/** Lists the filters with which a control of a view opens. */
export const filtersOfControl = (
  { filterGroups: shared = [] }: Contents,
  { filterGroups: own = [] }: BoardView,
  itemId: string,
): BoardFilter[] => listed([...shared, ...own].filter((group) => isSetBy(group, itemId)));

const listed = (groups: readonly FilterGroup[]): BoardFilter[] =>
  groups.flatMap((group) =>
    (group.filters ?? []).flatMap(({ expression, parameters: [column, value] }, index) => {
      if (!isRecord(column)) return [];
      const id = column["column_id"] ?? column["columnId"];
      const datasetId = column["dataset_id"] ?? column["datasetId"];
      if (typeof id !== "string" || typeof datasetId !== "string") return [];
      const filter = { id, test: expression, ...(value !== undefined && { value }) };
      return [{ ...filter, datasetId, group, index }];
    }),
  );

/**
 * Returns contents with an additional filter. The filter is in its own group, which is combined with the other groups
 * by "and".
 */
export function withFilter(
  contents: Contents,
  scope: FilterScope,
  datasetId: string,
  { id, test, value }: Filter,
): Contents {
  const itemId = scope.kind === "item" ? scope.itemId : undefined;
  const origin = itemId === undefined ? "global" : "itemFilter";
  const column = { dataset_id: datasetId, column_id: id };
  const group: FilterGroup = {
    id: crypto.randomUUID(),
    origin,
    condition: "and",
    ...(itemId === undefined ? { datasetId } : { itemId }),
    filters: [
      {
        expression: test,
        parameters: value === undefined ? [column] : [column, value],
        properties: { type: "where", origin, ...(itemId !== undefined && { itemId }) },
      },
    ],
  };
  return withGroups(contents, scope, [...groupsOf(contents, scope), group]);
}

/** Returns contents in which a filter has another test or value. Its other members stay. */
export function withFilterAt(
  contents: Contents,
  scope: FilterScope,
  { group, index, datasetId }: Pick<BoardFilter, "group" | "index" | "datasetId">,
  { id, test, value }: Filter,
): Contents {
  const column = { dataset_id: datasetId, column_id: id };
  const filters = (group.filters ?? []).map((filter, at) =>
    at === index
      ? {
          ...filter,
          expression: test,
          parameters: value === undefined ? [column] : [column, value],
        }
      : filter,
  );
  const groups = groupsOf(contents, scope).map((each) =>
    each === group ? { ...group, filters } : each,
  );
  return withGroups(contents, scope, groups);
}

/** Returns contents without a filter, and without its group if the group becomes empty. */
export function withoutFilter(
  contents: Contents,
  scope: FilterScope,
  { group, index }: Pick<BoardFilter, "group" | "index">,
): Contents {
  const filters = (group.filters ?? []).filter((_, at) => at !== index);
  const isEmpty = filters.length === 0 && (group.subGroups ?? []).length === 0;
  const groups = groupsOf(contents, scope).flatMap((each) =>
    each !== group ? [each] : isEmpty ? [] : [{ ...group, filters }],
  );
  return withGroups(contents, scope, groups);
}

function withGroups(
  contents: Contents,
  scope: FilterScope,
  filterGroups: readonly FilterGroup[],
): Contents {
  if (scope.kind === "dashboard") return { ...contents, filterGroups };
  return withView(contents, { ...scope.view, filterGroups });
}
