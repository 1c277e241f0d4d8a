import { join } from "node:path";
import { pino, type Logger } from "pino";
import {
  createPrincipals,
  createRowFilters,
  ensureOwner,
  openAccess,
  openVisits,
} from "./identity/index.ts";
import {
  createApp,
  createCallLimits,
  createHandlers,
  createHttpServer,
  createOpenapi,
  createReadiness,
  createServerClose,
  openAssets,
  openSignIn,
} from "./http/index.ts";
import {
  answerQuota,
  connectionCounts,
  createCatalogMemory,
  createReadAudit,
  type Limits,
  openCatalog,
  openCipher,
  openOutbox,
  openPresence,
  openQuotas,
  openRefusals,
  parseLimits,
  readHostSecret,
} from "./catalog/index.ts";
import {
  accelerate,
  claimFormerRows,
  claimStore,
  createGrants,
  createGuardedFetch,
  createPushRequests,
  createSynchronizer,
  figuresOf,
  notifyChange,
  openConnections,
  openEgresses,
  openInProcess,
  reconcileStore,
  refuseSharers,
  storeSlugs,
  synchronizeByClock,
} from "./sources/index.ts";
import { openModel } from "./assistant/index.ts";
import {
  checkSecrets,
  createMoves,
  gateStores,
  isRotating,
  openOperatorDoor,
  operatorQuestions,
} from "./operating/index.ts";
import {
  type Config,
  createMetrics,
  listen,
  messageOf,
  metricsPlace,
  openBoth,
  openMetricsPort,
  readConfig,
  TimeSlices,
  traceId,
} from "./base/index.ts";
import { openJobs, type JobsOptions, type PastOfAlert } from "./jobs/index.ts";
import {
  createExportWork,
  nameScripts,
  openExportFiles,
  openFonts,
  recordReaders,
} from "./exports/index.ts";
import { createQueries } from "./queries/index.ts";
import {
  createHierarchyLabels,
  createKernel,
  openRecords,
  rememberedRecords,
} from "./resources/index.ts";

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
  readonly pace?: JobsOptions["pace"];
};

/** Deadline of one call of a webhook. */
const webhookMs = 15_000;

/** Most bytes of one answer of a model. */
const modelAnswerBytes = 2 ** 20;

/** Milliseconds in which a part of the host has to answer. */
const healthMs = 10_000;

/**
 * Assembles a host and listens. Settings that are not given come from the environment, then from
 * the defaults of `config.ts`. When a step fails, what was opened before it is closed again.
 * @throws {Error} that names the setting, the folder or the server that is in the way
 */
