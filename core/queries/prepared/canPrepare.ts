import type { ParsedQuery } from "../parsedQuery.ts";
import { referencesOf } from "../references.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/**
 * Returns whether a query may be prepared after its datasets were joined: it names one dataset, even inside
 * expressions, has no formulas, and needs no subqueries.
 */
export function canPrepare(parsed: ParsedQuery): boolean {
  if (parsed.from || parsed.tree || parsed.maxAgeMs !== undefined) return false;
  const references = referencesOf(parsed);
  const [first] = references;
  return references.every(
    ({ datasetId, formula, formulaId, bins, isComplete }) =>
      datasetId === first?.datasetId &&
      formula === undefined &&
      formulaId === undefined &&
      bins === undefined &&
      isComplete !== true,
  );
}

/** Returns whether the store answers a bound query as a whole, so that `execute` needs nothing but the bound query. */
export function isWhole({ joined, formulas, collation }: SecuredQuery): boolean {
  return joined.length === 0 && formulas.length === 0 && collation === undefined;
}
