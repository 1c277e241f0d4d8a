import type {
  AnswerOf,
  Asked,
  Found,
  Given,
  MembersOf,
  Offering,
  Own,
  Unlisted,
} from "./callMembers.ts";
import type { Calls } from "./calls/calls.ts";
import type { OwnAccountCalls } from "./calls/ownAccount.ts";

export type { AnswerOf, Calls, MembersOf, Offering, OwnAccountCalls };

/** How a client reaches a host. */
export interface ClientOptions {
  /**
   * Times that a call is sent again when its connection was lost, the host was busy (503), or a proxy could not reach
   * it (502 or 503); 3 when absent. Only calls that are safe to repeat are: reads and pushes, which carry a
   * `request_id`.
   */
  readonly retryCount?: number;
  /** For tests: waits so many milliseconds. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Address of the host, without a path. */
  readonly url: string;
  readonly key: string;
  readonly token: string;
}

/** The members of an error that are read. */
interface ErrorBody {
  readonly message?: unknown;
  readonly type?: unknown;
  readonly request_id?: unknown;
  readonly validation?: unknown;
}

/** An error that the API answered: `status`, and the stable name in `code`. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly validation: Readonly<Record<string, readonly string[]>> | undefined;

  /** Seconds after which the call may be sent again; 0 when the answer does not say. */
  readonly retryAfterS: number;

  constructor(status: number, body: ErrorBody, retryAfterS = 0) {
    super(typeof body.message === "string" ? body.message : `the host answered ${status}`);
    this.status = status;
    this.retryAfterS = retryAfterS;
    this.code = String((body.type as { code?: unknown } | undefined)?.code ?? status);
    const requestId = body.request_id;
    this.requestId = typeof requestId === "string" ? requestId : undefined;
    this.validation = body.validation as Readonly<Record<string, readonly string[]>> | undefined;
  }
}

type Json = Readonly<Record<string, unknown>>;
type Target = { readonly role: string; readonly id: string };

/** Actions that change nothing. */
const readingActions = new Set(["get", "search", "validate", "explain", "preview"]);
const leastWaitMs = 200;
const mostWaitMs = 10_000;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/**
 * Milliseconds to wait before a call is sent again: a random part of a time that doubles, after what `Retry-After`
 * says. Undefined when it would fail again.
 */
function waitBefore(failure: unknown, sent: number): number | undefined {
  // A 502 of the host names the error of a plugin, which another attempt would meet again; one of a proxy has no code.
  const isAway =
    failure instanceof ClientError &&
    (failure.status === 503 || (failure.status === 502 && failure.code === "502"));
  // `fetch` throws it when no answer came, or half of one.
  if (!isAway && !(failure instanceof TypeError)) return undefined;
  const askedMs = failure instanceof ClientError ? failure.retryAfterS * 1000 : 0;
  if (askedMs > mostWaitMs) return undefined;
  return askedMs + Math.random() * Math.min(mostWaitMs, leastWaitMs * 2 ** sent);
}

/** The error of a proxy may be no JSON. */
function bodyOf(text: string): Json {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
}

/**
 * The calls of the API, with the types of its declarations. A resource whose name is known to the compiler alone as a
 * text, and an answer that is named (`get<MyRow>(…)`), are not checked.
 */
export interface Client {
  /** Carries out any action of any resource or service. */
  call<Resource extends keyof Calls, Action extends keyof Calls[Resource] & string>(
    resource: Resource,
    action: Action,
    members: MembersOf<Resource, Action>,
  ): Promise<AnswerOf<Resource, Action>>;
  /** Acts on the caller's own account, at `/auth/account/<path>`: second factors, sessions, sign-ins. */
  account<Path extends keyof OwnAccountCalls>(
    path: Path,
    members: Own<Path>["members"],
  ): Promise<Own<Path>["answer"]>;
  /** `associations` are made with the record: all or nothing. */
  create<Answer = Json, Name extends string = string>(
    resource: Unlisted<Name>,
    properties: Json,
    associations?: readonly Target[],
  ): Promise<Answer>;
  create<Resource extends Offering<"create">>(
    resource: Resource,
    properties: Given<Resource, "create">,
    associations?: readonly Target[],
  ): Promise<AnswerOf<Resource, "create">>;
  get<
    Answer = { readonly count: number; readonly rows: readonly Json[] },
    Name extends string = string,
  >(
    resource: Unlisted<Name>,
    find?: Json,
  ): Promise<Answer>;
  get<Find extends Found<"data">>(resource: "data", find: Find): Promise<Asked<Find>>;
  get<Resource extends Offering<"get">>(
    resource: Resource,
    find?: Found<Resource>,
  ): Promise<AnswerOf<Resource, "get">>;
  update<Answer = Json, Name extends string = string>(
    resource: Unlisted<Name>,
    id: string,
    properties: Json,
  ): Promise<Answer>;
  update<Resource extends Offering<"update">>(
    resource: Resource,
    id: string,
    properties: Given<Resource, "update">,
  ): Promise<AnswerOf<Resource, "update">>;
  /** `properties` are for resources that ask for something, as a user for a successor. */
  delete<Answer = Json, Name extends string = string>(
    resource: Unlisted<Name>,
    id: string,
    properties?: Json,
  ): Promise<Answer>;
  delete<Resource extends Offering<"delete">>(
    resource: Resource,
    id: string,
    properties?: Given<Resource, "delete">,
  ): Promise<AnswerOf<Resource, "delete">>;
  associate<Answer = Json, Name extends string = string>(
    resource: Unlisted<Name>,
    id: string,
    target: Target,
    properties?: Json,
  ): Promise<Answer>;
  associate<Resource extends Offering<"associate">>(
    resource: Resource,
    id: string,
    target: Target,
    properties?: Json,
  ): Promise<AnswerOf<Resource, "associate">>;
  dissociate<Answer = Json, Name extends string = string>(
    resource: Unlisted<Name>,
    id: string,
    target: Target,
  ): Promise<Answer>;
  dissociate<Resource extends Offering<"dissociate">>(
    resource: Resource,
    id: string,
    target: Target,
  ): Promise<AnswerOf<Resource, "dissociate">>;
  validate<Answer = Json, Name extends string = string>(
    resource: Unlisted<Name>,
    properties: Json,
  ): Promise<Answer>;
  validate<Resource extends Offering<"validate">>(
    resource: Resource,
    properties: Given<Resource, "validate">,
  ): Promise<AnswerOf<Resource, "validate">>;
  /**
   * Says what a query, a token, a plugin, users or an ssoconfig come to, without changing anything: `find`, `id` or
   * `ids`, by resource.
   */
  explain<Resource extends Offering<"explain">>(
    resource: Resource,
    members: MembersOf<Resource, "explain">,
  ): Promise<AnswerOf<Resource, "explain">>;
  /**
   * Evaluates an alert now, sends a message without rows to a channel, checks the provider of an ssoconfig, or has the
   * conformance kit check a plugin; changes no state of an alert.
   */
  test<Answer = Json>(resource: Offering<"test">, tried: Tried): Promise<Answer>;
  /** Says what an alert would have done in the past; without `options.run` only what that costs. */
  backtest<Answer = Json>(
    tried: Tried & { readonly options: Json & { readonly from: string } },
  ): Promise<Answer>;
  /** Shows the messages of an alert in the form of each medium, and sends none. */
  preview<Answer = Json>(tried: Tried): Promise<Answer>;
  /** Sends a message that failed again, with the same id. */
  resend<Answer = Json>(deliveryId: string): Promise<Answer>;
}

