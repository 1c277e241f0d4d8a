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
import type { Account, CallSource, Scim, Sessions, SignIn, SignOn } from "../identity/index.ts";
import type { Subscriptions } from "../jobs/index.ts";
import type { Assistant } from "../assistant/index.ts";
import type { Assets } from "./assets/index.ts";
import type { ExportFiles } from "../exports/index.ts";
import type { Readiness } from "./server/index.ts";
import {
  answerAccount,
  answerMcp,
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
  createTurns,
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
  type CallLimits,
} from "./middleware/index.ts";

export interface AppParts {
  readonly logger: Logger;
  readonly handlers: Handlers;
  /** Returns the principal of the `key` and `token` of a body. */
  authenticate(envelope: Readonly<Record<string, unknown>>, source: CallSource): Promise<Principal>;
  readonly signIn: SignIn;
  /** Answers a message of MCP; without it there is no `/mcp`. */
  readonly answerMcp?: Assistant["answerMcp"];
  /** A model is configured: the console shows what it can be asked. */
  readonly hasModel?: boolean;
  /** Takes what a plugin says of its data. */
  notify(notification: Notification): Promise<{ readonly count: number }>;
  readonly limits: CallLimits;
  /** The turns of the main thread, in which large bodies are parsed. */
  readonly timeSlices?: Pick<TimeSlices, "begin">;
  /** Counts what the host does; without it nothing is counted. */
  readonly metrics?: Metrics | undefined;
  /** Whoever has it reads `/metrics`; without it there is no such path. */
  readonly metricsToken?: string | undefined;
  /** Writes who read what; without it, reads are not audited. */
  readonly auditRead?: ReadAudit;
  /** Names the soft limits that an organization has passed. */
  readonly quotaWarning?: (organizationId: string) => string | undefined;
  /** Reverse proxies in front of the host, whose X-Forwarded-For is believed. */
  readonly proxyCount: number;
  readiness(): Promise<Readiness>;
  /** Counts of the work by the clock, for `/readyz`; undefined when they are not known in time. */
  jobs?(): Promise<unknown>;
  openapi(): unknown;
  /** A change of the host's secret is under way. */
  isRotating?(): Promise<boolean>;
  /** The files that browsers load; without them there is no console and no `/embed.js`. */
  readonly assets?: Assets;
  /** Files behind the links of exports; without them no link opens. */
  readonly exportFiles?: Pick<ExportFiles, "open">;
  /** Links in mails; without them no link is valid. */
  readonly subscriptions?: Subscriptions;
  /** Milliseconds within which a client must read some bytes of its answer. */
  readonly stallMs?: number;
  /** How long a body may take to arrive. */
  readonly bodyTimes?: BodyTimes;
  /** Callers reach the host over https alone. */
  readonly isEncrypted?: boolean;
  /** Where callers reach the host. */
  readonly publicUrl?: string;
  /** Sessions of the console; without them nobody signs in by a cookie. */
  readonly sessions?: Sessions;
  /** Actions of people on their account; without it, and without sessions, there is no `/auth/account`. */
  readonly account?: Account;
  /** Sign-on by providers; without it, and without sessions, nobody signs on. */
  readonly signOn?: SignOn;
  /** Users and groups that providers keep; without it there is no `/scim`. */
  readonly scim?: Scim;
  /** Whoever has no key pair may make a user and an organization. */
  readonly isSignUpOpen?: boolean;
}

/** How a call ends when its client is gone, in its body or in its answer. */
const goneCodes = ["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE", "HPE_INVALID_EOF_STATE"];

const defaultStallMs = 60_000;
/** Memory that all bodies share, unfinished ones included. */
const bodiesBytes = 256 * 2 ** 20;

