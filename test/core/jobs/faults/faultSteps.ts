/** The secret of the catalogs of the tests. */
export const secret = "a secret for tests only";

/** The steps of an evaluation and of a delivery. A host may die after each; a sink kills it at `sent`. */
export const steps = ["claimed", "evaluated", "recorded", "sent", "acknowledged"] as const;

/** Has a process kill itself when it reaches a step, after so many times. */
export interface Order {
  readonly step: (typeof steps)[number];
  after: number;
}
