import type { Context, Middleware } from "koa";
import {
  lacks,
  type BegunSession,
  type SessionCaller,
  type Sessions,
} from "../../identity/index.ts";
import { ApiError, type Principal } from "../../base/index.ts";
import type { BodyState } from "./body.ts";
import type { RequestState } from "./requestId.ts";

/** The header with which the console marks a call as part of its session. Pages of other origins cannot send it. */
const consoleHeader = "X-Manifold-Console";

export interface SessionCookieOptions {
  /** Whether callers reach the host only over https. */
  readonly isEncrypted: boolean;
  /** The URL at which callers reach the host. */
  readonly publicUrl: string;
}

type Cookie = Pick<BegunSession, "value" | "expiresAt">;

/** The session cookies of one host. */
export interface SessionCookies {
  /**
   * Returns the value of the session cookie for a call from a console page; undefined for other calls.
   * @throws {ApiError} SESSION_CROSS_SITE, SESSION_NEEDS_HTTPS
   */
  read(ctx: Context): string | undefined;
  /** Returns the session cookie of a browser that returns from a provider. The new sign-on revokes that session. */
  readFormer(ctx: Context): string | undefined;
  /** Sets the session cookie; undefined removes it. */
  write(ctx: Context, begun: Cookie | undefined): void;
  /** Returns the device secret of a browser that has signed in before; undefined if it is missing or malformed. */
  readDevice(ctx: Context): string | undefined;
  /** Sets the cookie that identifies a browser, if cookies can be set. It outlives sessions. */
  writeDevice(ctx: Context, device: Cookie): void;
  /** Returns the value of the cookie for a sign-on in progress. */
  readAttempt(ctx: Context): string | undefined;
  /**
   * Sets the cookie for a sign-on, which the browser sends back when it returns from the provider; undefined removes
   * it.
   */
  writeAttempt(ctx: Context, begun: Cookie | undefined): void;
}

const loopbackNames = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Returns whether the host name of a call is a loopback name. */
function isLoopbackName(hostname: string): boolean {
  return loopbackNames.test(hostname);
}

/**
 * Creates the reader and writer of session cookies. Over https the cookie is `__Host-…; Secure`. Over plain http it has
 * no such prefix and is set only on loopback, where nobody can intercept it. Its name ends with the port, because
 * browsers share cookies between the ports of a host.
 */
export function createSessionCookies({
  isEncrypted,
  publicUrl,
}: SessionCookieOptions): SessionCookies {
  const publicOrigin = URL.canParse(publicUrl) ? new URL(publicUrl).origin : undefined;
  const isSecure = (ctx: Context) => isEncrypted || ctx.secure;
  const nameOf = (ctx: Context, what: string): string => {
    const port = /:(\d+)$/.exec(ctx.host)?.[1] ?? "";
    return `${isSecure(ctx) ? "__Host-" : ""}manifold-${what}${port && `-${port}`}`;
  };
  const isPlain = (ctx: Context): boolean =>
    !isSecure(ctx) && !isLoopbackName(ctx.host.replace(/:\d+$/, ""));
  const refusePlain = (ctx: Context) => {
    if (isPlain(ctx)) throw new ApiError("SESSION_NEEDS_HTTPS");
  };
  const set = (
    ctx: Context,
    what: string,
    sameSite: "Strict" | "Lax",
    begun: Cookie | undefined,
  ) => {
    const lasts = begun
      ? `Expires=${begun.expiresAt.toUTCString()}`
      : "Expires=Thu, 01 Jan 1970 00:00:00 GMT";
    const secure = isSecure(ctx) ? "; Secure" : "";
    const pair = `${nameOf(ctx, what)}=${begun?.value ?? ""}`;
    ctx.append("Set-Cookie", `${pair}; Path=/; HttpOnly; SameSite=${sameSite}; ${lasts}${secure}`);
  };
  const isOwnPage = (ctx: Context): boolean => {
    const [site, origin] = [ctx.get("Sec-Fetch-Site"), ctx.get("Origin")];
    if (site !== "" && site !== "same-origin") return false;
    if (origin !== "" && origin !== publicOrigin && origin !== `${ctx.protocol}://${ctx.host}`)
      return false;
    return site !== "" || origin !== "";
  };
  return {
    read(ctx) {
      if (ctx.get(consoleHeader) === "") return undefined;
      if (!isOwnPage(ctx)) throw new ApiError("SESSION_CROSS_SITE");
      refusePlain(ctx);
      return cookieOf(ctx.get("Cookie"), nameOf(ctx, "session")) ?? "";
    },
    readFormer: (ctx) => cookieOf(ctx.get("Cookie"), nameOf(ctx, "session")),
    write: (ctx, begun) => set(ctx, "session", "Strict", begun),
    readDevice(ctx) {
      const value = cookieOf(ctx.get("Cookie"), nameOf(ctx, "device"));
      return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
    },
    writeDevice(ctx, device) {
      if (isPlain(ctx)) return;
      set(ctx, "device", "Strict", device);
    },
    readAttempt: (ctx) => cookieOf(ctx.get("Cookie"), nameOf(ctx, "sign-on")),
    // Set SameSite to Lax, because the browser returns from another site.
    writeAttempt(ctx, begun) {
      refusePlain(ctx);
      set(ctx, "sign-on", "Lax", begun);
    },
  };
}

