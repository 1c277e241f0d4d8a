/** The secret of the test catalogs. */
export const secret = "a secret for tests only";

/**
 * The steps of an evaluation and its delivery. A test can kill the host after each step; at `sent` the sink kills it.
 */
export const steps = ["claimed", "evaluated", "recorded", "sent", "acknowledged"] as const;

/** Tells a process to kill itself when it reaches a step for the given time. */
export interface Order {
  readonly step: (typeof steps)[number];
  after: number;
}
