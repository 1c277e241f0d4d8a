import { pino, type Logger } from "pino";
import { type Config, createMetrics, metricsPlace, readConfig, traceId } from "./base/index.ts";
import type { PastOfAlert } from "./jobs/index.ts";
import { openAct } from "./openAct.ts";
import { openHttp } from "./openHttp.ts";
import { openIdentity } from "./openIdentity.ts";
import { openStorage } from "./openStorage.ts";
import { openWork } from "./openWork.ts";
import type { Start } from "./start.ts";

/** A running host. */
export interface Host {
  /** The address at which the host listens. */
  readonly url: string;
  /** The owner's key pair when it was made at this start; it is shown this once. */
  readonly madeCredentials: { readonly key: string; readonly token: string } | undefined;
  /**
   * Makes an address that signs a browser of this machine in as the user of a key pair: once, within an hour.
   * @throws {ApiError} UNAUTHORIZED
   */
  createSignInLink(pair: { readonly key: string; readonly token: string }): Promise<string>;
  /**
   * Evaluates slots of the past of an alert, each with the clock at that slot, and records them in its ledger; no
   * message is sent. Resolves to their number, at most 500: each is a query.
   * @throws {ApiError} RECORD_NOT_FOUND, MEMBER_INVALID
   */
  fillLedger(past: PastOfAlert): Promise<number>;
  /** Ends everything that `openHost` opened, in reverse order; calls under way are answered first. */
  close(): Promise<void>;
}

export type HostOptions = { readonly [Member in keyof Config]?: Config[Member] | undefined } & {
  readonly logger?: Logger;
  /** The clock of questions, in milliseconds since 1970, for evaluations that must answer the same every day. */
  readonly now?: () => number;
  /** The clock by which tokens, and links to files of exports, end; of tests. */
  readonly tokenNow?: () => number;
  /** How often the host looks for work by the clock; as `openJobs` does when absent. */
  readonly pace?: Start["pace"];
};

/**
 * Assembles a host in four acts, each built on those before it, and listens. Settings that are not given come from the
 * environment, then from the defaults of `config.ts`. When an act fails, those before it are closed again.
 * @throws {Error} that names the setting, the folder or the server that is in the way
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
    // The port of links was not known before.
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
