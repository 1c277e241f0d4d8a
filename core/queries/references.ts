import { leaves } from "../../plugins/protocol/index.ts";
import type { ColumnTest, Condition, ParsedQuery, Reference } from "./parsedQuery.ts";

/** Lists every reference to a column in a query, in the order of the request. */
export function referencesOf(parsed: ParsedQuery): readonly Reference[] {
  return [
    ...parsed.dimensions,
    ...parsed.measures,
    ...[...parsed.where, ...parsed.having].flatMap(referencesIn),
    ...parsed.order.map((item) => item.reference),
    ...(parsed.groupLimit?.per ?? []),
  ].flatMap((reference) => [
    reference,
    ...(reference.second ? [reference.second] : []),
    ...(reference.per ?? []),
    ...calculationReferences(reference),
  ]);
}

function calculationReferences({ calculation }: Reference): readonly Reference[] {
  if (!calculation) return [];
  if ("per" in calculation) return calculation.per;
  return calculation.reference ? [calculation.reference] : [];
}

/** Lists every reference to a column in a condition. */
export function referencesIn(condition: Condition): readonly Reference[] {
  return leaves(condition).flatMap((leaf) =>
    "operands" in leaf ? operandReferences(leaf) : [leaf.reference],
  );
}

function operandReferences({ operands }: ColumnTest): readonly Reference[] {
  return operands.flatMap((each) => ("reference" in each ? [each.reference] : []));
}

/** Returns a copy of a test with several columns, in which `change` is applied to each reference. */
export function mapReferences(
  test: ColumnTest,
  change: (reference: Reference) => Reference,
): ColumnTest {
  const operands = test.operands.map((each) =>
    "reference" in each ? { reference: change(each.reference) } : each,
  );
  return { ...test, operands };
}

/** Returns whether two references name the same column, at any level. */
export function isSameColumn(one: Reference, other: Reference): boolean {
  return (
    one.datasetId === other.datasetId &&
    one.via === other.via &&
    one.columnId === other.columnId &&
    one.expression === other.expression
  );
}
