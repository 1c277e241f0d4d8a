/** How a client reaches a host. */
export interface ClientOptions {
  /**
   * Times that a call is sent again when its connection was lost, or a proxy or the host answered 502 or 503; 3 when
   * absent. Only calls that are safe to repeat are: reads and pushes, which carry a `request_id`.
   */
  readonly retryCount?: number;
  /** For tests: waits so many milliseconds. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Address of the host, without a path. */
  readonly url: string;
  readonly key: string;
  readonly token: string;
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

  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfterS = 0) {
    super(typeof body["message"] === "string" ? body["message"] : `the host answered ${status}`);
    this.status = status;
    this.retryAfterS = retryAfterS;
    this.code = String((body["type"] as { code?: unknown } | undefined)?.code ?? status);
    const requestId = body["request_id"];
    this.requestId = typeof requestId === "string" ? requestId : undefined;
    this.validation = body["validation"] as Readonly<Record<string, readonly string[]>> | undefined;
  }
}

type Json = Readonly<Record<string, unknown>>;

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
  const isAway = failure instanceof ClientError && [502, 503].includes(failure.status);
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

/** The six actions and `validate` of every resource. Answers are the parsed JSON of the host. */
export interface Client {
  /** `associations` are made with the record: all or nothing. */
  create<Answer = Json>(
    resource: string,
    properties: Json,
    associations?: readonly { readonly role: string; readonly id: string }[],
  ): Promise<Answer>;
  get<Answer = { readonly count: number; readonly rows: readonly Json[] }>(
    resource: string,
    find?: Json,
  ): Promise<Answer>;
  update<Answer = Json>(resource: string, id: string, properties: Json): Promise<Answer>;
  /** `properties` are for resources that ask for something, as a user for a successor. */
  delete<Answer = Json>(resource: string, id: string, properties?: Json): Promise<Answer>;
  associate<Answer = Json>(
    resource: string,
    id: string,
    target: { readonly role: string; readonly id: string },
    properties?: Json,
  ): Promise<Answer>;
  dissociate<Answer = Json>(
    resource: string,
    id: string,
    target: { readonly role: string; readonly id: string },
  ): Promise<Answer>;
  validate<Answer = Json>(resource: string, properties: Json): Promise<Answer>;
  /**
   * Evaluates an alert now, sends a message without rows to a channel, or has the conformance kit check a plugin;
   * changes no state of an alert.
   */
  test<Answer = Json>(resource: "alert" | "channel" | "plugin", tried: Tried): Promise<Answer>;
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
 * `ClientError` for an answer outside 200-299, and with what `fetch` throws when the host cannot be reached.
 */
export function createClient(options: ClientOptions): Client {
  const { url, key, token, retryCount = 3, wait = pause } = options;
  const call = async <Answer>(resource: string, given: Json): Promise<Answer> => {
    const isPush = resource === "data" && given["action"] === "create";
    const members = isPush ? { request_id: crypto.randomUUID(), ...given } : given;
    const isSafe = isPush || readingActions.has(String(given["action"]));
    for (let sent = 1; ; sent++)
      try {
        return await send<Answer>(resource, members);
      } catch (failure) {
        const waitMs = waitBefore(failure, sent);
        if (!isSafe || sent > retryCount || waitMs === undefined) throw failure;
        await wait(waitMs);
      }
  };
  const send = async <Answer>(resource: string, members: Json): Promise<Answer> => {
    const answer = await fetch(`${url}/0.1.0/${encodeURIComponent(resource)}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...members, key, token, version: "0.1.0" }),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new ClientError(answer.status, bodyOf(text), Number(answer.headers.get("Retry-After")));
    return JSON.parse(text);
  };
  return {
    create: (resource, properties, associations = []) =>
      call(resource, {
        action: "create",
        properties,
        ...(associations.length > 0 && { associations }),
      }),
    get: (resource, find = {}) => call(resource, { action: "get", find }),
    update: (resource, id, properties) => call(resource, { action: "update", id, properties }),
    delete: (resource, id, properties) =>
      call(resource, { action: "delete", id, ...(properties && { properties }) }),
    associate: (resource, id, target, properties) =>
      call(resource, {
        action: "associate",
        id,
        resource: target,
        ...(properties ? { properties } : {}),
      }),
    dissociate: (resource, id, target) =>
      call(resource, { action: "dissociate", id, resource: target }),
    validate: (resource, properties) =>
      call(resource, { action: "validate", resource: properties, properties }),
    test: (resource, tried) => call(resource, { action: "test", ...tried }),
    backtest: (tried) => call("alert", { action: "backtest", ...tried }),
    preview: (tried) => call("alert", { action: "preview", ...tried }),
    resend: (id) => call("delivery", { action: "resend", id }),
  };
}
