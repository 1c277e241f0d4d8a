import type { ParsedQuery } from "../parsedQuery.ts";
import { referencesOf } from "../references.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/**
 * Returns whether a parsed query may be prepared: it reads one dataset, with neither formulas nor expressions, and
 * needs no subqueries.
 */
export function canPrepare(parsed: ParsedQuery): boolean {
  if (parsed.from || parsed.tree || parsed.maxAgeMs !== undefined) return false;
  const references = referencesOf(parsed);
  const [first] = references;
  return references.every(
    ({ datasetId, expression, formula, formulaId, bins, isComplete }) =>
      datasetId === first?.datasetId &&
      expression === undefined &&
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