export async function openHost(options: HostOptions = {}): Promise<Host> {
  const { logger: givenLogger, now, tokenNow, pace, ...given } = options;
  const config = readConfig(given);
  const defaults = readQuotas(config.quotas);
  const mixin = () => ({ traceId: traceId() });
  const logger = givenLogger ?? pino({ level: config.logLevel, mixin });
  let { publicUrl } = config;
  const closes: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let step = closes.pop(); step; step = closes.pop()) await step();
  };
  try {
    const shownAt = metricsPlace(config.metrics);
    const metrics = shownAt && createMetrics();
    if (metrics) closes.push(() => Promise.resolve(metrics.close()));
    const secret = await readHostSecret(config);
    const cipher = await openCipher({ ...config, secret });
    // Each locks its part of the data folder, which refuses a second host.
    const [opened, catalog] = await openBoth(
      () => openInProcess(config),
      () => openCatalog({ ...config, log: logger }),
    );
    const { plugins, store } = gateStores(opened);
    closes.push(() => plugins.close());
    closes.push(() => catalog.close());
    const claim = store(config.store).plugin.snapshot
      ? await claimStore({ ...config, knex: catalog.knex, log: logger })
      : undefined;
    if (claim) closes.push(() => claim.close());
    if (claim) await refuseSharers({ knex: catalog.knex, store: config.store });
    const records = openRecords({ catalog, cipher });
    await checkSecrets({ catalog, cipher, log: logger });
    const madeCredentials = await ensureOwner({ records, key: config.key, token: config.token });
    const refusals = openRefusals({ records, log: logger });
    closes.push(() => refusals.close());
    const noteRefusal = refusals.note;
    const access = openAccess({
      catalog,
      cipher,
      log: logger,
      noteRefusal,
      ...(tokenNow && { now: tokenNow }),
    });
    closes.push(() => access.close());
    const visits = openVisits({ catalog, log: logger });
    closes.push(() => visits.close());
    const memory = createCatalogMemory({ catalog });
    const remembered = rememberedRecords(records, memory);
    const quotas = openQuotas({
      knex: catalog.knex,
      records,
      memory,
      defaults,
      log: logger,
      onPassed: metrics?.quota,
    });
    closes.push(() => quotas.close());
    const spendJob = (organizationId: string) => quotas.spend(organizationId, "jobs", 1);
    const connections = await openConnections({ config, records: remembered, plugins, metrics });
    closes.push(() => connections.close());
    await connections.health(AbortSignal.timeout(healthMs));
    const former = claim
      ? undefined
      : await claimFormerRows({
          ...config,
          knex: catalog.knex,
          log: logger,
          records,
          connections,
          fileStores: [...plugins.plugins.keys()].filter((slug) => store(slug).plugin.snapshot),
        });
    if (former) closes.push(() => former.close());
    const presence = claim ? undefined : await openPresence({ ...catalog, log: logger });
    if (presence) closes.push(() => presence.close());
    const outbox = openOutbox({
      knex: catalog.transactions,
      records,
      connections,
      presence,
      log: logger,
    });
    closes.push(() => outbox.close());
    if (claim) await outbox.takeOver();
    await outbox.carryOut();
    // A store without files of this host may be shared: another host may be in the middle of a push.
    if (store(config.store).plugin.snapshot) await reconcileStore({ records, connections, outbox });
    const kernel = createKernel({
      records,
      catalog,
      cipher,
      connections,
      log: logger,
      apiTokenDays: config.apiTokenDays,
    });
    const timeSlices = new TimeSlices();
    const queries = createQueries({
      timeSlices,
      records: remembered,
      connections,
      memory,
      rowFilters: createRowFilters(catalog),
      labels: createHierarchyLabels(catalog),
      cacheBytes: config.cacheMb * 2 ** 20,
      metrics,
      quotas,
      ...(now && { now }),
    });
    const synchronizer = createSynchronizer({
      records,
      queries,
      knex: catalog.knex,
      log: logger,
    });
    closes.push(() => synchronizer.close());
    const grants = createGrants({ config, records: remembered });
    const egresses = openEgresses({
      grants,
      timeoutMs: webhookMs,
      sizeBytes: 2 ** 20,
    });
    closes.push(() => Promise.resolve(egresses.close()));
    const { smtpUrl, mailFrom, smsUrl, smsFrom, smsPerDay, ledgerDays } = config;
    const principals = createPrincipals({ catalog, cipher });
    const accelerating = {
      records,
      connections,
      outbox,
      principals,
      knex: catalog.transactions,
      log: logger,
      mostRows: config.accelerationRows,
      onSwitched: () => memory.forget(),
    };
    const fonts = openFonts();
    const exportSources = {
      queries,
      fonts,
      readers: recordReaders(kernel.handlers),
      onMissing: (characters: readonly string[]) =>
        logger.warn(
          { scripts: nameScripts(characters), characterCount: characters.length },
          "a picture has characters of scripts without an installed font",
        ),
    };
    const files = await openExportFiles({
      folder: join(config.dataDir, "exports"),
      knex: catalog.knex,
      cipher,
      principals,
      publicUrl: () => publicUrl,
      log: logger,
      organizationBytes: config.exportMb * 2 ** 20,
      lifeMs: config.exportHours * 3_600_000,
      ...(tokenNow && { now: tokenNow }),
    });
    closes.push(() => files.close());
    const jobs = await openJobs({
      metrics,
      spendJob,
      exportWork: createExportWork({ ...exportSources, files, principals, log: logger }),
      accelerate: (id, signal) => accelerate(id, signal, accelerating),
      synchronize: (id, signal) =>
        synchronizeByClock(id, signal, { ...accelerating, synchronizer }),
      egresses,
      publicUrl: () => publicUrl,
      ...(smtpUrl && { mail: { smtpUrl, from: mailFrom } }),
      ledgerDays,
      ...(smsUrl && { textMessages: { url: smsUrl, from: smsFrom, perDay: smsPerDay } }),
      cipher,
      knex: catalog.transactions,
      records,
      queries,
      connections,
      principals,
      log: logger,
      ...(pace && { pace }),
    });
    closes.push(() => jobs.close());
    const modelEgresses = openEgresses({
      grants,
      timeoutMs: config.aiTimeoutMs,
      sizeBytes: modelAnswerBytes,
    });
    closes.push(() => Promise.resolve(modelEgresses.close()));
    const { aiUrl, aiModel, aiKey, aiTimeoutMs } = config;
    const model =
      aiUrl !== undefined && aiModel !== undefined
        ? openModel({
            url: aiUrl,
            name: aiModel,
            key: aiKey,
            egress: modelEgresses.ofHost,
            timeoutMs: aiTimeoutMs,
            log: logger,
          })
        : undefined;
    const fetchOf = (organizationId: string) => createGuardedFetch(egresses, organizationId);
    const { handlers, answerMcp } = createHandlers({
      fetchOf,
      publicUrl: () => publicUrl,
      exports: { ...exportSources, files, mostCells: config.exportCells },
      model,
      config,
      quotas,
      spendJob,
      requests: createPushRequests({ knex: catalog.transactions, settle: outbox.carryOut }),
      kernel,
      records,
      connections,
      queries,
      synchronizer,
      jobs,
      outbox,
      catalog,
      cipher,
      access,
      visits,
      memory,
      log: logger,
      ...(now && { now }),
    });
    const limits = createCallLimits(config);
    const auditRead = config.auditReads ? createReadAudit(records) : undefined;
    const signIn = openSignIn({
      catalog,
      cipher,
      records,
      access,
      memory,
      limits,
      signInTries: config.signInTries,
      noteRefusal,
      auditRead,
      fetchOf,
      publicUrl: () => publicUrl,
      shownProviders: config.signOn,
      log: logger,
    });
    closes.push(() => signIn.close());
    metrics?.watch({
      jobs: () => jobs.observed(),
      outbox: () => outbox.observed(),
      async quotas() {
        const states = config.metricsOrganizations.map(async (organizationId) =>
          (await quotas.states(organizationId)).map((state) => ({ organizationId, ...state })),
        );
        return (await Promise.all(states)).flat();
      },
      store: () => figuresOf(plugins, config.store),
      cache: () => queries.cacheFigures(),
      connections: () => connectionCounts([catalog.knex, catalog.transactions]),
    });
    const readiness = createReadiness({
      checks: {
        catalog: () => catalog.ready(),
        async store() {
          await claim?.check();
          await connections.health(AbortSignal.timeout(healthMs));
        },
      },
    });
    const described = { handlers, declarations: kernel.declarations, url: config.publicUrl };
    // Written when it is first asked for: a start would wait 15 ms for it.
    let openapi: unknown;
    const app = createApp({
      logger,
      metrics,
      metricsToken: shownAt?.kind === "token" ? shownAt.token : undefined,
      handlers,
      answerMcp,
      hasModel: model !== undefined,
      authenticate: (body, source) => access.authenticate(body, source),
      limits,
      timeSlices,
      quotaWarning: (organizationId) => quotas.warningOf(organizationId),
      ...(auditRead && { auditRead }),
      isSignUpOpen: config.signUp,
      publicUrl: config.publicUrl,
      isEncrypted: config.publicUrl.startsWith("https://"),
      notify: (notification) => notifyChange(notification, { records, knex: catalog.transactions }),
      ...signIn,
      proxyCount: config.proxyCount,
      readiness,
      subscriptions: jobs.subscriptions,
      exportFiles: files,
      jobs: () => jobs.observed(),
      isRotating: () => isRotating(catalog.knex, cipher),
      assets: openAssets(),
      openapi: () => (openapi ??= createOpenapi(described)),
    });
    const listener = app.callback();
    const server = createHttpServer({
      // Koa answers every failure of its handlers.
      listener: (request, response) => void listener(request, response),
      proxyCount: config.proxyCount,
    });
    if (metrics && shownAt?.kind === "port") {
      const port = await openMetricsPort(metrics, shownAt.port);
      closes.push(() => port.close());
      logger.info({ url: port.url }, "metrics are on a port of this machine");
    }
    const url = await listen(server, config);
    closes.push(createServerClose(server));
    const door = await openOperatorDoor({
      dataDir: config.dataDir,
      log: logger,
      questions: operatorQuestions({
        catalog,
        store: () => store(config.store),
        secret,
        secretKey: cipher.keyId,
        url,
        readiness,
        quota: (said) => answerQuota(said, { quotas, records }),
        moves: createMoves({
          records,
          connections,
          outbox,
          stores: storeSlugs,
          questionMs: config.pluginTimeoutMs,
          async onSwitched() {
            memory.forget();
            // Others may start once nothing is left in the folder of this host.
            if (connections.elsewhere?.size === 0) await former?.close();
          },
        }),
      }),
    });
    if (door) closes.push(() => door.close());
    // The port of links was not known before.
    if (publicUrl === `http://${config.host}:0`) publicUrl = url;
    logger.info({ url, dataDir: config.dataDir }, "the host listens");
    const createSignInLink = async (pair: { readonly key: string; readonly token: string }) =>
      `${url}/#sign-in=${await signIn.sessions.createLink(pair)}`;
    const fillLedger = (past: PastOfAlert) => jobs.fillLedger(past);
    return { url, madeCredentials, createSignInLink, fillLedger, close };
  } catch (failure) {
    await close();
    throw failure;
  }
}

/** @throws {Error} that names the setting */
function readQuotas(text: string): Limits {
  try {
    return parseLimits(text);
  } catch (cause) {
    throw new Error(`MANIFOLD_QUOTAS ${messageOf(cause)}`, { cause });
  }
}
