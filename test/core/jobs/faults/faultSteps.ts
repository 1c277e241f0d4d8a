/** The secret with which the test catalogs encrypt. */
export const secret = "a secret for tests only";

/**
 * The steps of an evaluation and its delivery. A test can kill the host after each step. At `sent`, the sink kills the
 * host.
 */
export const steps = ["claimed", "evaluated", "recorded", "sent", "acknowledged"] as const;

/**
 * Tells a process to kill itself when it reaches a step. The first `after` times that the process reaches the step do
 * not count.
 */
export interface Order {
  readonly step: (typeof steps)[number];
  after: number;
}
