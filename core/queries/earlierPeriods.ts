import type { Calculation, PastValues } from "./boundQuery.ts";

/** Returns the values of earlier periods, grouped by period. One query fetches all values of a period. */
export function earlierPeriods(
  calculations: readonly Calculation[],
): readonly (readonly PastValues[])[] {
  const pasts = calculations.filter((each) => each.kind === "past");
  return [...Map.groupBy(pasts, ({ of, shift }) => JSON.stringify([of, shift])).values()];
}
