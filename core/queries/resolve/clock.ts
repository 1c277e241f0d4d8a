/** The instant of the request, in milliseconds, and the zone in whose calendar relative tests count. */
export interface Clock {
  readonly nowMs: number;
  readonly timezone: string;
}