/** Returns the value of the first cookie with the given name. Values of session cookies need no decoding. */
function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const text = part.trim();
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return undefined;
}

export interface SessionOptions {
  readonly sessions: Pick<Sessions, "start" | "offerPasskey" | "resolve" | "end">;
  readonly cookies: SessionCookies;
  /** Optional features of the host. The console hides features that are disabled. */
  readonly features: { readonly assistant: boolean };
}

/**
 * Returns the caller of a call about sessions, with the caller's cookie.
 * @throws {ApiError} SESSION_CROSS_SITE without the console's header
 */
function sessionCallerOf(ctx: Context & { state: RequestState }, cookies: SessionCookies) {
  const session = cookies.read(ctx);
  if (session === undefined) throw new ApiError("SESSION_CROSS_SITE");
  return callerOf(ctx, session === "" ? undefined : session);
}

/**
 * Returns the origin of a call: address, browser and session. `session` is the value of the session cookie, if the call
 * has one.
 */
export function callerOf(
  ctx: Context & { state: RequestState },
  session: string | undefined,
): SessionCaller {
  const { requestId } = ctx.state;
  const origin = ctx.get("Origin") || undefined;
  const device = ctx.get("User-Agent") || undefined;
  return { address: ctx.ip, origin, session, device, requestId, isLocal: isLocal(ctx) };
}

/** Returns whether a call came from this machine: its address and host name are local, and it passed no proxy. */
function isLocal(ctx: Context): boolean {
  const address = (ctx.req.socket.remoteAddress ?? "").replace(/^::ffff:/i, "");
  const isForwarded = ctx.get("X-Forwarded-For") !== "" || ctx.get("Forwarded") !== "";
  const isOwnAddress = address === "::1" || address.startsWith("127.");
  return isOwnAddress && !isForwarded && isLoopbackName(ctx.host.replace(/:\d+$/, ""));
}

/**
 * Returns the features that pages offer to a person: the host's features, except those that were removed for the
 * person.
 */
function featuresOf(principal: Principal, { assistant }: SessionOptions["features"]) {
  const converses =
    !lacks(principal, "flag_add_ai_items") && !lacks(principal, "flag_ai_chart_generator");
  const removed = [...(principal.removedFeatures?.keys() ?? [])];
  return { assistant: assistant && converses, ...(removed.length > 0 && { removed }) };
}

/** Starts a session and sets its cookie. The body, which an earlier step read, identifies the person. */
export function beginSession({
  sessions,
  cookies,
  features,
}: SessionOptions): Middleware<BodyState> {
  return async (ctx) => {
    const caller = { ...sessionCallerOf(ctx, cookies), knownDevice: cookies.readDevice(ctx) };
    const begun = await sessions.start(ctx.state.body, caller);
    cookies.write(ctx, begun);
    if (begun.remembered) cookies.writeDevice(ctx, begun.remembered);
    ctx.body = { ...present(begun.principal), features: featuresOf(begun.principal, features) };
  };
}

/** Returns the ticket and the options with which a browser signs in with a passkey. */
export function beginPasskey({
  sessions,
  cookies,
}: Pick<SessionOptions, "sessions" | "cookies">): Middleware<RequestState> {
  return async (ctx) => {
    ctx.body = sessions.offerPasskey(sessionCallerOf(ctx, cookies));
  };
}

/** Returns the person who is signed in. */
export function showSession({
  sessions,
  cookies,
  features,
}: SessionOptions): Middleware<RequestState> {
  return async (ctx) => {
    const principal = await sessions.resolve(sessionCallerOf(ctx, cookies));
    ctx.body = { ...present(principal), features: featuresOf(principal, features) };
  };
}

/** Revokes a session and removes its cookie. */
export function endSession({
  sessions,
  cookies,
}: Pick<SessionOptions, "sessions" | "cookies">): Middleware<RequestState> {
  return async (ctx) => {
    await sessions.end(sessionCallerOf(ctx, cookies));
    cookies.write(ctx, undefined);
    ctx.body = { code: 200 };
  };
}

function present(principal: Principal) {
  const { userId, name, email, organizationId, organizationRole } = principal;
  const { suborganization = null, lacksFactor = false } = principal;
  const organization = { organization_id: organizationId, role: organizationRole, suborganization };
  return {
    user: { id: userId, name, email, ...organization },
    ...(lacksFactor && { must_add_second_factor: true }),
  };
}
