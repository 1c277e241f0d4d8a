import { ApiError, type RowFilter } from "../../base/index.ts";
import { bindConditions } from "../resolve/bindConditions.ts";
import { namedDatasets } from "../join/joinDatasets.ts";
import { defaultLimits } from "../limits.ts";
import { isParameter, resolveParameter, type Parameters } from "../parse/resolveParameter.ts";
import { parseTest, passesNone } from "../parse/parseTest.ts";
import type { FindDataset, QueriedDataset } from "../queriedDataset.ts";
import type { Condition, ParsedQuery } from "../parsedQuery.ts";

/**
 * Adds the filters of the caller's token that have `clause: "having"`. Each filter tests the sum of its column in every
 * group, or in plain rows the value of the column. If a filter cannot be applied, every query of the dataset fails, so
 * that no filter is ever omitted.
 * @throws {ApiError} ROWS_CLOSED, and the errors of `findDataset`
 */
export async function addHavingFilters(
  parsed: ParsedQuery,
  findDataset: FindDataset,
  parameters: Parameters = new Map(),
): Promise<ParsedQuery> {
  const { rollup, tree, path } = parsed;
  const datasets = tree
    ? await Promise.all(
        [tree.rootId, ...tree.steps.map(({ datasetId }) => datasetId)].map((id) =>
          findDataset(id, path),
        ),
      )
    : await namedDatasets(parsed, findDataset);
  const conditions: Condition[] = [];
  for (const dataset of datasets)
    for (const [index, filter] of dataset.rowFilters.entries()) {
      if (filter.clause !== "having") continue;
      const condition = conditionOf(filter, dataset, {
        rollup,
        parameters,
        path: `filters[${index}]`,
      });
      if (condition) conditions.push(condition);
    }
  if (conditions.length === 0) return parsed;
  const clause = rollup ? "having" : "where";
  return { ...parsed, [clause]: [...parsed[clause], ...conditions] };
}

/** Returns the test of a filter; undefined for a cleared parameter. */
function conditionOf(
  filter: RowFilter,
  { id, columns }: QueriedDataset,
  given: { readonly rollup: boolean; readonly parameters: Parameters; readonly path: string },
): Condition | undefined {
  const { path } = given;
  const valuePath = `${path}.value`;
  try {
    const column = columns.get(filter.column_id);
    if (column?.type !== "numeric")
      throw new ApiError("MEMBER_INVALID", [
        `${path}.column_id`,
        "the dataset does not have this numeric column",
      ]);
    const resolved = isParameter(filter.value)
      ? resolveParameter(filter.value, given.parameters, valuePath)
      : { value: filter.value };
    if (!resolved) return undefined;
    const { value } = resolved;
    const aggregation = given.rollup ? ("sum" as const) : undefined;
    const reference = {
      path: `${path}.column_id`,
      datasetId: id,
      columnId: filter.column_id,
      level: undefined,
      aggregation,
    };
    const test = { expression: filter.expression, reference, value, path, valuePath };
    const parsed = parseTest(test, defaultLimits);
    const bound = { columnId: column.id, column, level: undefined, aggregation, type: column.type };
    // Checks that the test is valid for a number; `resolve` binds it.
    bindConditions(
      [parsed],
      () => bound,
      () => undefined,
      { nowMs: 0, timezone: "UTC" },
      () => bound,
    );
    return Array.isArray(value) && value.length === 0 ? passesNone(parsed) : parsed;
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new ApiError("ROWS_CLOSED", [id, cause.message], { cause });
  }
}
