/** How a client reaches a host. */
export interface ClientOptions {
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

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body["message"] === "string" ? body["message"] : `the host answered ${status}`);
    this.status = status;
    this.code = String((body["type"] as { code?: unknown } | undefined)?.code ?? status);
    const requestId = body["request_id"];
    this.requestId = typeof requestId === "string" ? requestId : undefined;
    this.validation = body["validation"] as Readonly<Record<string, readonly string[]>> | undefined;
  }
}

type Json = Readonly<Record<string, unknown>>;

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
export function createClient({ url, key, token }: ClientOptions): Client {
  const call = async <Answer>(resource: string, members: Json): Promise<Answer> => {
    const answer = await fetch(`${url}/0.1.0/${encodeURIComponent(resource)}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...members, key, token, version: "0.1.0" }),
    });
    const body = (await answer.json()) as Json;
    if (!answer.ok) throw new ClientError(answer.status, body);
    return body as Answer;
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
