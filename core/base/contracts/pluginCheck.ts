/** The result of the last check of a plugin with the conformance kit; `unchecked` before the first check. */
export const verifications = ["unchecked", "verified", "failed"] as const;
export type Verification = (typeof verifications)[number];

/**
 * The result of a check, as stored in a plugin's record: capabilities, and names of deviations. It contains no cells,
 * dataset names or messages of the plugin, because people who may not see the plugin's rows can read the record.
 */
export interface PluginCheckReport {
  /** Version of the package whose kit ran the check. */
  readonly kit_version: string;
  readonly seed: number;
  readonly query_count: number;
  readonly dataset_count: number;
  readonly row_count: number;
  /** Capabilities that passed on rows that would reveal every known deviation. */
  readonly proved: readonly string[];
  /** Capabilities without a wrong answer, each with the known deviations that the rows would not have revealed. */
  readonly unproved: Readonly<Record<string, readonly string[]>>;
  /** Capabilities with a wrong answer, each with the deviations that the plugin has. */
  readonly wrong: Readonly<Record<string, readonly string[]>>;
  /** Capabilities that the plugin does not claim, but for which its answers were correct. */
  readonly possible: readonly string[];
  readonly refused: readonly string[];
  readonly not_asked: readonly string[];
  /** The reason why the plugin could not be checked. Absent after a complete check. */
  readonly problem?: string;
}
