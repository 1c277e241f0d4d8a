/** How far the host trusts a plugin's promises, according to the last check with the conformance kit. */
export const verifications = ["unchecked", "verified", "failed"] as const;
export type Verification = (typeof verifications)[number];

/**
 * The outcome of a check, as stored in a plugin's record: claims, and names of deviations. It contains no cells,
 * dataset names or messages of the plugin, because people who may not see its rows can read the record.
 */
export interface PluginCheckReport {
  /** Version of the package whose kit ran the check. */
  readonly kit_version: string;
  readonly seed: number;
  readonly query_count: number;
  readonly dataset_count: number;
  readonly row_count: number;
  /** Claims that held, on rows that rule out every known deviation. */
  readonly proved: readonly string[];
  /** Claims without a wrong answer, each with the known deviations that would give the same answers. */
  readonly unproved: Readonly<Record<string, readonly string[]>>;
  /** Claims with a wrong answer, each with the deviations of the plugin. */
  readonly wrong: Readonly<Record<string, readonly string[]>>;
  /** Capabilities that the plugin did not claim but answered correctly. */
  readonly possible: readonly string[];
  readonly refused: readonly string[];
  readonly not_asked: readonly string[];
  /** Why the plugin could not be checked; absent if it was. */
  readonly problem?: string;
}
