interface CalculationRow {
  /** What the value is, as the end of a sentence that starts with the name. */
  readonly description: string;
  /** Whether the value compares the measure with an earlier period. */
  readonly isComparison: boolean;
}

/** The values that a measure can have instead of its aggregate, by name. They are computed from all groups. */
export const calculationTypes = {
  past: { description: "the measure in the earlier period", isComparison: true },
  absolute_change: {
    description: "the measure minus its value in the earlier period",
    isComparison: true,
  },
  percentage_change: {
    description:
      "the change divided by the size of the earlier value, such as 0.25 for an increase of 25 %; null if the earlier value is 0",
    isComparison: true,
  },
  share_of_total: {
    description:
      "the sum or count divided by its total over all groups, such as 0.25; null if the total is 0",
    isComparison: false,
  },
  rank: {
    description: "the place of the group, from 1; groups with equal values have the same place",
    isComparison: false,
  },
} as const satisfies Readonly<Record<string, CalculationRow>>;

/** The name of a calculation. */
export type CalculationType = keyof typeof calculationTypes;

/** The name of a calculation that compares a measure with an earlier period. */
export type ComparisonType = {
  [Name in CalculationType]: (typeof calculationTypes)[Name]["isComparison"] extends true
    ? Name
    : never;
}[CalculationType];

/** Returns whether a calculation compares a measure with an earlier period. */
export function isComparison(type: CalculationType): type is ComparisonType {
  return calculationTypes[type].isComparison;
}

/** Returns whether a name is the name of a calculation. */
export function isCalculationType(name: string): name is CalculationType {
  return Object.hasOwn(calculationTypes, name);
}
