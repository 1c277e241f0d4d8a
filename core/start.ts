import type { Logger } from "pino";
import type { Config, Metrics, metricsPlace } from "./base/index.ts";
import type { JobsOptions } from "./jobs/index.ts";

/** Settings, log and clocks that every start-up step receives. */
export interface Start {
  readonly config: Config;
  readonly log: Logger;
  /** Undefined if metrics are off. */
  readonly metrics: Metrics | undefined;
  /** Where metrics are served: to callers with a token, or on a port of this machine. Undefined if metrics are off. */
  readonly metricsAt: ReturnType<typeof metricsPlace>;
  /** Returns the URL at which people reach the host. With port 0 it is known only once the host listens. */
  publicUrl(): string;
  /** Clock for queries, in milliseconds since 1970; the system clock by default. */
  readonly now?: () => number;
  /** Clock by which tokens and links to files expire, in milliseconds since 1970. */
  readonly tokenNow?: () => number;
  /** How often the host looks for scheduled work. */
  readonly pace?: JobsOptions["pace"];
}
