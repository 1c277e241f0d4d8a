import type { Members } from "../json/index.ts";
import type { Principal } from "./principal.ts";
import type { MediaType } from "./writtenAnswer.ts";

/** The actions that read or change records, as named in the body of a call. */
export const recordActions = [
  "create",
  "get",
  "update",
  "delete",
  "associate",
  "dissociate",
  "validate",
] as const;
export type RecordAction = (typeof recordActions)[number];

/**
 * Further actions of alerts, channels, plugins, ssoconfigs and deliveries. They test a record, or send a message again.
 */
const jobActions = ["test", "backtest", "preview", "resend"] as const;

/**
 * The values that `action` may have in a body. `search` is another name of `get`. Only some resources have `explain`,
 * only `authorization` has `list`, and only `user` has `invite`.
 */
export const actions = [...recordActions, "explain", "list", "invite", ...jobActions] as const;
export type Action = (typeof actions)[number];

/** Members of a request body that handlers read. */
export type CallBody = Members<
  | "id"
  | "properties"
  | "find"
  | "options"
  | "resource"
  | "associations"
  | "dissociations"
  | "ids"
  | "request_id"
>;

/** A file that a call sends after its body. */
export interface SentFile {
  /** Name of the file without its folder, as the client sent it. */
  readonly name: string;
  /**
   * The bytes, as they arrive. They can be read only once, and the client waits while they are not read.
   * @throws {ApiError} REQUEST_ABORTED, REQUEST_TIMEOUT, REQUEST_FORM_INVALID
   */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** One authenticated call of the API. */
export interface ApiCall {
  readonly resource: string;
  readonly action: Action;
  /** The parsed JSON body; its members are unchecked. */
  readonly body: CallBody;
  readonly principal: Principal;
  /** The file that the call sends; absent for calls whose body is JSON. */
  readonly file?: SentFile | undefined;
  readonly requestId: string;
  /** The caller's address; undefined for calls that the host makes on behalf of a user. */
  readonly address: string | undefined;
  /** The media type that the client prefers; JSON by default. */
  readonly mediaType?: MediaType;
  /** Receives the name of each requested attribute that does not exist. A response header lists these names. */
  readonly note?: ((attribute: string) => void) | undefined;
  /**
   * Receives sentences about parts of the call that are stored, but have no effect. The header `X-Warnings` lists them.
   */
  readonly warn?: ((sentences: readonly string[]) => void) | undefined;
  /** Aborts when the client disconnects or the host closes. */
  readonly signal: AbortSignal;
}

/** Performs one action of one resource. Resolves to the JSON response, or to a `WrittenAnswer`. */
export type Handler = (call: ApiCall) => Promise<unknown>;

/** The handlers of a resource by action. The resource offers only these actions. */
export type ResourceHandlers = Readonly<Partial<Record<Action, Handler>>>;

/** The handlers of all resources, by resource. */
export type Handlers = ReadonlyMap<string, ResourceHandlers>;

/** Returns the handlers of a resource with each handler wrapped. The actions keep their order. */
export function wrapHandlers(
  handlers: ResourceHandlers,
  wrap: (handler: Handler, action: Action) => Handler,
): ResourceHandlers {
  const wrapped: Partial<Record<Action, Handler>> = {};
  for (const action of actionsOf(handlers)) {
    const handler = handlers[action];
    if (handler) wrapped[action] = wrap(handler, action);
  }
  return wrapped;
}

/** Returns the actions that a resource offers, in the order of its handlers. */
export function actionsOf(handlers: Readonly<Partial<Record<Action, unknown>>>): Action[] {
  return Object.keys(handlers) as Action[];
}
