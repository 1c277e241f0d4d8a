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

/** The header by which the console says that a call is of its session; no other origin may send it. */
const consoleHeader = "X-Manifold-Console";

export interface SessionPlace {
  /** Callers reach the host over https alone. */
  readonly isEncrypted: boolean;
  /** Where callers reach the host. */
  readonly publicUrl: string;
}

type Cookie = Pick<BegunSession, "value" | "expiresAt">;

/** Cookies of sessions, at one host. */
export interface SessionCookies {
  /**
   * Returns the value of the cookie of a call that a page of the console made; undefined for calls that do not ask for
   * a session. @throws {ApiError} SESSION_CROSS_SITE, SESSION_NEEDS_HTTPS
   */
  read(ctx: Context): string | undefined;
  /** Returns the cookie of a browser that comes back from a provider: the session that it had, which ends. */
  readFormer(ctx: Context): string | undefined;
  /** Sets the cookie, or removes it. */
  write(ctx: Context, begun: Cookie | undefined): void;
  /** Returns the secret of a browser that has signed in before; undefined if it is missing or malformed. */
  readDevice(ctx: Context): string | undefined;
  /** Sets the cookie that identifies a browser, if cookies can be kept. It outlives sessions. */
  writeDevice(ctx: Context, device: Cookie): void;
  /** Returns the value of the cookie of a sign-on under way. */
  readAttempt(ctx: Context): string | undefined;
  /** Sets the cookie of a sign-on, which comes back with the browser from the provider, or removes it. */
  writeAttempt(ctx: Context, begun: Cookie | undefined): void;
}

const loopbackNames = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Returns whether the name by which a host was called is of this machine. */
function isLoopbackName(hostname: string): boolean {
  return loopbackNames.test(hostname);
}

/**
 * Makes the reader and writer of session cookies. Over https the cookie is `__Host-…; Secure`. Over plain http it has
 * no such prefix and is given on loopback alone, where no one listens between. The name ends in the port, since
 * browsers share cookies between the ports of a host.
 */
export function createSessionCookies({ isEncrypted, publicUrl }: SessionPlace): SessionCookies {
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
    // Lax: the browser comes back from another site.
    writeAttempt(ctx, begun) {
      refusePlain(ctx);
      set(ctx, "sign-on", "Lax", begun);
    },
  };
}

/** Returns the value of the first cookie of a name; values of sessions need no decoding. */
function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const text = part.trim();
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return undefined;
}

export interface SessionOptions {
  readonly sessions: Pick<Sessions, "begin" | "beginPasskey" | "who" | "end">;
  readonly cookies: SessionCookies;
  /** Parts that the host may offer: the console hides one that it does not. */
  readonly features: { readonly assistant: boolean };
}

/** Reads the cookie of a call that is about sessions. @throws {ApiError} SESSION_CROSS_SITE without the header */
function sessionCallerOf(ctx: Context & { state: RequestState }, cookies: SessionCookies) {
  const session = cookies.read(ctx);
  if (session === undefined) throw new ApiError("SESSION_CROSS_SITE");
  return callerOf(ctx, session === "" ? undefined : session);
}

/** Returns who makes a call, with the session that it has. */
export function callerOf(
  ctx: Context & { state: RequestState },
  session: string | undefined,
): SessionCaller {
  const { requestId } = ctx.state;
  const origin = ctx.get("Origin") || undefined;
  const device = ctx.get("User-Agent") || undefined;
  return { address: ctx.ip, origin, session, device, requestId, isLocal: isLocal(ctx) };
}

/** Returns whether a call did not leave this machine: no address and no name of another, and no proxy between. */
function isLocal(ctx: Context): boolean {
  const address = (ctx.req.socket.remoteAddress ?? "").replace(/^::ffff:/i, "");
  const isForwarded = ctx.get("X-Forwarded-For") !== "" || ctx.get("Forwarded") !== "";
  const isOwnAddress = address === "::1" || address.startsWith("127.");
  return isOwnAddress && !isForwarded && isLoopbackName(ctx.host.replace(/:\d+$/, ""));
}

/** Returns the parts that a page offers a person: those of the host, without the person's removed features. */
function featuresOf(principal: Principal, { assistant }: SessionOptions["features"]) {
  const converses =
    !lacks(principal, "flag_add_ai_items") && !lacks(principal, "flag_ai_chart_generator");
  const removed = [...(principal.removedFeatures?.keys() ?? [])];
  return { assistant: assistant && converses, ...(removed.length > 0 && { removed }) };
}

/** Begins a session and sets its cookie. The body names who signs in; it was read before. */
export function beginSession({
  sessions,
  cookies,
  features,
}: SessionOptions): Middleware<BodyState> {
  return async (ctx) => {
    const caller = { ...sessionCallerOf(ctx, cookies), knownDevice: cookies.readDevice(ctx) };
    const begun = await sessions.begin(ctx.state.body, caller);
    cookies.write(ctx, begun);
    if (begun.remembered) cookies.writeDevice(ctx, begun.remembered);
    ctx.body = { ...present(begun.principal), features: featuresOf(begun.principal, features) };
  };
}

/** Gives a page of the console what a browser needs to sign in by a passkey. */
export function beginPasskey({
  sessions,
  cookies,
}: Pick<SessionOptions, "sessions" | "cookies">): Middleware<RequestState> {
  return async (ctx) => {
    ctx.body = sessions.beginPasskey(sessionCallerOf(ctx, cookies));
  };
}

/** Says who is signed in. */
export function showSession({
  sessions,
  cookies,
  features,
}: SessionOptions): Middleware<RequestState> {
  return async (ctx) => {
    const principal = await sessions.who(sessionCallerOf(ctx, cookies));
    ctx.body = { ...present(principal), features: featuresOf(principal, features) };
  };
}

/** Ends a session and removes its cookie. */
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
