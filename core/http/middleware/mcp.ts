import type { Context, Middleware } from "koa";
import type { ReadAudit } from "../../catalog/index.ts";
import type { CallSource } from "../../identity/index.ts";
import { ApiError, type Principal } from "../../base/index.ts";
import type { BodyState } from "./body.ts";
import type { CallLimits } from "./limits.ts";

/** The caller of the MCP server, and how long the caller waits for its response. */
export interface McpCaller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly address: string;
  readonly signal: AbortSignal;
}

export interface McpOptions {
  /**
   * The host's public URL. Pages of this origin may call the MCP server, and so may loopback pages with the host's
   * port.
   */
  readonly publicUrl: string;
  authenticate(envelope: Readonly<Record<string, unknown>>, source: CallSource): Promise<Principal>;
  readonly limits: Pick<CallLimits, "admit" | "failed" | "called">;
  /** Records who reads which records. Without it, reads are not audited. */
  readonly auditRead?: ReadAudit;
  answer(request: Request, message: unknown, caller: McpCaller): Promise<Response>;
}

/** The headers with which clients send a key and its token instead of the header `Authorization`, in lower case. */
const pairHeaders = [
  ["authkey", "authtoken"],
  ["x-luzmo-key", "x-luzmo-token"],
] as const;
/** Headers about the caller and the body. They are not passed on to the MCP server. */
const ownHeaders = new Set([
  ...pairHeaders.flat(),
  "authorization",
  "connection",
  "content-encoding",
  "content-length",
  "cookie",
  "host",
  "transfer-encoding",
]);

/**
 * Identifies the caller of the MCP server by a key pair: `Authorization: Bearer <key>:<token>`, Basic with the key as
 * the user and the token as the password, or one of the pairs of headers. The body is read afterwards. Pages of other
 * origins are refused, which MCP requires of servers to prevent DNS rebinding.
 * @throws {ApiError} ORIGIN_REFUSED, UNAUTHORIZED, CREDENTIALS_TOO_MANY, CALLS_TOO_MANY
 */
export function identifyMcp({
  authenticate,
  limits,
  publicUrl,
}: McpOptions): Middleware<BodyState> {
  return async (ctx, next) => {
    limits.admit(ctx.ip);
    const origin = ctx.get("Origin");
    const { localPort } = ctx.req.socket;
    if (origin !== "" && !isOwnOrigin(origin, publicUrl, localPort))
      throw new ApiError("ORIGIN_REFUSED");
    const source = { address: ctx.ip, origin: ctx.get("Origin") || undefined };
    ctx.state.principal = await authenticate(pairOf(ctx), source).catch((failure: unknown) => {
      if (failure instanceof ApiError && failure.code === "UNAUTHORIZED") limits.failed(ctx.ip);
      throw failure;
    });
    limits.called(ctx.state.principal.authorizationId);
    await next();
  };
}

/** Passes the message to the MCP server and streams its answer to the client. */
export function answerMcp({ answer, auditRead }: McpOptions): Middleware<BodyState> {
  return async (ctx) => {
    const { principal, requestId, signal, body } = ctx.state;
    if (!principal) throw new ApiError("UNAUTHORIZED");
    const caller = { principal, requestId, address: ctx.ip, signal };
    // Audit the call here, because tools use the API's actions directly, which bypasses the audit of calls.
    if (body["method"] === "tools/call")
      await auditRead?.({ ...caller, resource: "mcp", action: "get", body }, ctx.ip);
    const headers = new Headers();
    for (const [name, value] of Object.entries(ctx.headers))
      if (value !== undefined && !ownHeaders.has(name))
        headers.set(name, [value].flat().join(", "));
    // The MCP server uses only the path of the URL.
    const request = new Request("http://localhost/mcp", { method: "POST", headers, signal });
    const response = await answer(request, body, caller);
    ctx.status = response.status;
    for (const [name, value] of response.headers) ctx.set(name, value);
    ctx.body = response.body ?? "";
  };
}

/**
 * Returns whether an origin is the host's own: its public address, or a loopback name with the port on which it
 * listens. The Host header proves nothing, because a DNS rebinding page can choose it.
 */
function isOwnOrigin(origin: string, publicUrl: string, port: number | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const own = ["localhost", "127.0.0.1", "[::1]"].map((name) => `http://${name}:${port}`);
  return [publicUrl, ...own].some((each) => URL.canParse(each) && new URL(each).origin === origin);
}

function pairOf(ctx: Context): Readonly<Record<string, string>> {
  const authorization = ctx.get("Authorization");
  if (authorization === "") {
    const sent = pairHeaders.find(([key]) => ctx.get(key) !== "");
    return sent ? { key: ctx.get(sent[0]), token: ctx.get(sent[1]) } : {};
  }
  const [, scheme = "", given = ""] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization) ?? [];
  const text =
    scheme.toLowerCase() === "basic" ? Buffer.from(given, "base64").toString("utf8") : given;
  const colon = text.indexOf(":");
  return colon < 0 ? {} : { key: text.slice(0, colon), token: text.slice(colon + 1) };
}
