import { resolve } from "node:path";
import { pino, type Logger } from "pino";
import {
  type ConnectorImports,
  createMetrics,
  disableContextCells,
  type GivenSettings,
  metricsPlace,
  readConfig,
  traceId,
} from "./base/index.ts";
import type { OwnerChoice } from "./identity/index.ts";
import type { JobsPace, PastOfAlert } from "./jobs/index.ts";
import { openAct } from "./openAct.ts";
import { openHttp } from "./openHttp.ts";
import { openIdentity } from "./openIdentity.ts";
import { openStorage } from "./openStorage.ts";
import { openWork } from "./openWork.ts";
import type { OwnerLink } from "./ownerLink.ts";
import type { Start } from "./start.ts";

/** A host that is running. */
export interface Host {
  /** URL at which the host listens. */
  readonly url: string;
  /** The owner's key pair if this start created it; otherwise undefined. The token cannot be read again later. */
  readonly madeCredentials: { readonly key: string; readonly token: string } | undefined;
  /**
   * Creates a URL that signs in a browser on this machine as the user of a key pair. The URL works once, within an
   * hour.
   * @throws {ApiError} UNAUTHORIZED
   */
  createSignInLink(pair: { readonly key: string; readonly token: string }): Promise<string>;
  /**
   * Creates a URL that signs in a browser on this machine as an owner. `choice` selects the owner by e-mail address, by
   * organization, or by both. Without `choice`, the URL is for the first owner of the first organization. The URL works
   * once, within an hour. The audit records it.
   * @throws {Error} if no owner matches, if several do, or if the host does not listen on loopback
   */
  createOwnerLink(choice?: OwnerChoice): Promise<OwnerLink>;
  /**
   * Evaluates past slots of an alert, each as if the host had evaluated it when it was due. Records the results in the
   * alert's ledger without sending messages. Resolves to the number of slots, at most 500. Each slot costs one query.
   * @throws {ApiError} RECORD_NOT_FOUND, MEMBER_INVALID
   */
  fillLedger(past: PastOfAlert): Promise<number>;
  /** Completes the calls in progress, and then closes everything that `openHost` opened, in reverse order. */
  close(): Promise<void>;
}

/** Options of `openHost`: the settings that `Config` documents, and options that only programs can set. */
export type HostOptions = Omit<GivenSettings, "connectors"> & {
  /**
   * Connectors that accounts may use. Strings are entries like those of MANIFOLD_CONNECTORS. An object adds connectors
   * of other packages, each as a slug and a function that imports the package. These connectors run in this process and
   * are trusted like the host's own. An option without strings adds to the connectors of MANIFOLD_CONNECTORS.
   * @default MANIFOLD_CONNECTORS, or all connectors of the host
   */
  readonly connectors?:
    | string
    | ConnectorImports
    | readonly (string | ConnectorImports)[]
    | undefined;
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
   * How often the host looks for scheduled work. Absent members keep their defaults.
   * @default the pace of `openJobs`
   */
  readonly pace?: JobsPace;
};

/**
 * Opens a host in four steps, each built on the previous steps, and starts to listen. An absent option is read from the
 * environment, or else gets its default. If a step fails, the earlier steps are closed again.
 * @throws {Error} naming the invalid setting, or the folder or server that is not available
 */
export async function openHost(options: HostOptions = {}): Promise<Host> {
  disableContextCells();
  const { logger, now, tokenNow, pace, connectors, ...given } = options;
  const { names, imports } = splitConnectors(connectors);
  const config = readConfig({ ...given, connectors: names });
  const mixin = () => ({ traceId: traceId() });
  const log = logger ?? pino({ level: config.logLevel, mixin });
  let { publicUrl } = config;
  return openAct("the host", { log }, async (opening) => {
    const metricsAt = metricsPlace(config.metrics);
    const metrics = metricsAt && createMetrics();
    if (metrics) opening.defer(() => metrics.close());
    const { promise: listening, resolve: onListening } = Promise.withResolvers<void>();
    const start: Start = {
      config,
      listening,
      connectorImports: imports,
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
    const http = await openHttp(start, storage, identity, work);
    opening.defer(http.close);
    const { url } = http;
    // If the port is 0, the real port is known only now.
    if (publicUrl === `http://${config.host}:0`) publicUrl = url;
    onListening();
    log.info({ url, dataDir: resolve(config.dataDir) }, "the host listens");
    return {
      url,
      madeCredentials: identity.madeCredentials,
      createSignInLink: http.createSignInLink,
      createOwnerLink: (choice: OwnerChoice = {}) => http.createOwnerLink(choice),
      fillLedger: (past: PastOfAlert) => work.jobs.fillLedger(past),
    };
  });
}

/** Separates the names of connectors, which are settings, from the functions that import connectors. */
function splitConnectors(given: HostOptions["connectors"]): {
  readonly names: readonly string[] | undefined;
  readonly imports: ConnectorImports;
} {
  const entries = given === undefined ? [] : isList(given) ? given : [given];
  const imports = entries.filter((each) => typeof each !== "string");
  const slugs = imports.flatMap((each) => Object.keys(each));
  const repeated = slugs.find((slug, index) => slugs.indexOf(slug) !== index);
  if (repeated !== undefined)
    throw new Error(`connectors must have different slugs, but ${repeated} occurs twice`);
  const names = entries.filter((each) => typeof each === "string");
  // An empty setting means all connectors.
  return { names: names.length > 0 ? names : undefined, imports: Object.assign({}, ...imports) };
}

function isList(
  given: NonNullable<HostOptions["connectors"]>,
): given is readonly (string | ConnectorImports)[] {
  return Array.isArray(given);
}
