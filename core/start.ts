import type { Logger } from "pino";
import type { Config, ConnectorImports, Metrics, metricsPlace } from "./base/index.ts";
import type { JobsPace } from "./jobs/index.ts";

/** Settings, log and clocks that every start-up step receives. */
export interface Start {
  readonly config: Config;
  /** Functions that import connectors, by slug. */
  readonly connectorImports: ConnectorImports;
  readonly log: Logger;
  /** The host's metrics, or undefined if metrics are off. */
  readonly metrics: Metrics | undefined;
  /**
   * Where the host serves metrics: at `/metrics` for callers with a token, or on a port of this machine. Undefined if
   * metrics are off.
   */
  readonly metricsAt: ReturnType<typeof metricsPlace>;
  /** Returns the URL at which people reach the host. If the port is 0, the URL is known only once the host listens. */
  publicUrl(): string;
  /** Fulfilled when the host listens. Work that can wait begins then. */
  readonly listening: Promise<void>;
  /** Clock for queries, in milliseconds since 1970; the system clock by default. */
  readonly now?: () => number;
  /** Clock that decides when tokens and links to files expire, in milliseconds since 1970. */
  readonly tokenNow?: () => number;
  /** How often the host looks for scheduled work. */
  readonly pace?: JobsPace;
}