/** Assembles the middleware stack and every mount of the API. It listens nowhere and opens nothing. */
export function createApp(parts: AppParts): Koa {
  const { proxyCount, limits, bodyTimes, isSignUpOpen = false, stallMs = defaultStallMs } = parts;
  const budget = createBodyBudget(bodiesBytes);
  const turns = createTurns();
  const bodies = { budget, turns, calls: limits, ...(bodyTimes && { times: bodyTimes }) };
  const identify = createIdentify({ ...parts, isSignUpOpen });
  const { isEncrypted = false, publicUrl = "" } = parts;
  const cookies = createSessionCookies({ isEncrypted, publicUrl });
  const isKnownDevice = (ctx: Koa.Context) => cookies.readDevice(ctx) !== undefined;
  const app = new Koa(proxyCount > 0 ? { proxy: true, maxIpsCount: proxyCount } : {});
  const router = new Router();

  router.get("/healthz", (ctx) => {
    ctx.body = { status: "alive" };
  });
  router.get("/readyz", async (ctx) => {
    const { ready, parts: states } = await parts.readiness();
    ctx.status = ready ? 200 : 503;
    const jobs = ready ? await parts.jobs?.() : undefined;
    const isRotating = ready && ((await parts.isRotating?.()) ?? false);
    ctx.body = {
      status: ready ? "ready" : "not ready",
      ...states,
      ...(isRotating && { secret: "rotating" }),
      ...(jobs !== undefined && { jobs }),
    };
  });
  if (parts.metrics && parts.metricsToken !== undefined)
    router.get("/metrics", metricsPage(parts.metrics, parts.metricsToken, limits));
  router.get("/openapi.json", (ctx) => {
    ctx.body = parts.openapi();
  });
  if (parts.assets) {
    const serve = serveAssets(parts.assets);
    router.register("/embed.js", ["GET"], [serve]);
    router.get("/shared/:key", sharedPage(parts));
    router.get("/chart-frame", chartFrame("outer"));
    router.get("/chart-frame/content", chartFrame("inner"));
    router.register("/assets/:file", ["GET"], [serve]);
    const page = consolePage(parts.assets);
    router.get("/", page);
    for (const path of pagePaths) {
      router.get(`/${path}`, page);
      router.get(`/${path}/*below`, page);
    }
  }
  router.register(
    "/0.1.0/:resource",
    [...methods],
    [
      findResource(parts.handlers),
      body({
        ...bodies,
        identify,
        ...(parts.timeSlices && { timeSlices: parts.timeSlices }),
        limitsOf: (resource) => bodyLimitsOf(resource ?? ""),
        senderLimitsOf,
        ...(parts.sessions && { sessionOf: cookies.read }),
      }),
      dispatch({ ...parts, stallMs }),
    ],
  );
  router.all("/0.1.0/:resource", (ctx) => {
    throw new ApiError("METHOD_UNKNOWN", [ctx.method]);
  });

  if (parts.exportFiles)
    router.get(
      "/exports/:token",
      exportFile(parts.exportFiles, { limits, stallMs, auditRead: parts.auditRead }),
    );
  if (parts.subscriptions) {
    const { subscriptions } = parts;
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
        ctx.body = await parts.signIn(given, {
          address: ctx.ip,
          requestId,
          device,
          knownDevice: cookies.readDevice(ctx),
          remember: (remembered) => cookies.writeDevice(ctx, remembered),
        });
      },
    ],
  );

  if (parts.sessions) {
    const features = { assistant: parts.hasModel === true };
    const signing = { sessions: parts.sessions, cookies, features };
    const read = body({ ...bodies, limitsOf: () => signInLimits });
    router.register("/auth/session", ["GET"], [showSession(signing)]);
    const begin = body({ ...bodies, limitsOf: () => signInLimits, isLetIn: isKnownDevice });
    router.register("/auth/session", ["POST"], [begin, beginSession(signing)]);
    router.register("/auth/session", ["DELETE"], [endSession(signing)]);
    router.register("/auth/passkey", ["POST"], [read, beginPasskey(signing)]);
    if (parts.account) {
      const { account, authenticate } = parts;
      const own = answerAccount({ account, cookies, limits, authenticate });
      for (const path of account.paths)
        router.register(`/auth/account/${path}`, ["POST"], [read, own]);
    }
    if (parts.signOn) {
      const signingOn = { signOn: parts.signOn, cookies };
      router.get("/auth/sso", signOnChoices(signingOn));
      router.register("/auth/sso/:id", ["GET"], [beginSignOn(signingOn)]);
      router.register("/auth/sso/:id/callback", ["GET"], [finishSignOn(signingOn)]);
    }
  }

  if (parts.scim) {
    const scim = { scim: parts.scim, limits };
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
        const pluginId = String(ctx["params"]?.id);
        const secret = ctx.get("X-Secret");
        try {
          ctx.body = await parts.notify({ pluginId, secret, body: ctx.state.body });
        } catch (failure) {
          if (failure instanceof ApiError && failure.code === "UNAUTHORIZED") limits.failed(ctx.ip);
          throw failure;
        }
      },
    ],
  );

  if (parts.answerMcp) {
    const { authenticate, answerMcp: answer, auditRead } = parts;
    const mcp = { authenticate, limits, publicUrl, answer, ...(auditRead && { auditRead }) };
    const read = body({ ...bodies, limitsOf: () => bodyLimitsOf("mcp") });
    router.register("/mcp", ["POST"], [identifyMcp(mcp), read, answerMcp(mcp)]);
    router.all("/mcp", (ctx) => {
      ctx.set("Allow", "POST");
      throw new ApiError("METHOD_UNKNOWN", [ctx.method]);
    });
  }

  app.use(requestId);
  app.use(trace(parts.metrics));
  app.use(log(parts.logger));
  app.use(createSecurityHeaders(isEncrypted));
  app.use(cors);
  app.use(errors(parts.logger));
  app.use(router.routes());
  if (parts.assets) app.use(lostPage(parts.assets));
  app.use((ctx) => {
    throw new ApiError("PATH_UNKNOWN", [JSON.stringify(ctx.path.slice(0, 200))]);
  });
  app.on("error", (failure: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    const requestId: unknown = ctx?.state["requestId"];
    if (goneCodes.includes(failure.code ?? ""))
      parts.logger.info({ requestId }, "the client left before the end of its answer");
    else parts.logger.error({ requestId, err: failure }, "the answer could not be sent whole");
  });
  return app;
}
