import Koa from "koa";
import Router from "@koa/router";
import type { Logger } from "pino";
import {
  ApiError,
  type Handlers,
  type Metrics,
  type Principal,
  type TimeSlices,
} from "../base/index.ts";
import type { Notification } from "../sources/index.ts";
import type { ReadAudit } from "../catalog/index.ts";
import type {
  Account,
  CallSource,
  PasswordLinks,
  Scim,
  Sessions,
  SignIn,
  SignOn,
} from "../identity/index.ts";
import type { Subscriptions } from "../jobs/index.ts";
import type { Assistant } from "../assistant/index.ts";
import type { Assets } from "./assets/index.ts";
import type { ExportFiles } from "../exports/index.ts";
import type { Readiness } from "./server/index.ts";
import {
  answerAccount,
  answerMcp,
  answerPasswordLink,
  answerScim,
  beginPasskey,
  beginSession,
  beginSignOn,
  body,
  bodyLimitsOf,
  type BodyTimes,
  consolePage,
  cors,
  createBodyBudget,
  createIdentify,
  createSessionCookies,
  createPacing,
  dispatch,
  endSession,
  errors,
  exportFile,
  findResource,
  finishSignOn,
  identifyMcp,
  identifyScim,
  log,
  methods,
  metricsPage,
  lostPage,
  pagePaths,
  requestId,
  resubscribePage,
  scimType,
  createSecurityHeaders,
  showSession,
  senderLimitsOf,
  serveAssets,
  sharedPage,
  chartFrame,
  signInLimits,
  signOnChoices,
  trace,
  unsubscribePage,
  uploadForm,
  type CallLimits,
} from "./middleware/index.ts";

/** The services behind the calls of the API, and their limits. */
export interface ApiParts {
  readonly handlers: Handlers;
  /** Returns the principal for the `key` and `token` in a body. */
  authenticate(envelope: Readonly<Record<string, unknown>>, source: CallSource): Promise<Principal>;
  readonly limits: CallLimits;
  /** Returns the localized name of a dashboard, for the page of a private link. */
  dashboardName(id: string): Promise<unknown>;
  /** Handles a plugin's notification that its data changed. */
  notify(notification: Notification): Promise<{ readonly count: number }>;
  readiness(): Promise<Readiness>;
  openapi(): unknown;
  /** Whether people without a key pair may create a user and an organization. */
  readonly isSignUpOpen: boolean;
  /**
   * Time slices of the main thread in which large bodies are parsed. If absent, no body waits for a time slice.
   */
  readonly timeSlices?: Pick<TimeSlices, "begin">;
  /** Records who reads which records. Without it, reads are not audited. */
  readonly auditRead?: ReadAudit | undefined;
  /** Returns a warning that names the soft limits an organization has passed; undefined if it has passed none. */
  readonly quotaWarning?: (organizationId: string) => string | undefined;
  /**
   * Milliseconds after which a client that reads no byte of its response is disconnected.
   *
   * @default 60000
   */
  readonly stallMs?: number;
  /** The time limits for receiving a body. */
  readonly bodyTimes?: BodyTimes;
}

/**
 * The services with which people sign in, and with which identity providers manage accounts. Only `signIn` is required.
 */
export interface PeopleParts {
  readonly signIn: SignIn;
  /** The sessions of the console. If absent, the console has no sessions. */
  readonly sessions?: Sessions;
  /** The service for actions that people perform on their own account. It needs `sessions`. */
  readonly account?: Account;
  /** The links with which people choose a password. They need `sessions`. */
  readonly passwordLinks?: PasswordLinks;
  /** The service for sign-on through identity providers. It needs `sessions`. */
  readonly signOn?: SignOn;
  /** The service through which identity providers manage users and groups (SCIM). */
  readonly scim?: Scim;
}

/** Background work, and the addresses that e-mails and exports contain. */
export interface WorkParts {
  /** Returns counts of the scheduled work, for `/readyz`; undefined if they cannot be read within the time limit. */
  jobs(): Promise<unknown>;
  /** Returns whether the host's secret is being rotated. */
  isRotating(): Promise<boolean>;
  /** Opens the files behind export links. */
  readonly exportFiles: Pick<ExportFiles, "open">;
  /** Handles the unsubscribe links in e-mails. */
  readonly subscriptions: Subscriptions;
}

