import type {
  AnswerOf,
  AnswerOfFind,
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

/** How a client connects to a host. */
export interface ClientOptions {
  /**
   * How often a call is repeated when its connection is lost, the host is busy (503), or a proxy cannot reach the host
   * (502 or 503). Only calls that are safe to repeat are repeated: reads, and pushes, which have a `request_id`.
   * @default 3
   */
  readonly retryCount?: number;
  /**
   * Waits for the given number of milliseconds. Tests replace it.
   * @default a timer
   */
  readonly wait?: (ms: number) => Promise<void>;
  /** Address of the host without a path, such as `https://analytics.example.org`. Required. */
  readonly url: string;
  /** The key of the pair that makes the calls. Required. */
  readonly key: string;
  /** The token of the pair, its secret half. Required. */
  readonly token: string;
}

/** The members of an error response that the client reads. */
interface ErrorBody {
  readonly message?: unknown;
  readonly type?: unknown;
  readonly request_id?: unknown;
  readonly validation?: unknown;
}

/** An error response of the API, with its HTTP status in `status` and its stable name in `code`. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  /** HTTP status. */
  readonly status: number;
  /** Stable name of the error, such as `MEMBER_INVALID`; the status as a string if the response contains no name. */
  readonly code: string;
  /** Id under which the host logged the call. */
  readonly requestId: string | undefined;
  /** Messages by member, for calls with invalid members. */
  readonly validation: Readonly<Record<string, readonly string[]>> | undefined;

  /** Seconds after which the call may be repeated; 0 if the response names no time. */
  readonly retryAfterS: number;

  constructor(status: number, body: ErrorBody, retryAfterS = 0) {
    super(
      typeof body.message === "string" ? body.message : `the host responded with status ${status}`,
    );
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
 * Returns the milliseconds to wait before repeating a call: the time in `Retry-After`, plus a random part of a delay
 * that doubles with each attempt. Undefined if repeating would fail again.
 */
function waitBefore(failure: unknown, sent: number): number | undefined {
  // If the host itself responds with 502, it names a plugin's error that would occur again. A proxy's 502 has no code.
  const isAway =
    failure instanceof ClientError &&
    (failure.status === 503 || (failure.status === 502 && failure.code === "502"));
  // `fetch` throws a TypeError if the response is missing or incomplete.
  if (!isAway && !(failure instanceof TypeError)) return undefined;
  const askedMs = failure instanceof ClientError ? failure.retryAfterS * 1000 : 0;
  if (askedMs > mostWaitMs) return undefined;
  return askedMs + Math.random() * Math.min(mostWaitMs, leastWaitMs * 2 ** sent);
}

/** Error responses of proxies may not be JSON. */
function bodyOf(text: string): Json {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
}

/**
 * The calls of the API, typed from its declarations. Calls with a resource name that the compiler only knows as
 * `string`, and calls with an explicit result type (`get<MyRow>(…)`), are not type-checked. Every method rejects with
 * `ClientError` if the response has a status outside 200–299.
 */
export interface Client {
  /** Performs any action of any resource or service. */
  call<Resource extends keyof Calls, Action extends keyof Calls[Resource] & string>(
    resource: Resource,
    action: Action,
    members: MembersOf<Resource, Action>,
  ): Promise<AnswerOf<Resource, Action>>;
  /**
   * Performs an action on the caller's own account, at `/auth/account/<path>`: second factors, sessions and sign-ins.
   */
  account<Path extends keyof OwnAccountCalls>(
    path: Path,
    members: Own<Path>["members"],
  ): Promise<Own<Path>["answer"]>;
  /**
   * Creates a record. Its `associations`, none by default, are created in the same transaction.
   */
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
  /** Returns the records that match `find`; for `data`, the answers to queries. */
  get<
    Answer = { readonly count: number; readonly rows: readonly Json[] },
    Name extends string = string,
  >(
    resource: Unlisted<Name>,
    find?: Json,
  ): Promise<Answer>;
  get<Find extends Found<"data">>(resource: "data", find: Find): Promise<AnswerOfFind<Find>>;
  get<Resource extends Offering<"get">>(
    resource: Resource,
    find?: Found<Resource>,
  ): Promise<AnswerOf<Resource, "get">>;
  /** Changes the given properties of a record. Other properties keep their values. */
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
  /** Deletes a record. Some resources need `properties`: deleting a user needs a successor, for example. */
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
  /** Links a record to another record. `properties` are properties of the link. */
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
  /** Removes the link between two records. */
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
  /** Checks whether `create` would accept the given properties. Required properties may be missing. Stores nothing. */
  validate<Answer = Json, Name extends string = string>(
    resource: Unlisted<Name>,
    properties: Json,
  ): Promise<Answer>;
  validate<Resource extends Offering<"validate">>(
    resource: Resource,
    properties: Given<Resource, "validate">,
  ): Promise<AnswerOf<Resource, "validate">>;
  /**
   * Explains the effect of a query, a token, a plugin, users or an ssoconfig, without changing anything. Depending on
   * the resource, `members` are `find`, `id` or `ids`.
   */
  explain<Resource extends Offering<"explain">>(
    resource: Resource,
    members: MembersOf<Resource, "explain">,
  ): Promise<AnswerOf<Resource, "explain">>;
  /**
   * Evaluates an alert now, sends a test message without rows to a channel, tests the provider of an ssoconfig, or runs
   * the conformance kit against a plugin. The state of an alert does not change.
   */
  test<Answer = Json>(resource: Offering<"test">, tried: Tried): Promise<Answer>;
  /**
   * Returns what an alert would have done in the past. Without `options.run`, returns only the cost of the backtest.
   */
  backtest<Answer = Json>(
    tried: Tried & { readonly options: Json & { readonly from: string } },
  ): Promise<Answer>;
  /** Returns the messages of an alert in the format of each type of channel, without sending them. */
  preview<Answer = Json>(tried: Tried): Promise<Answer>;
  /** Sends a failed message again under the same id. */
  resend<Answer = Json>(deliveryId: string): Promise<Answer>;
}

/** A stored record, with members that replace its own. Without `id`, a record that is not stored yet. */
export interface Tried {
  /**
   * Id of the stored record.
   * @default none
   */
  readonly id?: string;
  /**
   * Members that replace members of the stored record, or all members of a new record.
   * @default {}
   */
  readonly properties?: Json;
  /**
   * Options of the action, such as the time range of a backtest.
   * @default {}
   */
  readonly options?: Json;
}

/**
 * Creates a client of the core API for one key pair. The client keeps no state and opens no connections until a call.
 * Every method rejects with `ClientError` for a response outside 200–299, and with the error of `fetch` if the host
 * cannot be reached. `around` wraps every call, for example to wait before the call; by default, calls are made at
 * once.
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
      // The limit for a request body depends on the caller, so the credentials come before long members.
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
