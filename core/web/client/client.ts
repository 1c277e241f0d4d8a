import type {
  AnswerOf,
  AnswerOfFind,
  Found,
  Given,
  LinksOf,
  MembersOf,
  Offering,
  Own,
  RecordOf,
  TargetOf,
  Unlisted,
} from "./callMembers.ts";
import type { Calls } from "./calls/calls.ts";
import type { OwnAccountCalls } from "./calls/ownAccount.ts";
import { answerBytes } from "./answerBytes.ts";
import { endingOf, pauseUnlessEnded } from "./callEnding.ts";
import { ClientError } from "./clientError.ts";
import { readAnswer, refuseFailed } from "./readAnswer.ts";
import { recordsOf } from "./recordsOf.ts";
import { repeatWhileAway } from "./repeatWhileAway.ts";
import {
  previewFile,
  uploadFile,
  type SendForm,
  type FileBytes,
  type StoreOptions,
  type UploadOptions,
} from "./uploadFile.ts";

export type { AnswerOf, Calls, MembersOf, Offering, OwnAccountCalls };

/** Options that apply to single calls. */
export interface CallOptions {
  /**
   * Ends a call early. Its promise then rejects with the code `ABORTED`. The host finishes a change that it has begun.
   * @default none
   */
  readonly signal?: AbortSignal;
  /**
   * Maximum duration of a call in milliseconds, including its repetitions and the pauses between them. After that, the
   * call rejects with the code `TIMED_OUT`.
   * @default no limit
   */
  readonly timeoutMs?: number;
}

/** The host that a client calls, the key pair with which it calls, and its retries. */
export interface ClientOptions extends CallOptions {
  /**
   * The function that sends requests, such as one that adds a header or uses a proxy.
   * @default the `fetch` of the runtime
   */
  readonly fetch?: (url: string, request: RequestInit) => Promise<Response>;
  /**
   * How often a call is repeated when its connection is lost, the host is busy (503), or a proxy cannot reach the host
   * (502 or 503). Only calls that are safe to repeat are repeated: reads, and pushes, which have a `request_id`.
   * @default 3
   */
  readonly retryCount?: number;
  /**
   * Waits for the given number of milliseconds before a call is repeated. Tests replace it.
   * @default a timer
   */
  readonly wait?: (ms: number) => Promise<void>;
  /** Address of the host without a path, such as `https://analytics.example.org`. Required. */
  readonly url: string;
  /** The key of the pair that makes the calls. Required. */
  readonly key: string;
  /** The token of the pair, which is the secret half of the pair. Required. */
  readonly token: string;
}

type Json = Readonly<Record<string, unknown>>;
type Target = { readonly role: string; readonly id: string };
/** A record to associate with a new record, and the properties of the link, none by default. */
type NewLink = Target & { readonly properties?: Json };

/** Actions that change nothing. */
const readingActions = new Set(["get", "search", "list", "validate", "explain", "preview"]);

/**
 * The calls of the API, typed from its declarations. Calls with a resource name that the compiler only knows as
 * `string`, and calls with an explicit result type (`get<MyRow>(…)`), are not type-checked. JSON is returned as its
 * value, text as a string, and a file as its bytes. Every method rejects with `ClientError` if the host cannot be
 * reached, if a call takes too long or is aborted, or if the response has a status outside 200–299.
 */
