import type { Middleware } from "koa";
import { anonymous, isAnonymous, permits } from "../access/index.ts";
import type { Principal } from "../access/principal.ts";
import { actions, type Action, type Handler } from "../call.ts";
import { ApiError } from "../errors.ts";
import type { CallLimits } from "./limits.ts";
import { arrowType, jsonType, WrittenAnswer, type MediaType } from "../writtenAnswer.ts";
import type { RequestState } from "./requestId.ts";
import { streamBody } from "./streamBody.ts";

/** Handlers by resource and action. */
export type Handlers = ReadonlyMap<string, Readonly<Partial<Record<Action, Handler>>>>;

/** Names under which the documentation also speaks of a resource. */
const aliases: Readonly<Record<string, string>> = { dashboard: "securable", dataset: "securable" };

function actionOf(body: Readonly<Record<string, unknown>>): Action {
  const { action } = body;
  if (action === undefined)
    throw new ApiError("MEMBER_MISSING", ["action", `one of ${actions.join(", ")}`]);
  const named = action === "search" ? "get" : action;
  if (!actions.includes(named as Action))
    throw new ApiError("ACTION_UNKNOWN", [JSON.stringify(action), actions.join(", ")]);
  return named as Action;
}

/** Finds the handlers of the path's resource, before the body is read. */
export function findResource(handlers: Handlers): Middleware<RequestState & { resource: string }> {
  const names = [...handlers.keys()].toSorted().join(", ");
  return async (ctx, next) => {
    const { resource: name } = ctx["params"] as { resource: string };
    const resource = Object.hasOwn(aliases, name) ? aliases[name]! : name;
    if (!handlers.has(resource))
      throw new ApiError("RESOURCE_UNKNOWN", [JSON.stringify(name), names]);
    ctx.state.resource = resource;
    await next();
  };
}

type Authenticate = (body: Readonly<Record<string, unknown>>) => Promise<Principal>;

/** Tells who calls, within the limits of the address and of the token. */
async function callerOf(
  ctx: { readonly ip: string },
  body: Readonly<Record<string, unknown>>,
  authenticate: Authenticate,
  limits: CallLimits,
): Promise<Principal> {
  limits.admit(ctx.ip);
  const principal = await authenticate(body).catch((failure: unknown) => {
    if (failure instanceof ApiError && failure.status === 401) limits.failed(ctx.ip);
    throw failure;
  });
  // Who holds a private link is one of many: they are counted by address, so that one does not close it for the others.
  if (principal.authorizationType === "share") limits.visited(ctx.ip);
  else limits.called(principal.authorizationId);
  return principal;
}

export interface DispatchOptions {
  readonly handlers: Handlers;
  readonly authenticate: Authenticate;
  readonly limits: CallLimits;
  /** Milliseconds in which a client has to read something of a written answer. */
  readonly stallMs: number;
  /** Whoever has no key pair may make a user and an organization. */
  readonly isSignUpOpen?: boolean;
}

/**
 * Runs the handler that the body's `action` names, if the kind of the caller's token may ask it; the HTTP method and
 * X-HTTP-Method-Override say nothing.
 */
export function dispatch({
  handlers,
  authenticate,
  limits,
  stallMs,
  isSignUpOpen = false,
}: DispatchOptions): Middleware<
  RequestState & { body: Readonly<Record<string, unknown>>; resource: string; action: string }
> {
  return async (ctx) => {
    const { body, resource, requestId, signal } = ctx.state;
    const isOpen = isAnonymous(body, resource, isSignUpOpen);
    if (isOpen) limits.visited(ctx.ip);
    // Whoever signs up leaves records behind: as many as wrong pairs are taken of an address.
    if (isOpen && resource === "user") {
      limits.admit(ctx.ip);
      limits.failed(ctx.ip);
    }
    const principal = isOpen ? anonymous : await callerOf(ctx, body, authenticate, limits);
    const action = actionOf(body);
    ctx.state.action = action;
    if (body["version"] !== undefined && body["version"] !== "0.1.0")
      throw new ApiError("VERSION_UNKNOWN", [JSON.stringify(body["version"])]);
    if (!isOpen && !permits(principal, resource, action))
      throw new ApiError("FORBIDDEN", [
        `${action} ${resource}, which no token of type ${principal.authorizationType} has`,
      ]);
    const offered = handlers.get(resource) ?? {};
    const handler = offered[action];
    if (!handler)
      throw new ApiError("ACTION_NOT_OFFERED", [resource, action, Object.keys(offered).join(", ")]);
    const mediaType: MediaType =
      ctx.accepts(jsonType, arrowType) === arrowType ? arrowType : jsonType;
    const call = { resource, action, body, principal, requestId, mediaType, signal };
    const answer = (await handler(call)) ?? { code: 200 };
    const isWritten = answer instanceof WrittenAnswer;
    ctx.body = isWritten ? streamBody(answer) : answer;
    // A client that does not read holds a whole answer in memory; the socket is destroyed then.
    if (isWritten) ctx.res.setTimeout(stallMs);
    ctx.type = isWritten ? answer.mediaType : jsonType;
  };
}
