/** The instant of the call, in milliseconds, and the time zone of relative tests. */
export interface Clock {
  readonly nowMs: number;
  readonly timezone: string;
}