export interface Client {
  /** Returns a client whose calls have other options, such as a signal for one call. */
  with(options: CallOptions): Client;
  /** Performs any action of any resource or service. `members` are those of the request body, without the key pair. */
  call<Resource extends keyof Calls, Action extends keyof Calls[Resource] & string>(
    resource: Resource,
    action: Action,
    members: MembersOf<Resource, Action>,
  ): Promise<AnswerOf<Resource, Action>>;
  /**
   * Performs an action whose response is a file or a stream of events, and returns its bytes as they arrive. With
   * `accept`, the host responds in another media type that it offers, such as `application/vnd.apache.arrow.stream` for
   * the rows of a query. A stream that breaks off rejects with `ClientError`.
   */
  stream<Resource extends keyof Calls, Action extends keyof Calls[Resource] & string>(
    resource: Resource,
    action: Action,
    members: MembersOf<Resource, Action>,
    accept?: string,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
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
    associations?: readonly NewLink[],
  ): Promise<Answer>;
  create<Resource extends Offering<"create">>(
    resource: Resource,
    properties: Given<Resource, "create">,
    associations?: LinksOf<Resource>,
  ): Promise<AnswerOf<Resource, "create">>;
  /** Returns the records that match `find`; for `data`, the answers to queries. */
  get<
    Answer = { readonly count: number; readonly rows: readonly Json[] },
    Name extends string = string,
  >(
    resource: Unlisted<Name>,
    find?: Json,
  ): Promise<Answer>;
  get<const Find extends Found<"data">>(resource: "data", find: Find): Promise<AnswerOfFind<Find>>;
  get<Resource extends Offering<"get">>(
    resource: Resource,
    find?: Found<Resource>,
  ): Promise<AnswerOf<Resource, "get">>;
  /**
   * Iterates over all records that match `find`, and requests them in pages. `find.limit`, if given, is the number of
   * records in a page, 500 by default. Records are ordered by `find.order`. If records are created or deleted
   * meanwhile, some may be missing or occur twice.
   */
  records<Resource extends Exclude<Offering<"get">, "data">>(
    resource: Resource,
    find?: Found<Resource>,
  ): AsyncGenerator<RecordOf<Resource>, void, undefined>;
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
  associate<Resource extends Offering<"associate">, Role extends string>(
    resource: Resource,
    id: string,
    target: TargetOf<Resource, Role>,
    properties?: Given<Resource, "associate">,
  ): Promise<AnswerOf<Resource, "associate">>;
  /** Removes the link between two records. Neither record is deleted. */
  dissociate<Answer = Json, Name extends string = string>(
    resource: Unlisted<Name>,
    id: string,
    target: Target,
  ): Promise<Answer>;
  dissociate<Resource extends Offering<"dissociate">, Role extends string>(
    resource: Resource,
    id: string,
    target: TargetOf<Resource, Role>,
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
   * Tests a record. Evaluates an alert without changing its state, sends a message without rows to a channel, tests the
   * provider of an ssoconfig, or runs the conformance kit against a plugin.
   */
  test<Resource extends Offering<"test">>(
    resource: Resource,
    tried: Tried,
  ): Promise<AnswerOf<Resource, "test">>;
  test<Answer>(resource: Offering<"test">, tried: Tried): Promise<Answer>;
  /**
   * Returns what an alert would have done in the past. Without `options.run`, returns only the cost of the backtest.
   */
  backtest<Answer = AnswerOf<"alert", "backtest">>(
    tried: Tried & { readonly options: Json & { readonly from: string } },
  ): Promise<Answer>;
  /** Returns the messages of an alert in the format of each type of channel, without sending them. */
  preview<Answer = AnswerOf<"alert", "preview">>(tried: Tried): Promise<Answer>;
  /**
   * Sends a file and stores its rows as a dataset, or in a dataset. A cut upload continues where the host has stopped
   * receiving. The host makes nothing visible before the last row is stored.
   */
  upload(file: FileBytes, options: StoreOptions): Promise<AnswerOf<"data", "create">>;
  /** Returns how the host would store a file: its columns, first rows and settings. Stores nothing. */
  previewFile<Answer = Json>(file: FileBytes, options: UploadOptions): Promise<Answer>;
  /** Sends a failed message again under the same id. */
  resend<Answer = AnswerOf<"delivery", "resend">>(deliveryId: string): Promise<Answer>;
}

/** Reads the body of a successful response. The reader may go on after the call; `ending` then ends it. */
type Reader<Answer> = (response: Response, ending: AbortSignal | undefined) => Promise<Answer>;

/** A stored record, with members that replace stored members. Without `id`, a record that is not stored yet. */
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

/** Returns the form of a call that sends a file. The call comes first, so that the host knows the caller. */
function formOf(call: string, file: { readonly bytes: Blob; readonly name: string }): FormData {
  const form = new FormData();
  form.append("call", call);
  form.append("file", file.bytes, file.name);
  return form;
}

/**
 * Creates a client of the core API for one key pair. The client keeps no state and opens no connections until a call.
 * `around` wraps every call, for example to wait before the call. By default, calls are made at once.
 */
export function createClient(
  options: ClientOptions,
  around: <Answer>(call: () => Promise<Answer>) => Promise<Answer> = (call) => call(),
): Client {
  const { url, key, token, retryCount = 3, wait, signal, timeoutMs } = options;
  const { fetch: request = fetch } = options;
  const pair = { key, token, version: "0.1.0" };
  // The limit for a request body depends on the caller, so the credentials come before long members.
  const bodyOf = (members: object) => JSON.stringify({ ...pair, ...members, ...pair });
  const send = async <Answer>(
    path: string,
    members: object,
    ending: AbortSignal | undefined,
    read: Reader<Answer>,
    accept?: string,
    file?: { readonly bytes: Blob; readonly name: string },
  ): Promise<Answer> => {
    try {
      const response = await request(`${url}/${path}`, {
        method: "POST",
        headers: {
          // The runtime sets the type of a form, with its boundary.
          ...(!file && { "Content-Type": "application/json" }),
          ...(accept && { Accept: accept }),
        },
        body: file ? formOf(bodyOf(members), file) : bodyOf(members),
        ...(ending && { signal: ending }),
      });
      await refuseFailed(response);
      return await read(response, ending);
    } catch (failure) {
      throw ClientError.of(failure, url, ending);
    }
  };
  const perform = <Answer = never>(
    resource: string,
    given: Json,
    read: Reader<Answer> = readAnswer,
    accept?: string,
  ): Promise<Answer> => {
    const { action } = given;
    const isPush = resource === "data" && (action === "create" || action === "update");
    const members = isPush ? { request_id: crypto.randomUUID(), ...given } : given;
    const isSafe = isPush || readingActions.has(String(action));
    const path = `0.1.0/${encodeURIComponent(resource)}`;
    return around(() => {
      const ending = endingOf(signal, timeoutMs);
      return repeatWhileAway(() => send(path, members, ending, read, accept), {
        retryCount: isSafe ? retryCount : 0,
        wait: (ms) => (wait ? wait(ms) : pauseUnlessEnded(ms, url, ending)),
      });
    });
  };
  const sendForm =
    (ending: AbortSignal | undefined): SendForm =>
    <Answer>(members: object, file?: { readonly bytes: Blob; readonly name: string }) =>
      send<Answer>("0.1.0/data", members, ending, readAnswer, undefined, file);
  const find = (resource: string, found: object) =>
    perform(resource, { action: "get", find: found });
  return {
    with: (changed) => createClient({ ...options, ...changed }, around),
    call: (resource: string, action: string, members: object) =>
      perform(resource, { action, ...members }),
    stream: (resource, action, members, accept) =>
      perform(resource, { action, ...members }, answerBytes, accept),
    account: (path: string, members: object) =>
      around(() =>
        send(`auth/account/${path}`, members, endingOf(signal, timeoutMs), readAnswer<never>),
      ),
    create: (resource: string, properties: object, associations: readonly NewLink[] = []) =>
      perform(resource, {
        action: "create",
        properties,
        ...(associations.length > 0 && { associations }),
      }),
    get: (resource: string, found: object = {}) => find(resource, found),
    records: (resource: string, found: object = {}) =>
      recordsOf<never>(found, (page) => find(resource, page)),
    update: (resource: string, id: string, properties: object) =>
      perform(resource, { action: "update", id, properties }),
    delete: (resource: string, id: string, properties?: object) =>
      perform(resource, { action: "delete", id, ...(properties && { properties }) }),
    associate: (resource: string, id: string, target: Target, properties?: object) =>
      perform(resource, {
        action: "associate",
        id,
        resource: target,
        ...(properties ? { properties } : {}),
      }),
    dissociate: (resource: string, id: string, target: Target) =>
      perform(resource, { action: "dissociate", id, resource: target }),
    validate: (resource: string, properties: object) =>
      perform(resource, { action: "validate", resource: properties, properties }),
    explain: (resource: string, members: object) =>
      perform(resource, { action: "explain", ...members }),
    test: (resource: string, tried: Tried) => perform(resource, { action: "test", ...tried }),
    backtest: (tried) => perform("alert", { action: "backtest", ...tried }),
    preview: (tried) => perform("alert", { action: "preview", ...tried }),
    upload: (file, stored) =>
      around(() => {
        const ending = endingOf(signal, timeoutMs);
        return uploadFile(file, stored, {
          send: sendForm(ending),
          retryCount,
          wait: (ms) => (wait ? wait(ms) : pauseUnlessEnded(ms, url, ending)),
        });
      }),
    previewFile: (file, read) =>
      around(() => previewFile(file, read, sendForm(endingOf(signal, timeoutMs)))),
    resend: (id) => perform("delivery", { action: "resend", id }),
  };
}