export interface AppParts {
  readonly logger: Logger;
  /** The URL at which callers reach the host. */
  readonly publicUrl: string;
  /** Number of reverse proxies in front of the host. Their X-Forwarded-For is trusted. */
  readonly proxyCount: number;
  readonly api: ApiParts;
  readonly people: PeopleParts;
  readonly work?: WorkParts;
  /** Answers MCP messages at `/mcp`. `hasModel` says whether the console may use a model. */
  readonly assistant?: { readonly answerMcp: Assistant["answerMcp"]; readonly hasModel: boolean };
  /** The counts of what the host does, and the token with which callers can read them at `/metrics`. */
  readonly metrics?: { readonly counts: Metrics; readonly token: string | undefined } | undefined;
  /** The files that browsers load: the console and `/embed.js`. */
  readonly assets?: Assets;
}

/** Error codes that occur when a client disconnects while it sends its body or reads the response. */
const goneCodes = ["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE", "HPE_INVALID_EOF_STATE"];

const defaultStallMs = 60_000;
/** Maximum memory for all bodies together, including incomplete ones, in bytes. */
const bodiesBytes = 256 * 2 ** 20;

/** Assembles the middleware stack and mounts every part of the API. Does not listen, and opens nothing. */
export function createApp(parts: AppParts): Koa {
  const { logger, publicUrl, proxyCount, api, people, work, assistant, metrics, assets } = parts;
  const { limits, authenticate, auditRead, bodyTimes, stallMs = defaultStallMs } = api;
  const budget = createBodyBudget(bodiesBytes);
  const pacing = createPacing();
  const bodies = { budget, pacing, calls: limits, ...(bodyTimes && { times: bodyTimes }) };
  const identify = createIdentify(api);
  const isEncrypted = publicUrl.startsWith("https://");
  const cookies = createSessionCookies({ isEncrypted, publicUrl });
  const isKnownDevice = (ctx: Koa.Context) => cookies.readDevice(ctx) !== undefined;
  const app = new Koa(proxyCount > 0 ? { proxy: true, maxIpsCount: proxyCount } : {});
  /** The routes of the API, which are matched before all others, because nearly all calls are calls of the API. */
  const calls = new Router();
  const router = new Router();

  router.get("/healthz", (ctx) => {
    ctx.body = { status: "alive" };
  });
  router.get("/readyz", async (ctx) => {
    const { ready, parts: states } = await api.readiness();
    ctx.status = ready ? 200 : 503;
    const jobs = ready ? await work?.jobs() : undefined;
    const isRotating = ready && ((await work?.isRotating()) ?? false);
    ctx.body = {
      status: ready ? "ready" : "not ready",
      ...states,
      ...(isRotating && { secret: "rotating" }),
      ...(jobs !== undefined && { jobs }),
    };
  });
  if (metrics?.token !== undefined)
    router.get("/metrics", metricsPage(metrics.counts, metrics.token, limits));
  router.get("/openapi.json", (ctx) => {
    ctx.body = api.openapi();
  });
  if (assets) {
    const serve = serveAssets(assets);
    router.register("/embed.js", ["GET"], [serve]);
    router.register("/editor.js", ["GET"], [serve]);
    router.get("/shared/:key", sharedPage(api));
    router.get("/chart-frame", chartFrame("outer"));
    router.get("/chart-frame/content", chartFrame("inner"));
    router.register("/assets/:file", ["GET"], [serve]);
    const page = consolePage(assets);
    router.get("/", page);
    for (const path of pagePaths) {
      router.get(`/${path}`, page);
      router.get(`/${path}/*below`, page);
    }
  }
  if (assistant) {
    const answer = assistant.answerMcp;
    const mcp = { authenticate, limits, publicUrl, answer, ...(auditRead && { auditRead }) };
    const read = body({ ...bodies, limitsOf: () => bodyLimitsOf("mcp") });
    // The versioned path is the one that clients of existing hosts use. It must come before the resources.
    for (const path of ["/mcp", "/0.1.0/mcp"]) {
      calls.register(path, ["POST"], [identifyMcp(mcp), read, answerMcp(mcp)]);
      calls.all(path, (ctx) => {
        ctx.set("Allow", "POST");
        throw new ApiError("METHOD_UNKNOWN", [ctx.method]);
      });
    }
  }

  const called = {
    ...bodies,
    identify,
    ...(api.timeSlices && { timeSlices: api.timeSlices }),
    limitsOf: (resource: string | undefined) => bodyLimitsOf(resource ?? ""),
    senderLimitsOf,
    ...(people.sessions && { sessionOf: cookies.read }),
  };
  // The second path names the action too, because descriptions of APIs tell operations apart by their paths.
  for (const path of ["/0.1.0/:resource", "/0.1.0/:resource/:action"]) {
    calls.register(
      path,
      [...methods],
      [findResource(api.handlers), uploadForm(called, body(called)), dispatch({ ...api, stallMs })],
    );
    calls.all(path, (ctx) => {
      throw new ApiError("METHOD_UNKNOWN", [ctx.method]);
    });
  }

  if (work) {
    const { exportFiles, subscriptions } = work;
    router.get("/exports/:token", exportFile(exportFiles, { limits, stallMs, auditRead }));
    router.register("/unsubscribe/:token", ["GET", "POST"], [unsubscribePage(subscriptions)]);
    router.register("/unsubscribe/:token/again", ["POST"], [resubscribePage(subscriptions)]);
  }
  router.register(
    "/auth/vi",
    ["POST"],
    [
      body({ ...bodies, limitsOf: () => signInLimits, isLetIn: isKnownDevice }),
      async (ctx) => {
        const { requestId, body: given } = ctx.state;
        const device = ctx.get("User-Agent") || undefined;
        ctx.body = await people.signIn(given, {
          address: ctx.ip,
          requestId,
          device,
          knownDevice: cookies.readDevice(ctx),
          remember: (remembered) => cookies.writeDevice(ctx, remembered),
        });
      },
    ],
  );

  if (people.sessions) {
    const features = { assistant: assistant?.hasModel === true };
    const signing = { sessions: people.sessions, cookies, features };
    const read = body({ ...bodies, limitsOf: () => signInLimits });
    router.register("/auth/session", ["GET"], [showSession(signing)]);
    const begin = body({ ...bodies, limitsOf: () => signInLimits, isLetIn: isKnownDevice });
    router.register("/auth/session", ["POST"], [begin, beginSession(signing)]);
    router.register("/auth/session", ["DELETE"], [endSession(signing)]);
    router.register("/auth/passkey", ["POST"], [read, beginPasskey(signing)]);
    if (people.account) {
      const { account } = people;
      const own = answerAccount({ account, cookies, limits, authenticate });
      for (const path of account.paths)
        router.register(`/auth/account/${path}`, ["POST"], [read, own]);
    }
    if (people.passwordLinks) {
      const linking = { links: people.passwordLinks, cookies };
      for (const step of ["request", "look", "use"] as const)
        router.register(
          `/auth/password/${step}`,
          ["POST"],
          [read, answerPasswordLink(step, linking)],
        );
    }
    if (people.signOn) {
      const signingOn = { signOn: people.signOn, cookies };
      const mailsLinks = people.passwordLinks?.hasMail === true;
      router.get("/auth/sso", signOnChoices(signingOn, mailsLinks));
      router.register("/auth/sso/:id", ["GET"], [beginSignOn(signingOn)]);
      router.register("/auth/sso/:id/callback", ["GET"], [finishSignOn(signingOn)]);
    }
  }

  if (people.scim) {
    const scim = { scim: people.scim, limits };
    const [identified, answer] = [identifyScim(scim), answerScim(scim)];
    const limitsOf = () => bodyLimitsOf("scim");
    const read = body({ ...bodies, limitsOf, mediaType: scimType });
    for (const path of ["/scim/v2/:config/:kind", "/scim/v2/:config/:kind/:id"]) {
      router.register(path, ["GET", "DELETE"], [identified, answer]);
      router.register(path, ["POST", "PUT", "PATCH"], [identified, read, answer]);
    }
  }

  router.register(
    "/notify/plugin/:id",
    ["POST"],
    [
      body({ ...bodies, limitsOf: () => signInLimits }),
      async (ctx) => {
        const pluginId = String(ctx["params"]?.["id"]);
        const secret = ctx.get("X-Secret");
        try {
          ctx.body = await api.notify({ pluginId, secret, body: ctx.state["body"] });
        } catch (failure) {
          if (failure instanceof ApiError && failure.code === "UNAUTHORIZED") limits.failed(ctx.ip);
          throw failure;
        }
      },
    ],
  );

  app.use(requestId);
  app.use(trace(metrics?.counts));
  app.use(log(logger));
  app.use(createSecurityHeaders(isEncrypted));
  app.use(cors);
  app.use(errors(logger));
  app.use(calls.routes());
  app.use(router.routes());
  if (assets) app.use(lostPage(assets));
  app.use((ctx) => {
    throw new ApiError("PATH_UNKNOWN", [JSON.stringify(ctx.path.slice(0, 200))]);
  });
  app.on("error", (failure: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    const requestId: unknown = ctx?.state["requestId"];
    if (goneCodes.includes(failure.code ?? ""))
      logger.info({ requestId }, "the client disconnected before the response was complete");
    else logger.error({ requestId, err: failure }, "the response could not be sent completely");
  });
  return app;
}
