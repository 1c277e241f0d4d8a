import type { Logger } from "pino";
import type { Config, Metrics, metricsPlace } from "./base/index.ts";
import type { JobsOptions } from "./jobs/index.ts";

/** Settings, log and clocks that every act of opening a host is given. */
export interface Start {
  readonly config: Config;
  readonly log: Logger;
  /** Undefined when nothing is counted. */
  readonly metrics: Metrics | undefined;
  /** Where metrics are shown: to a token, or on a port of this machine. */
  readonly metricsAt: ReturnType<typeof metricsPlace>;
  /** Where people reach the host; its port may be known only once the host listens. */
  publicUrl(): string;
  /** The clock of queries, in milliseconds since 1970; the machine's when absent. */
  readonly now?: () => number;
  /** The clock by which tokens and links to files end. */
  readonly tokenNow?: () => number;
  /** How often the host looks for work by the clock. */
  readonly pace?: JobsOptions["pace"];
}
