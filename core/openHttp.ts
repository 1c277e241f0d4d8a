import { listen, loopbackUrl, openMetricsPort } from "./base/index.ts";
import { answerQuota, connectionCounts } from "./catalog/index.ts";
import {
  createApp,
  createHandlers,
  createHttpServer,
  createOpenapi,
  createReadiness,
  createServerClose,
  openAssets,
} from "./http/index.ts";
import { openAct } from "./openAct.ts";
import { createPasswordLinks, type OwnerChoice } from "./identity/index.ts";
import type { Identity } from "./openIdentity.ts";
import type { Storage } from "./openStorage.ts";
import type { Work } from "./openWork.ts";
import { createMoves, isRotating, openOperatorDoor, operatorRequests } from "./operating/index.ts";
import type { OwnerLink } from "./ownerLink.ts";
import { createPushRequests, notifyChange, openUploads, storeSlugs } from "./sources/index.ts";
import type { Start } from "./start.ts";

/** Returns the URL of a sign-in link. Browsers do not send the secret, because it is in the fragment. */
const signInUrl = (url: string, secret: string) => `${url}/#sign-in=${secret}`;

/**
 * Opens the last step of a host: handlers, middleware, pages, the server, and the server's socket for operator
 * commands.
 */
export function openHttp(start: Start, storage: Storage, identity: Identity, work: Work) {
  const { config, log, metrics, metricsAt, publicUrl, now } = start;
  const { catalog, cipher, records, memory, quotas, usage, connections } = storage;
  const { access, visits, limits, auditRead, fetchOf, signIn } = identity;
  const { outbox, kernel, queries, synchronizer, jobs, spendJob, model, exports } = work;
  return openAct("the server", start, async (opening) => {
    const uploads = await openUploads({ config, knex: catalog.knex, log });
    opening.defer(() => uploads.close());
    const passwordLinks = createPasswordLinks({
      records,
      knex: catalog.knex,
      limits,
      noteRefusal: identity.noteRefusal,
      publicUrl,
      mail: jobs.mailLink,
      forget: () => access.forget(),
      log,
      ...(start.tokenNow && { now: start.tokenNow }),
    });
    opening.defer(() => passwordLinks.close());
    const { handlers, answerMcp } = createHandlers({
      invite: passwordLinks.invite,
      uploads,
      fetchOf,
      publicUrl,
      exports,
      model,
      config,
      quotas,
      usage,
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
      log,
      ...(now && { now }),
    });
    metrics?.watch({
      jobs: () => jobs.observed(),
      outbox: () => outbox.observed(),
      async quotas() {
        const states = config.metricsOrganizations.map(async (organizationId) =>
          (await quotas.states(organizationId)).map((state) => ({ organizationId, ...state })),
        );
        return (await Promise.all(states)).flat();
      },
      store: storage.figures,
      cache: () => queries.cacheFigures(),
      connections: () => connectionCounts([catalog.knex, catalog.transactions]),
    });
    const readiness = createReadiness({
      checks: { catalog: () => catalog.ready(), store: storage.check },
    });
    const described = { handlers, declarations: kernel.declarations, url: config.publicUrl };
    // The document is written when it is first requested, because writing it at the start would take 15 ms.
    let openapi: unknown;
    const app = createApp({
      logger: log,
      publicUrl: config.publicUrl,
      proxyCount: config.proxyCount,
      metrics: metrics && {
        counts: metrics,
        token: metricsAt?.kind === "token" ? metricsAt.token : undefined,
      },
      api: {
        handlers,
        authenticate: (body, source) => access.authenticate(body, source),
        limits,
        dashboardName: async (id) => (await records.find("securable", { id }))[0]?.name,
        notify: (notification) =>
          notifyChange(notification, { records, knex: catalog.transactions }),
        readiness,
        openapi: () => (openapi ??= createOpenapi(described)),
        isSignUpOpen: config.signUp,
        timeSlices: work.timeSlices,
        auditRead,
        quotaWarning: (organizationId) => quotas.warningOf(organizationId),
      },
      people: { ...signIn, passwordLinks },
      work: {
        jobs: () => jobs.observed(),
        isRotating: () => isRotating(catalog.knex, cipher),
        exportFiles: exports.files,
        subscriptions: jobs.subscriptions,
      },
      assistant: { answerMcp, hasModel: model !== undefined },
      assets: openAssets(),
    });
    const listener = app.callback();
    const server = createHttpServer({
      // The promise never rejects, because Koa handles the failures of its handlers.
      listener: (request, response) => void listener(request, response),
      proxyCount: config.proxyCount,
    });
    if (metrics && metricsAt?.kind === "port") {
      const port = await openMetricsPort(metrics, metricsAt.port);
      opening.defer(() => port.close());
      log.info({ url: port.url }, "metrics are served on a port of this machine");
    }
    const url = await listen(server, config);
    opening.defer(createServerClose(server));
    const createOwnerLink = async (choice: OwnerChoice): Promise<OwnerLink> => {
      const base = loopbackUrl(url);
      if (base === undefined)
        throw new Error(
          `sign-in links work only on loopback, and this host listens only on ${config.host}; set MANIFOLD_HOST to 127.0.0.1 or 0.0.0.0, or sign in with a key pair or a password`,
        );
      const { secret, email } = await signIn.sessions.createOwnerLink(choice);
      return { url: signInUrl(base, secret), email };
    };
    const door = await openOperatorDoor({
      dataDir: config.dataDir,
      log,
      requests: operatorRequests({
        catalog,
        store: storage.store,
        secret: storage.secret,
        secretKey: cipher.keyId,
        url,
        readiness,
        quota: (request) => answerQuota(request, { quotas, records }),
        createOwnerLink,
        moves: createMoves({
          records,
          connections,
          outbox,
          stores: storeSlugs,
          questionMs: config.pluginTimeoutMs,
          async onSwitched() {
            memory.forget();
            await storage.releaseFormer();
          },
        }),
      }),
    });
    if (door) opening.defer(() => door.close());
    return {
      url,
      createOwnerLink,
      createSignInLink: async (pair: { readonly key: string; readonly token: string }) =>
        signInUrl(url, await signIn.sessions.createLink(pair)),
    };
  });
}
