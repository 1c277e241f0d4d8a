import { namesIn, type Operator, type Pushdown } from "../../../plugins/protocol/index.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import type { PlannedFilter } from "../queryPlan.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/** How a plugin carries out one filter, in wire form. */
export interface ExplainedPushdown {
  /** The id of the dataset; absent for a filter over several datasets. */
  readonly dataset_id?: string;
  /** The tests of the filter. Absent, like `reason`, for a filter on a column that the caller may not use. */
  readonly tests?: readonly {
    /** The id of the tested column; absent for a computed column. */
    readonly column_id?: string;
    readonly expression: Operator;
  }[];
  /** How the plugin applies the filter. The host tests every filter that is not `exact`. */
  readonly pushdown: Pushdown;
  /** Why the filter is not `exact`. */
  readonly reason?: string;
}

/** Explains one filter to its caller, with ids of the catalog and without values. */
export function explainPushdown(
  { join, tests, pushdown, reason }: PlannedFilter,
  secured: SecuredQuery,
): ExplainedPushdown {
  const named = tests.map((test) => ({ ...originOf(test.column_id, join, secured), ...test }));
  const ids = new Set(named.flatMap(({ datasets }) => datasets.map(({ id }) => id)));
  const [id] = ids;
  const place = ids.size === 1 && id !== undefined ? { dataset_id: id } : {};
  if (!named.every(({ isShown }) => isShown)) return { ...place, pushdown };
  return {
    ...place,
    tests: named.map(({ columnId, expression }) => ({
      ...(columnId !== undefined && { column_id: columnId }),
      expression,
    })),
    pushdown,
    ...(reason !== undefined && { reason }),
  };
}

interface ColumnOrigin {
  readonly datasets: readonly QueriedDataset[];
  /** The column's id in the catalog; undefined for a computed column. */
  readonly columnId?: string;
  /** Whether the caller may use every column that the tested column is computed from. */
  readonly isShown: boolean;
}

/** Finds a filter's column in the catalog. */
function originOf(id: string, join: number | undefined, secured: SecuredQuery): ColumnOrigin {
  const { query, dataset, joined } = secured;
  const scope = join === undefined ? undefined : query.joins?.[join];
  const derived = (scope ?? query).derived?.find((each) => each.id === id);
  if (derived) {
    const behind = namesIn(derived.expression).columnIds.map((each) =>
      originOf(each, join, secured),
    );
    return {
      datasets: [...new Set(behind.flatMap(({ datasets }) => datasets))],
      isShown: behind.every(({ isShown }) => isShown),
    };
  }
  const own = join === undefined ? dataset : joined[join];
  const direct = own && columnOf(own, id);
  if (direct) return direct;
  for (const [index, { columns }] of (query.joins ?? []).entries()) {
    const column = columns.find((each) => each.id === id);
    const other = joined[index];
    const found = column && other && columnOf(other, column.column_id);
    if (found) return found;
  }
  return { datasets: [], isShown: false };
}

function columnOf(dataset: QueriedDataset, pluginId: string): ColumnOrigin | undefined {
  for (const [id, column] of dataset.everyColumn)
    if (column.pluginId === pluginId && column.expression === undefined)
      return { datasets: [dataset], columnId: id, isShown: dataset.columns.has(id) };
  return undefined;
}
