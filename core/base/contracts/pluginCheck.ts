/** How far the host trusts the promises of a plugin: what the conformance kit found when it last checked it. */
export const verifications = ["unchecked", "verified", "failed"] as const;
export type Verification = (typeof verifications)[number];

/**
 * The outcome of a check as the record of a plugin keeps it: claims, and names of deviations. Holds no cell, no name of
 * a dataset and no text of the plugin, since the record is shared with people who may not see its rows.
 */
export interface PluginCheckReport {
  /** The version of the package whose kit checked it. */
  readonly kit_version: string;
  readonly seed: number;
  readonly query_count: number;
  readonly dataset_count: number;
  readonly row_count: number;
  /** Claims that held, and whose rows told them apart from every known deviation. */
  readonly proved: readonly string[];
  /** Claims without a wrong answer, each with known deviations that give the same answers. */
  readonly unproved: Readonly<Record<string, readonly string[]>>;
  /** Claims with a wrong answer, each with what the plugin does. */
  readonly wrong: Readonly<Record<string, readonly string[]>>;
  /** Not claimed, and answered right. */
  readonly possible: readonly string[];
  readonly refused: readonly string[];
  readonly not_asked: readonly string[];
  /** Why the plugin was not checked; absent when it was. */
  readonly problem?: string;
}
