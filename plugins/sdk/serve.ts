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
import { checkSecret, readBody, readCredentials, readUser } from "./readCall.ts";

export interface ServeOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** The address to listen on; 127.0.0.1 unless told, so that nobody else reaches it by accident. */
  readonly host?: string;
  /**
   * The value that X-Secret must have, or a list of them: the secrets before and after a change. Without it everyone is
   * answered.
   */
  readonly secret?: string | readonly string[];
  /** Largest body that is read; 64 MB unless told. */
  readonly bodyBytes?: number;
  /** Hears of what callers are not shown. Writes to the standard error stream unless told. */
  readonly onError?: (failure: unknown) => void;
}

/** A plugin that listens. */
export interface Served {
  readonly url: string;
  /** Ends the calls under way and stops listening. The plugin itself stays open. */
  close(): Promise<void>;
}

/**
 * Serves a plugin over HTTP, to hosts of every protocol version: /query answers an array of rows, or
 * columns when the header `X-Manifold-Protocol: manifold-1` asks for them.
 * @throws {Error} when the port is taken
 */
export async function serve(plugin: Plugin, options: ServeOptions = {}): Promise<Served> {
  const { port = 0, host = "127.0.0.1", secret } = options;
  const bodyBytes = options.bodyBytes ?? 64 * 2 ** 20;
  const onError = options.onError ?? ((failure) => console.error(failure));
  const closing = new AbortController();
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => {
    try {
      if (secret !== undefined) checkSecret(ctx.req.headers, [secret].flat());
      await next();
      if (ctx.body === undefined) {
        ctx.status = 404;
        ctx.body = {
          type: { code: 404, description: "Not Found" },
          message: "there is nothing here",
        };
      }
    } catch (failure) {
      // A caller who hangs up ends the work: that is no failure of the plugin.
      const isLeft = ctx.res.closed && failure instanceof Error && failure.name === "AbortError";
      if (!isLeft && (!(failure instanceof PluginError) || failure.status === 500))
        onError(failure);
      const body = errorBody(failure);
      ctx.status = body.type.code;
      ctx.body = body;
    }
    // A body that was not read to its end would be taken for the next request; and a closing server
    // waits for connections that are kept.
    if (!ctx.req.complete || closing.signal.aborted) ctx.set("Connection", "close");
  });
  app.use(routes(plugin, bodyBytes, closing.signal).routes());
  const listener = app.callback();
  // Koa answers every failure of its handlers.
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
        throw new PluginError("PLUGIN_MALFORMED", ["code is not a text"]);
      return plugin.exchange({ ...call, code });
    }),
  );
  router.post(
    "/query",
    on(async (call, body, ctx) => {
      const query = parseQuery(body);
      const batch = await plugin.query({ ...call, query });
      const isColumnar = ctx.get("X-Manifold-Protocol") === "manifold-1";
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
      return plugin.write({ ...call, write: parseWrite(write) });
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

/** A plugin whose promises depend on a probe acknowledges filters in its own answer, or none. */
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
