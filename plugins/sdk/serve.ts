import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Router, { type RouterContext } from "@koa/router";
import Koa from "koa";
import {
  type Call,
  columnarOfBatch,
  parseQuery,
  parseWrite,
  type Plugin,
  PluginError,
  type Query,
  rowsOfBatch,
} from "../protocol/index.ts";
import { appliedFilters } from "./appliedFilters.ts";
import { errorBody } from "./errorBody.ts";
import { offeredForms } from "./offeredForms.ts";
import { checkSecret, readBody, readCredentials, readUser } from "./readCall.ts";

/** The address, secrets and limits with which `serve` accepts requests. */
export interface ServeOptions {
  /**
   * Port to listen on, from 0 to 65535. With 0, the system chooses a free port.
   * @default 0
   */
  readonly port?: number;
  /**
   * Address to listen on. With the default, only programs on the same machine can reach the plugin.
   * @default "127.0.0.1"
   */
  readonly host?: string;
  /**
   * The secret that the header X-Secret of every request must contain. A list accepts several secrets, for instance the
   * old and the new secret while a secret is replaced. Absent: every caller is served.
   */
  readonly secret?: string | readonly string[];
  /**
   * Maximum size of a request body in bytes. Larger bodies are refused with PLUGIN_MALFORMED.
   * @default 67108864 (64 MiB)
   */
  readonly bodyBytes?: number;
  /**
   * Called with unexpected errors. Callers do not see the details of these errors.
   * @default writes the error to the standard error stream
   */
  readonly onError?: (failure: unknown) => void;
}

/** A plugin that is being served. */
export interface Served {
  /** Address of the plugin, without a trailing slash. */
  readonly url: string;
  /** Stops listening and cancels the running calls. Does not close the plugin. */
  close(): Promise<void>;
}

/**
 * Serves a plugin over HTTP to hosts of every protocol version. /query returns columns if the request has the header
 * `X-Manifold-Protocol: manifold-1`, and an array of rows otherwise.
 * @throws {Error} if the port is in use
 */
export async function serve(plugin: Plugin, options: ServeOptions = {}): Promise<Served> {
  const { port = 0, host = "127.0.0.1", secret } = options;
  const bodyBytes = options.bodyBytes ?? 64 * 2 ** 20;
  const onError = options.onError ?? ((failure) => console.error(failure));
  const closing = new AbortController();
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => {
    // Tells hosts which protocol they can speak, even if the answer is an error.
    ctx.set("X-Manifold-Protocol", "manifold-1");
    try {
      if (secret !== undefined) checkSecret(ctx.req.headers, [secret].flat());
      await next();
      if (ctx.body === undefined) {
        ctx.status = 404;
        ctx.body = {
          type: { code: 404, description: "Not Found" },
          message: "this path does not exist",
        };
      }
    } catch (failure) {
      // A caller that disconnects cancels the work, so this error is not a failure of the plugin.
      const isLeft = ctx.res.closed && failure instanceof Error && failure.name === "AbortError";
      if (!isLeft && (!(failure instanceof PluginError) || failure.status === 500))
        onError(failure);
      const body = errorBody(failure);
      ctx.status = body.type.code;
      ctx.body = body;
    }
    // The connection must close: otherwise, the rest of an unread body would be parsed as the next request, and a
    // closing server would wait for connections that are kept alive.
    if (!ctx.req.complete || closing.signal.aborted) ctx.set("Connection", "close");
  });
  app.use(routes(plugin, bodyBytes, closing.signal).routes());
  const listener = app.callback();
  // The promise never rejects, because Koa itself answers failures inside its handlers.
  const server = createServer((request, response) => void listener(request, response));
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((failure) => (failure ? reject(failure) : resolve()));
        closing.abort();
        server.closeIdleConnections();
      }),
  };
}

function routes(plugin: Plugin, bodyBytes: number, closing: AbortSignal): Router {
  const router = new Router();
  const on =
    (
      answer: (call: Call, body: Readonly<Record<string, unknown>>, ctx: RouterContext) => unknown,
    ) =>
    async (ctx: RouterContext) => {
      const gone = new AbortController();
      ctx.res.once("close", () => gone.abort());
      const body = await readBody(ctx.req, bodyBytes);
      const signal = AbortSignal.any([gone.signal, closing]);
      const credentials = readCredentials(ctx.req.headers, body);
      ctx.body = JSON.stringify(
        await answer({ credentials, signal, ...readUser(body) }, body, ctx),
      );
      ctx.type = "application/json";
    };
  const datasets = on((call) => plugin.datasets(call));
  router.get(
    "/capabilities",
    on(() => ({ ...plugin.capabilities, ...(plugin.capabilitiesOf && { probed: true }) })),
  );
  router.post(
    "/capabilities",
    on(
      async (call) =>
        (await plugin.capabilitiesOf?.(call)) ?? { capabilities: plugin.capabilities, demoted: [] },
    ),
  );
  router.get("/datasets", datasets);
  router.post("/datasets", datasets);
  router.post(
    "/authorize",
    on(async (call) => {
      const authUrl = (await plugin.authorize?.(call))?.authUrl;
      return authUrl === undefined ? { ok: true } : { auth_url: authUrl };
    }),
  );
  router.post(
    "/exchange",
    on((call, { code }) => {
      if (!plugin.exchange) throw new PluginError("PLUGIN_NOT_OFFERED", ["exchange"]);
      if (typeof code !== "string")
        throw new PluginError("PLUGIN_MALFORMED", ["code must be a string"]);
      return plugin.exchange({ ...call, code });
    }),
  );
  router.post(
    "/query",
    on(async (call, body, ctx) => {
      const isColumnar = ctx.get("X-Manifold-Protocol") === "manifold-1";
      const parsed = parseQuery(body);
      const query = isColumnar ? parsed : offeredForms(parsed, plugin.capabilities);
      const batch = await plugin.query({ ...call, query });
      if (!isColumnar) return rowsOfBatch(batch);
      const applied = batch.applied ?? (await promisedFilters(plugin, call, query));
      return columnarOfBatch({ ...batch, applied });
    }),
  );
  router.post(
    "/write",
    on((call, { write }) => {
      if (!plugin.write || !plugin.capabilities.write)
        throw new PluginError("PLUGIN_NOT_OFFERED", ["writes"]);
      const parsed = parseWrite(write);
      if (parsed.action === "update" && !plugin.capabilities.update)
        throw new PluginError("PLUGIN_NOT_OFFERED", ["updates of rows"]);
      return plugin.write({ ...call, write: parsed });
    }),
  );
  router.get(
    "/health",
    on(async ({ signal }) => {
      await plugin.health?.({ signal });
      return { status: "ok" };
    }),
  );
  return router;
}

/**
 * Returns the filters that the plugin promises to apply exactly. Empty if the plugin's capabilities depend on a probe,
 * because the plugin must then acknowledge filters itself.
 */
async function promisedFilters(
  plugin: Plugin,
  call: Call,
  query: Query,
): Promise<readonly number[]> {
  if (query.filters.length === 0 || plugin.capabilitiesOf) return [];
  return appliedFilters(query, plugin.capabilities, await plugin.datasets(call));
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
