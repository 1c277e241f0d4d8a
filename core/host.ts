import { pino, type Logger } from "pino";
import { type Config, createMetrics, metricsPlace, readConfig, traceId } from "./base/index.ts";
import type { PastOfAlert } from "./jobs/index.ts";
import { openAct } from "./openAct.ts";
import { openHttp } from "./openHttp.ts";
import { openIdentity } from "./openIdentity.ts";
import { openStorage } from "./openStorage.ts";
import { openWork } from "./openWork.ts";
import type { Start } from "./start.ts";

/** A host that is running. */
export interface Host {
  /** URL at which the host listens. */
  readonly url: string;
  /** The owner's key pair if this start created it; otherwise undefined. The token cannot be read later. */
  readonly madeCredentials: { readonly key: string; readonly token: string } | undefined;
  /**
   * Creates a URL that signs in a browser on this machine as the user of a key pair. The URL works once, within an
   * hour.
   * @throws {ApiError} UNAUTHORIZED
   */
  createSignInLink(pair: { readonly key: string; readonly token: string }): Promise<string>;
  /**
   * Evaluates past slots of an alert, each as if it were evaluated at its own time, and records the results in the
   * alert's ledger without sending messages. Resolves to the number of slots, at most 500. Each slot takes one query.
   * @throws {ApiError} RECORD_NOT_FOUND, MEMBER_INVALID
   */
  fillLedger(past: PastOfAlert): Promise<number>;
  /** Responds to the calls under way, and then closes everything that `openHost` opened, in reverse order. */
  close(): Promise<void>;
}

/** Options of `openHost`: the settings that `Config` documents, and options that only programs can set. */
export type HostOptions = { readonly [Member in keyof Config]?: Config[Member] | undefined } & {
  /**
   * The logger that receives the log.
   * @default a pino logger with the level `logLevel`, which writes to the standard output
   */
  readonly logger?: Logger;
  /**
   * Clock for the dates that queries and evaluations refer to, in milliseconds since 1970. A fixed clock gives the same
   * results every day.
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * Clock that decides when tokens and links to exported files expire, in milliseconds since 1970. For tests.
   * @default Date.now
   */
  readonly tokenNow?: () => number;
  /**
   * How often the host looks for scheduled work.
   * @default the pace of `openJobs`
   */
  readonly pace?: Start["pace"];
};

/**
 * Opens a host in four steps, each built on the previous steps, and starts to listen. Options that are absent are read
 * from the environment, or else have their defaults. If a step fails, the steps before it are closed again.
 * @throws {Error} naming the invalid setting, or the folder or server that is not available
 */
export async function openHost(options: HostOptions = {}): Promise<Host> {
  const { logger, now, tokenNow, pace, ...given } = options;
  const config = readConfig(given);
  const mixin = () => ({ traceId: traceId() });
  const log = logger ?? pino({ level: config.logLevel, mixin });
  let { publicUrl } = config;
  return openAct("the host", { log }, async (opening) => {
    const metricsAt = metricsPlace(config.metrics);
    const metrics = metricsAt && createMetrics();
    if (metrics) opening.defer(() => metrics.close());
    const start: Start = {
      config,
      log,
      metrics,
      metricsAt,
      publicUrl: () => publicUrl,
      ...(now && { now }),
      ...(tokenNow && { tokenNow }),
      ...(pace && { pace }),
    };
    const storage = await openStorage(start);
    opening.defer(storage.close);
    const identity = await openIdentity(start, storage);
    opening.defer(identity.close);
    const work = await openWork(start, storage, identity);
    opening.defer(work.close);
    const { url, close } = await openHttp(start, storage, identity, work);
    opening.defer(close);
    // If the port is 0, the real port is known only now.
    if (publicUrl === `http://${config.host}:0`) publicUrl = url;
    log.info({ url, dataDir: config.dataDir }, "the host listens");
    return {
      url,
      madeCredentials: identity.madeCredentials,
      createSignInLink: async (pair: { readonly key: string; readonly token: string }) =>
        `${url}/#sign-in=${await identity.signIn.sessions.createLink(pair)}`,
      fillLedger: (past: PastOfAlert) => work.jobs.fillLedger(past),
    };
  });
}
