import { ApiError, type Connection } from "../../base/index.ts";
import { fromId } from "../parsedQuery.ts";
import type { FindDataset, QueriedColumn, QueriedDataset } from "../queriedDataset.ts";
import type { AnswerColumn } from "./answerColumns.ts";

/**
 * Creates the dataset that a query with `from` reads. `sourceId` is the id of the temporary dataset of `connection`
 * that contains the answer of the inner query, with the columns 0, 1, 2 and so on. The dataset needs no row filters,
 * because the inner query applied those of its own datasets. Answers over it are not cached.
 */
export function createFromDataset(
  answered: readonly AnswerColumn[],
  sourceId: string,
  connection: Connection,
): QueriedDataset {
  const columns = new Map(
    answered.map(({ name, type, subtype }, index): [string, QueriedColumn] => [
      name,
      { id: name, pluginId: String(index), name, type, subtype, unserved: undefined },
    ]),
  );
  return {
    id: fromId,
    connection,
    source: {
      id: sourceId,
      columns: answered.map(({ name, type, subtype }, index) => ({
        id: String(index),
        name: { en: name },
        type,
        ...(subtype && { subtype }),
      })),
    },
    columns,
    everyColumn: columns,
    links: [],
    rowFilters: [],
    freshness: { version: sourceId, maxAgeMs: 0 },
  };
}

/**
 * Returns the finder of datasets for a query with `from`, which finds only `dataset`.
 * @throws {ApiError} MEMBER_INVALID for other datasets
 */
export function findOnlyFrom(dataset: QueriedDataset): FindDataset {
  return async (id, path) => {
    if (id === fromId) return dataset;
    throw new ApiError("MEMBER_INVALID", [
      path,
      `a query with from can read only the answer of from, not the dataset ${id.slice(0, 100)}. Name columns as {dataset_id: "${fromId}", column_id} and in expressions as {${fromId}:column}, with the columns ${[...dataset.columns.keys()].slice(0, 50).join(", ")}; read the dataset in from.query`,
    ]);
  };
}
