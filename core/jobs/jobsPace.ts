import type { DigestPace } from "./deliveries/digestPace.ts";
import type { Pace } from "./queue/pace.ts";

/** How often a host looks for scheduled work, and how it spreads the work. Absent members keep their defaults. */
export interface JobsPace extends Partial<Pace>, DigestPace {
  /**
   * Maximum delay of an evaluation after its slot, in milliseconds.
   * @default 20_000
   */
  readonly jitterMs?: number;
}
