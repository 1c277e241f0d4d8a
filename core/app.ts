import Koa from "koa";
import Router from "@koa/router";
import type { Logger } from "pino";
import type { Principal } from "./access/principal.ts";
import type { SignIn } from "./access/index.ts";
import { ApiError } from "./errors.ts";
import {
  body,
  cors,
  dispatch,
  errors,
  findResource,
  log,
  methods,
  requestId,
  securityHeaders,
  type CallLimits,
  type Handlers,
} from "./middleware/index.ts";

export interface AppParts {
  readonly logger: Logger;
  readonly handlers: Handlers;
  authenticate(body: Readonly<Record<string, unknown>>): Promise<Principal>;
  readonly signIn: SignIn;
  readonly limits: CallLimits;
  /** Reverse proxies in front of the host, whose X-Forwarded-For is believed. */
  readonly proxyCount: number;
  /** The state of each part by name; `ready` when all of them answer. */
  readiness(): Promise<{
    readonly ready: boolean;
    readonly parts: Readonly<Record<string, string>>;
  }>;
  readonly openapi: unknown;
  /** Milliseconds in which a client has to read something of its answer. */
  readonly stallMs?: number;
  /** Whoever has no key pair may make a user and an organization. */
  readonly isSignUpOpen?: boolean;
}

/** How the writing of an answer ends when its client is gone. */
const goneCodes = ["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"];

const signInLimits = { sizeBytes: 16 * 2 ** 10, depth: 8 };
const defaultStallMs = 60_000;
const bodyLimits = { sizeBytes: 64 * 2 ** 20, depth: 64 };

/** Assembles the middleware stack and every mount of the API. It listens nowhere and opens nothing. */
export function createApp(parts: AppParts): Koa {
  const { proxyCount, stallMs = defaultStallMs } = parts;
  const app = new Koa(proxyCount > 0 ? { proxy: true, maxIpsCount: proxyCount } : {});
  const router = new Router();

  router.get("/healthz", (ctx) => {
    ctx.body = { status: "alive" };
  });
  router.get("/readyz", async (ctx) => {
    const { ready, parts: states } = await parts.readiness();
    ctx.status = ready ? 200 : 503;
    ctx.body = { status: ready ? "ready" : "not ready", ...states };
  });
  router.get("/openapi.json", (ctx) => {
    ctx.body = parts.openapi;
  });
  router.register(
    "/0.1.0/:resource",
    [...methods],
    [findResource(parts.handlers), body(bodyLimits), dispatch({ ...parts, stallMs })],
  );
  router.all("/0.1.0/:resource", (ctx) => {
    throw new ApiError("METHOD_UNKNOWN", [ctx.method]);
  });

  router.register(
    "/auth/vi",
    ["POST"],
    [
      body(signInLimits),
      async (ctx) => {
        const { requestId, body: given } = ctx["state"];
        ctx.body = await parts.signIn(given, { address: ctx.ip, requestId });
      },
    ],
  );

  app.use(requestId);
  app.use(log(parts.logger));
  app.use(securityHeaders);
  app.use(cors);
  app.use(errors(parts.logger));
  app.use(router.routes());
  app.use((ctx) => {
    throw new ApiError("PATH_UNKNOWN", [JSON.stringify(ctx.path.slice(0, 200))]);
  });
  app.on("error", (failure: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    const requestId: unknown = ctx?.["state"]["requestId"];
    if (goneCodes.includes(failure.code ?? ""))
      parts.logger.info({ requestId }, "the client left before the end of its answer");
    else parts.logger.error({ requestId, err: failure }, "the answer could not be sent whole");
  });
  return app;
}