/** A record that is tried, with members that replace its own; without `id`, one that is not made yet. */
export interface Tried {
  readonly id?: string;
  readonly properties?: Json;
  readonly options?: Json;
}

/**
 * Makes a client of the core API for one key pair. It keeps no state and opens nothing. Every method rejects with
 * `ClientError` for an answer outside 200-299, and with what `fetch` throws when the host cannot be reached. `around`
 * wraps each call, as for waiting.
 */
export function createClient(
  options: ClientOptions,
  around: <Answer>(call: () => Promise<Answer>) => Promise<Answer> = (call) => call(),
): Client {
  const { url, key, token, retryCount = 3, wait = pause } = options;
  const repeat = async (resource: string, given: Json): Promise<never> => {
    const isPush = resource === "data" && given["action"] === "create";
    const members = isPush ? { request_id: crypto.randomUUID(), ...given } : given;
    const isSafe = isPush || readingActions.has(String(given["action"]));
    for (let sent = 1; ; sent++)
      try {
        return await send(`0.1.0/${encodeURIComponent(resource)}`, members);
      } catch (failure) {
        const waitMs = waitBefore(failure, sent);
        if (!isSafe || sent > retryCount || waitMs === undefined) throw failure;
        await wait(waitMs);
      }
  };
  const pair = { key, token, version: "0.1.0" };
  const send = async <Answer = never>(path: string, members: object): Promise<Answer> => {
    const answer = await fetch(`${url}/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      // Body limits depend on the caller, so credentials come before long members.
      body: JSON.stringify({ ...pair, ...members, ...pair }),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new ClientError(answer.status, bodyOf(text), Number(answer.headers.get("Retry-After")));
    return JSON.parse(text);
  };
  const call = (resource: string, members: Json) => around(() => repeat(resource, members));
  return {
    call: (resource: string, action: string, members: object) =>
      call(resource, { action, ...members }),
    account: (path: string, members: object) => around(() => send(`auth/account/${path}`, members)),
    create: (resource: string, properties: object, associations: readonly Target[] = []) =>
      call(resource, {
        action: "create",
        properties,
        ...(associations.length > 0 && { associations }),
      }),
    get: (resource: string, find: object = {}) => call(resource, { action: "get", find }),
    update: (resource: string, id: string, properties: object) =>
      call(resource, { action: "update", id, properties }),
    delete: (resource: string, id: string, properties?: object) =>
      call(resource, { action: "delete", id, ...(properties && { properties }) }),
    associate: (resource: string, id: string, target: Target, properties?: object) =>
      call(resource, {
        action: "associate",
        id,
        resource: target,
        ...(properties ? { properties } : {}),
      }),
    dissociate: (resource: string, id: string, target: Target) =>
      call(resource, { action: "dissociate", id, resource: target }),
    validate: (resource: string, properties: object) =>
      call(resource, { action: "validate", resource: properties, properties }),
    explain: (resource: string, members: object) =>
      call(resource, { action: "explain", ...members }),
    test: (resource, tried) => call(resource, { action: "test", ...tried }),
    backtest: (tried) => call("alert", { action: "backtest", ...tried }),
    preview: (tried) => call("alert", { action: "preview", ...tried }),
    resend: (id) => call("delivery", { action: "resend", id }),
  };
}
