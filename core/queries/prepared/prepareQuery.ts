import type { AnswerShape } from "../cache/answerKey.ts";
import { type EstimatedWork, estimateWork } from "../estimateWork.ts";
import type { ParsedQuery } from "../parsedQuery.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import { overRows, type SecuredQuery } from "../secure/secure.ts";
import type { LookUps } from "./watchLookUps.ts";

/** A query that was parsed, joined and bound for a caller. */
export interface PreparedQuery {
  readonly parsed: ParsedQuery;
  readonly secured: SecuredQuery;
  /** What the query was bound to. */
  readonly lookUps: LookUps;
  /** The work of the query, and of each of its parts. */
  readonly works: readonly EstimatedWork[];
  /** Returns the shape of the answer, which is hashed at the first call. */
  shapeOf(): AnswerShape;
}

/** A bound query, and a function that computes the shape of its answer. */
export interface BoundForCaller extends Pick<
  PreparedQuery,
  "parsed" | "secured" | "lookUps" | "shapeOf"
> {}

/**
 * Prepares a query that was bound without subqueries and without reading the clock. Only the query is kept, and not its
 * answer. Undefined if the query may depend on more than `lookUps` and the caller: if it reads the answer of another
 * query or limits the age of rows, or if its joins depend on the rows of a live source, which has no version.
 */
export function prepareQuery(bound: BoundForCaller): PreparedQuery | undefined {
  const { parsed, secured, lookUps, shapeOf } = bound;
  const { datasets } = lookUps;
  if (parsed.from || parsed.maxAgeMs !== undefined || datasets.length === 0) return undefined;
  if (isJoined(bound) && !datasets.every(({ freshness }) => freshness.version !== undefined))
    return undefined;
  const parts = secured.parts ?? [];
  let shape: AnswerShape | undefined;
  return {
    parsed,
    secured,
    lookUps,
    works: [
      estimateWork(secured, parsed),
      ...parts.map((part) => estimateWork(part.secured, { ...parsed, dimensions: [] })),
    ],
    shapeOf: () => (shape ??= shapeOf()),
  };
}

/**
 * Returns a prepared query over the current rows of its datasets, given what the same look-ups find now. Returns the
 * same object if the rows are those for which the query was prepared. Undefined if anything else has changed, or if the
 * rows of a join have changed, so that the query must be bound again: the rows decide which keys are unique, and these
 * decide how the datasets are joined.
 */
export function overCurrentRows(
  prepared: PreparedQuery,
  { datasets, formulas }: LookUps,
): PreparedQuery | undefined {
  const { secured, lookUps } = prepared;
  const isSame =
    datasets.length === lookUps.datasets.length &&
    datasets.every((dataset, index) => isSameDataset(dataset, lookUps.datasets[index])) &&
    [...lookUps.formulas].every(([id, text]) => formulas.get(id) === text);
  if (!isSame) return undefined;
  if (datasets.every((dataset, index) => isOverSameRows(dataset, lookUps.datasets[index])))
    return prepared;
  const [dataset] = datasets;
  if (!dataset || isJoined(prepared)) return undefined;
  const shape = prepared.shapeOf();
  return prepareQuery({
    ...prepared,
    secured: overRows(secured, dataset),
    lookUps: { datasets, formulas },
    shapeOf: () => ({
      ...shape,
      datasets: shape.datasets.map((each) => (each === secured.dataset ? dataset : each)),
    }),
  });
}

/** Returns whether a query depends on more than one dataset, or on a dataset in a role. */
function isJoined({ secured, lookUps }: Pick<PreparedQuery, "secured" | "lookUps">): boolean {
  const [dataset, ...others] = lookUps.datasets;
  return others.length > 0 || dataset !== secured.dataset;
}

/**
 * Returns whether a dataset has the same connection, columns, links and row filters as when a query was bound. The
 * parts are compared as objects: the catalog's memory returns the same objects until a right, a share, a filter, a
 * column, a formula or a connection changes. Only the rows and their version may differ.
 */
function isSameDataset(one: QueriedDataset, other: QueriedDataset | undefined): boolean {
  return (
    other !== undefined &&
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

function isOverSameRows(one: QueriedDataset, other: QueriedDataset | undefined): boolean {
  const { version, maxAgeMs } = one.freshness;
  return version === other?.freshness.version && maxAgeMs === other?.freshness.maxAgeMs;
}
