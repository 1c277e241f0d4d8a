/** Intervals, in seconds, at which a queue looks at the work of other hosts. */
export interface Pace {
  /** Maximum time between two polls for schedules and jobs that other hosts added. */
  readonly pollS: number;
  /** Time without a sign of life after which a host counts as dead; at least 10. */
  readonly heartbeatS: number;
  /** Time between two checks for jobs of dead hosts. */
  readonly superviseS: number;
}
