import type { CalculationMember, ParsedCalculation, Reference } from "../parsedQuery.ts";
import type { BoundReference } from "./boundReference.ts";

/**
 * Returns whether a measure has the calculation that an item of order or having names, or none if the item names none.
 * Members that the item omits match every value.
 */
export function hasCalculation(
  measure: BoundReference,
  wanted: ParsedCalculation | undefined,
): boolean {
  const own = measure.requestedCalculation;
  if (!own || !wanted) return own === wanted;
  return (
    own.type === wanted.type && wanted.named.every((member) => hasMember(measure, wanted, member))
  );
}

function hasMember(
  { requestedCalculation: own, calculation }: BoundReference,
  wanted: ParsedCalculation,
  member: CalculationMember,
): boolean {
  if ("per" in wanted) {
    if (!own || !("per" in own)) return false;
    return member === "per" ? areSame(own.per, wanted.per) : own.isAscending === wanted.isAscending;
  }
  if (!own || "per" in own) return false;
  // The column that is moved is known even if the measure does not name it.
  const of = calculation && "of" in calculation ? calculation.of : undefined;
  switch (member) {
    case "dataset_id":
      return of?.datasetId === wanted.reference?.datasetId;
    case "via":
      return of?.via === wanted.reference?.via;
    case "column_id":
      return of?.columnId === wanted.reference?.columnId;
    case "level":
      return own.unit === wanted.unit;
    case "quantity":
      return own.quantity === wanted.quantity;
    case "period_to_date":
      return own.isToDate === wanted.isToDate;
    case "per":
    case "order":
      return false;
    default:
      throw new TypeError(`${member satisfies never} must be compared here`);
  }
}

/** Returns whether two lists contain the same dimensions, in any order. */
function areSame(one: readonly Reference[], other: readonly Reference[]): boolean {
  return (
    one.length === other.length &&
    other.every((wanted) =>
      one.some(
        (each) =>
          each.columnId === wanted.columnId &&
          each.via === wanted.via &&
          each.level === wanted.level &&
          (wanted.expression === undefined || each.expression === wanted.expression),
      ),
    )
  );
}
