import type { JoinedDataset } from "../boundQuery.ts";
import { ApiError } from "../../base/index.ts";
import type { QueryJoin } from "../../../plugins/protocol/index.ts";
import type { FindDataset, QueriedColumn, QueriedDataset } from "../queriedDataset.ts";
import type { JoinTree, ParsedQuery } from "../parsedQuery.ts";
import { referencesOf } from "../references.ts";

/** The datasets of a query, starting with the root, and its joins. */
interface BoundDatasets {
  readonly datasets: readonly [QueriedDataset, ...JoinedDataset[]];
  /** One join per joined dataset, in order, with all of the dataset's columns. */
  readonly joins: readonly QueryJoin[];
}

/**
 * Finds the datasets of a query and joins them along the query's `tree`. The caller must be allowed to read them.
 * @throws {ApiError} RECORD_NOT_FOUND, MEMBER_INVALID, MEMBER_MISSING
 */
export async function bindDatasets(
  parsed: ParsedQuery,
  findDataset: FindDataset,
): Promise<BoundDatasets> {
  const path = `${firstOf(parsed).path}.dataset_id`;
  const { rootId, steps } = parsed.tree ?? treeOfOne(parsed);
  const root = await findDataset(rootId, path);
  refuseEmpty(root, path);
  const prefix = prefixFor(root);
  const byId = new Map<string, QueriedDataset>([[root.id, root]]);
  const joined: JoinedDataset[] = [];
  const joins: QueryJoin[] = [];
  for (const { fromId, fromColumnIds, datasetId, columnIds } of steps) {
    const dataset = await findDataset(datasetId, path);
    refuseEmpty(dataset, path);
    const aliasOf = (pluginId: string) => `${prefix}${joins.length}.${pluginId}`;
    const [pair, ...others] = columnIds.map((columnId, index) => ({
      left: columnOf(byId.get(fromId), fromColumnIds[index] ?? "").pluginId,
      right: columnOf(dataset, columnId).pluginId,
    }));
    if (!pair) throw new TypeError("a join must have columns");
    const made = { ...aliased(dataset, aliasOf), matchedBy: aliasOf(pair.right) };
    joins.push({
      id: dataset.source.id,
      ...pair,
      ...(others.length > 0 && { and: others }),
      columns: dataset.source.columns.map(({ id, type }) => ({
        id: aliasOf(id),
        column_id: id,
        type,
      })),
    });
    byId.set(dataset.id, made);
    joined.push(made);
  }
  return { datasets: [root, ...joined], joins };
}

/**
 * Returns the tree of a query over a single dataset.
 * @throws {ApiError} MEMBER_MISSING
 */
function treeOfOne(parsed: ParsedQuery): JoinTree {
  const { datasetId } = firstOf(parsed);
  if (datasetId === undefined) {
    const isFormula = firstOf(parsed).formula !== undefined;
    throw new ApiError("MEMBER_MISSING", [
      `${referencesOf(parsed)[0]?.path}.dataset_id`,
      isFormula
        ? "the formula does not reference a column; name the dataset whose rows it counts"
        : "the dataset whose rows are counted",
    ]);
  }
  return { rootId: datasetId, steps: [] };
}

/** Returns the first reference that names a dataset. */
function firstOf(parsed: ParsedQuery) {
  const references = referencesOf(parsed);
  const [first] = references;
  if (!first) throw new TypeError("the query must reference a column");
  return references.find(({ datasetId }) => datasetId !== undefined) ?? first;
}

function refuseEmpty({ source }: QueriedDataset, path: string): void {
  if (source.columns.length === 0)
    throw new ApiError("MEMBER_INVALID", [
      path,
      "the dataset has no columns yet; push data to it first",
    ]);
}

/** Returns a prefix with which no column id of the root starts. */
function prefixFor({ source }: QueriedDataset): string {
  let prefix = "joined.";
  while (source.columns.some(({ id }) => id.startsWith(prefix))) prefix = `_${prefix}`;
  return prefix;
}

function aliased(dataset: QueriedDataset, aliasOf: (pluginId: string) => string): QueriedDataset {
  const columns = [...dataset.columns].map(([id, column]): [string, QueriedColumn] => [
    id,
    column.expression === undefined
      ? { ...column, pluginId: aliasOf(column.pluginId), isJoined: true }
      : column,
  ]);
  return { ...dataset, columns: new Map(columns) };
}

function columnOf(dataset: QueriedDataset | undefined, columnId: string): QueriedColumn {
  const column = dataset?.columns.get(columnId);
  if (!column) throw new TypeError(`the joined column ${columnId} must exist`);
  return column;
}
