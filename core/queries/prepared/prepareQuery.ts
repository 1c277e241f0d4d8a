import { type AnswerShape, answerShape } from "../cache/answerKey.ts";
import { type EstimatedWork, estimateWork } from "../estimateWork.ts";
import type { ParsedQuery } from "../parsedQuery.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import { overRows, type SecuredQuery } from "../secure/secure.ts";

/** A query over one dataset that was parsed and bound for a caller. */
export interface PreparedQuery {
  readonly parsed: ParsedQuery;
  readonly secured: SecuredQuery;
  readonly work: EstimatedWork;
  /** Returns the shape of the answer, which is hashed at the first call. */
  shapeOf(): AnswerShape;
}

/**
 * Prepares a query that was bound. Only the query is kept, and not its answer. `knownShape` is the shape of the answer
 * over other rows.
 */
export function prepareQuery(
  parsed: ParsedQuery,
  secured: SecuredQuery,
  knownShape?: AnswerShape,
): PreparedQuery {
  let shape: AnswerShape | undefined = knownShape && {
    ...knownShape,
    datasets: [secured.dataset],
  };
  return {
    parsed,
    secured,
    work: estimateWork(secured, parsed),
    shapeOf: () => (shape ??= answerShape(secured, undefined)),
  };
}

/**
 * Returns a prepared query over the current rows of its dataset: the same object if the rows are those for which it was
 * prepared. Undefined if anything other than the rows has changed, so that the query must be bound again.
 */
export function overCurrentRows(
  prepared: PreparedQuery,
  dataset: QueriedDataset,
): PreparedQuery | undefined {
  const { parsed, secured } = prepared;
  if (!isSameDataset(dataset, secured.dataset)) return undefined;
  const { version, maxAgeMs } = dataset.freshness;
  const { freshness } = secured.dataset;
  if (version === freshness.version && maxAgeMs === freshness.maxAgeMs) return prepared;
  return prepareQuery(parsed, overRows(secured, dataset), prepared.shapeOf());
}

/**
 * Returns whether a dataset has the same connection, columns, links and row filters as when a query was bound. The
 * parts are compared as objects: the catalog's memory returns the same objects until a right, a share, a filter, a
 * column, a formula or a connection changes. Only the rows and their version may differ.
 */
function isSameDataset(one: QueriedDataset, other: QueriedDataset): boolean {
  return (
    one.id === other.id &&
    one.connection === other.connection &&
    one.source === other.source &&
    one.columns === other.columns &&
    one.everyColumn === other.everyColumn &&
    one.links === other.links &&
    one.rowFilters === other.rowFilters &&
    one.copy === other.copy
  );
}
