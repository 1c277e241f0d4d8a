/** A setting for reading a file that changes what a note says, or that can correct an error. */
export interface Remedy {
  /** Name of the setting, such as `nulls`. */
  readonly setting: string;
  /**
   * The proposed value. Those of `nulls` and `columns` are added to the values that are already set. Absent: only a
   * person knows the value.
   */
  readonly value?: unknown;
}

/** Returns the remedies in a member of an answer. */
export function remediesIn(given: unknown): readonly Remedy[] {
  return Array.isArray(given) ? given.filter(isRemedy) : [];
}

const isRemedy = (value: unknown): value is Remedy =>
  typeof value === "object" &&
  value !== null &&
  "setting" in value &&
  typeof value.setting === "string";
