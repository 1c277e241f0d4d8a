import { mapTree } from "../../../plugins/protocol/index.ts";
import type { PastValues } from "../boundQuery.ts";
import type { Condition, ParsedQuery, Reference } from "../parsedQuery.ts";
import { isSameColumn, mapReferences } from "../references.ts";

/**
 * Returns the query for measures in an earlier period: the same groups and filters, with the datetimes of one column
 * moved forward. Its groups therefore have the keys of the groups with which they are compared.
 */
export function pastQuery(
  { path, from, dimensions, measures, where, timezoneId, maxAgeMs }: ParsedQuery,
  pasts: readonly PastValues[],
): ParsedQuery {
  const [first] = pasts;
  if (!first) throw new TypeError("a query for an earlier period must have a measure");
  const { of, shift } = first;
  const moved = (reference: Reference): Reference =>
    isSameColumn(reference, of) ? { ...reference, shift } : reference;
  const movedIn = (condition: Condition): Condition =>
    mapTree(condition, (leaf) =>
      "operands" in leaf
        ? mapReferences(leaf, moved)
        : { ...leaf, reference: moved(leaf.reference) },
    );
  return {
    path,
    ...(from && { from }),
    dimensions: dimensions.map((each) => {
      const { isComplete: _, ...dimension } = each;
      return moved(dimension);
    }),
    measures: pasts.flatMap(({ measure }) =>
      measures.slice(measure, measure + 1).map(plainMeasure),
    ),
    where: where.map(movedIn),
    having: [],
    order: [],
    limit: undefined,
    rollup: true,
    timezoneId,
    ...(maxAgeMs !== undefined && { maxAgeMs }),
  };
}

function plainMeasure(calculated: Reference): Reference {
  const { calculation: _, ...measure } = calculated;
  return measure;
}
