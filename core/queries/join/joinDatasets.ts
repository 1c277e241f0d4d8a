import { ApiError } from "../../errors.ts";
import { memberPath } from "../parse/readMembers.ts";
import { chooseRoot } from "./chooseRoot.ts";
import { findLinks, notJoinable } from "./findLinks.ts";
import { findUnique } from "./findUnique.ts";
import { referencesOf as columnsIn } from "../parse/parseReference.ts";
import type { FindDataset, QueriedDataset } from "../queriedDataset.ts";
import type { ParsedQuery, Reference } from "../parsedQuery.ts";
import { referencesOf } from "../references.ts";
import type { AskSubquery } from "../subquery/evaluateSubqueries.ts";

/** Datasets that one query may name, not counting those in between. */
const mostNamed = 20;

/** The two ways to count values of linked columns. */
export interface UniqueCounts {
  /** Over all rows, for every caller. */
  readonly whole: AskSubquery;
  /** Over the rows that the caller may see. */
  readonly own: AskSubquery;
}

/**
 * Finds how the datasets of a query are joined: along the links of their columns, from the dataset
 * with the finest rows.
 * Values are counted over all rows, so that a query means the same to every caller. When these give
 * no order of datasets and row filters bind the caller, the caller's rows decide, so a refusal
 * reveals nothing about other rows. A query of one dataset is returned unchanged.
 * @throws {ApiError} QUERY_NOT_JOINABLE, and what looking up a dataset throws
 */
export async function joinDatasets(
  parsed: ParsedQuery,
  findDataset: FindDataset,
  counts: UniqueCounts,
): Promise<ParsedQuery> {
  if (parsed.tree) return parsed;
  const mentions = mentionsOf(referencesOf(parsed));
  if (new Set(mentions.map(({ datasetId }) => datasetId)).size < 2) return parsed;
  const named = await findNamed(mentions, findDataset);
  if (named.length < 2) return parsed;
  if (named.length > mostNamed)
    throw notJoinable(
      parsed.path,
      `there are ${named.length} of them, but a query may use at most ${mostNamed}`,
    );
  const links = await findLinks(named, findDataset, parsed.path);
  const measures = parsed.measures.flatMap((each) => (each.weight ? [each, each.weight] : [each]));
  const measured = await findNamed(mentionsOf(measures), findDataset);
  const treeBy = async (countValues: AskSubquery) =>
    chooseRoot(
      links,
      await findUnique(links, parsed.path, countValues),
      [...measured, ...named],
      parsed.path,
    );
  const isBound = links.flat().some(({ dataset }) => dataset.rowFilters.length > 0);
  const tree = await treeBy(counts.whole).catch((failure: unknown) => {
    if (isBound && isNotJoinable(failure)) return treeBy(counts.own);
    throw failure;
  });
  return { ...parsed, tree };
}

function isNotJoinable(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code === "QUERY_NOT_JOINABLE";
}

/**
 * Finds the datasets that a query names, inside the texts of expressions and formulas too. @throws
 * what looking up a dataset throws
 */
export function namedDatasets(
  parsed: ParsedQuery,
  findDataset: FindDataset,
): Promise<readonly QueriedDataset[]> {
  return findNamed(mentionsOf(referencesOf(parsed)), findDataset);
}

/** A mention of a dataset, in a member or inside the text of an expression or formula. */
interface Mention {
  readonly path: string;
  readonly datasetId: string;
  readonly isInText: boolean;
}

function mentionsOf(references: readonly Reference[]): readonly Mention[] {
  return references.flatMap(({ path, datasetId, expression, formula }) => {
    const inText = [
      ...(expression === undefined ? [] : columnsIn(expression, memberPath(path, "expression"))),
      ...(formula === undefined ? [] : columnsIn(formula, memberPath(path, "formula"))),
    ].map((column) => ({ path, datasetId: column.datasetId, isInText: true }));
    return datasetId === undefined
      ? inText
      : [{ path: memberPath(path, "dataset_id"), datasetId, isInText: false }, ...inText];
  });
}

/**
 * Lists the datasets by first mention. A text may name a dataset that the caller cannot see:
 * whatever compiles it refuses it.
 */
async function findNamed(
  mentions: readonly Mention[],
  findDataset: FindDataset,
): Promise<readonly QueriedDataset[]> {
  const found = await Promise.all(
    mentions.map(({ path, datasetId, isInText }) =>
      findDataset(datasetId, path).catch((failure: unknown) => {
        const isUnknown = failure instanceof ApiError && failure.code === "RECORD_NOT_FOUND";
        if (isInText && isUnknown) return undefined;
        throw failure;
      }),
    ),
  );
  const datasets = found.filter((dataset) => dataset !== undefined);
  return [...new Map(datasets.map((dataset) => [dataset.id, dataset])).values()];
}
