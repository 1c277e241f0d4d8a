/** A setting that can resolve a remark about a file, or an error. */
export interface Remedy {
  /** Name of the setting, such as `nulls`. */
  readonly setting: string;
  /**
   * The proposed value. The values of `nulls` and `columns` are added to those that are already set. Absent: the
   * setting helps, but only a person knows its value.
   */
  readonly value?: RemedyValue;
}

/** Values of a setting as JSON: an array for `nulls`, and types by column name for `columns`. */
export type RemedyValue =
  | string
  | number
  | boolean
  | readonly string[]
  | Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** Returns one remedy per proposed value of a setting. */
export function remediesOf(setting: string, values: readonly RemedyValue[]): readonly Remedy[] {
  return values.map((value) => ({ setting, value }));
}
