import type { Middleware } from "koa";
import { permits } from "../../identity/index.ts";
import type { ReadAudit } from "../../catalog/index.ts";
import {
  AcceptedAnswer,
  type Action,
  actions,
  anonymous,
  type ApiCall,
  ApiError,
  arrowType,
  type Handlers,
  jsonType,
  type MediaType,
  warningsHeader,
  WrittenAnswer,
  type Members,
} from "../../base/index.ts";
import type { RequestState } from "./requestId.ts";
import { streamBody } from "./streamBody.ts";
import type { FormState } from "./uploadForm.ts";

/** Other names that callers may use for resources, each with the name of its resource. */
const aliases: Readonly<Record<string, string>> = { dashboard: "securable", dataset: "securable" };

/** Returns the action of a call. `inPath` is the action that the path names, if it names one. */
function actionOf(body: Members<"action">, inPath: string | undefined): Action {
  const { action = inPath } = body;
  if (action === undefined)
    throw new ApiError("MEMBER_MISSING", ["action", `one of ${actions.join(", ")}`]);
  const named = action === "search" ? "get" : action;
  const known = actions.find((each) => each === named);
  if (!known) throw new ApiError("ACTION_UNKNOWN", [JSON.stringify(action), actions.join(", ")]);
  if (inPath !== undefined && action !== inPath)
    throw new ApiError("MEMBER_INVALID", [
      "action",
      `it must be ${JSON.stringify(inPath)}, as in the path, or absent`,
    ]);
  return known;
}

/** Finds the handlers of the resource in the path, before the body is read. */
export function findResource(handlers: Handlers): Middleware<RequestState & { resource: string }> {
  const names = [...handlers.keys()].toSorted().join(", ");
  return async (ctx, next) => {
    const { resource: name }: { resource: string } = ctx["params"];
    const resource = Object.hasOwn(aliases, name) ? aliases[name]! : name;
    if (!handlers.has(resource))
      throw new ApiError("RESOURCE_UNKNOWN", [JSON.stringify(name), names]);
    ctx.state.resource = resource;
    await next();
  };
}

/**
 * Formats names from a caller for a header: only the first names, shortened, and without characters other than letters,
 * digits and the punctuation of names.
 */
function headerOf(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, 20);
  return shown.map((name) => name.slice(0, 60).replaceAll(/[^\w.-]/g, "?")).join(", ");
}

export interface DispatchOptions {
  readonly handlers: Handlers;
  /** Milliseconds after which a client that reads no byte of a streamed response is disconnected. */
  readonly stallMs: number;
  /** Records who reads which records. Without it, reads are not audited. */
  readonly auditRead?: ReadAudit | undefined;
  /** Returns a warning that names the soft limits an organization has passed; undefined if it has passed none. */
  readonly quotaWarning?: (organizationId: string) => string | undefined;
}

/**
 * Runs the handler for the `action` of the body or the path, if tokens of the caller's type may call the action. The
 * HTTP method and X-HTTP-Method-Override are ignored.
 */
export function dispatch({
  handlers,
  stallMs,
  auditRead,
  quotaWarning,
}: DispatchOptions): Middleware<FormState & { resource: string; action: string }> {
  return async (ctx) => {
    const { body, resource, requestId, signal, file, principal = anonymous } = ctx.state;
    const { action: inPath }: { action?: string } = ctx["params"];
    const action = actionOf(body, inPath);
    ctx.state.action = action;
    if (body.version !== undefined && body.version !== "0.1.0")
      throw new ApiError("VERSION_UNKNOWN", [JSON.stringify(body.version)]);
    if (principal !== anonymous && !permits(principal, resource, action))
      throw new ApiError("FORBIDDEN", [
        `${action} ${resource}; tokens of type ${principal.authorizationType} cannot have this right`,
      ]);
    const offered = handlers.get(resource) ?? {};
    const handler = offered[action];
    if (!handler)
      throw new ApiError("ACTION_NOT_OFFERED", [resource, action, Object.keys(offered).join(", ")]);
    const accepted = ctx.get("Accept");
    const isAnything = accepted === "" || accepted === "*/*" || accepted === jsonType;
    const mediaType: MediaType =
      !isAnything && ctx.accepts(jsonType, arrowType) === arrowType ? arrowType : jsonType;
    const unknown = new Set<string>();
    const note = (attribute: string) => void unknown.add(attribute);
    const warnings: string[] = [];
    const warn = (sentences: readonly string[]) => void warnings.push(...sentences);
    const { ip: address } = ctx;
    const call: ApiCall = {
      resource,
      action,
      body,
      principal,
      requestId,
      address,
      mediaType,
      signal,
      note,
      warn,
      file,
    };
    await auditRead?.(call, address);
    const answer = (await handler(call)) ?? { code: 200 };
    if (unknown.size > 0) ctx.set("X-Unknown-Attributes", headerOf(unknown));
    if (warnings.length > 0) ctx.set({ ...warningsHeader(warnings) });
    const warning = quotaWarning?.(principal.organizationId);
    if (warning !== undefined) ctx.set("X-Quota-Warning", warning);
    const isWritten = answer instanceof WrittenAnswer;
    if (answer instanceof AcceptedAnswer) ctx.status = 202;
    ctx.body = isWritten
      ? await streamBody(answer)
      : answer instanceof AcceptedAnswer
        ? answer.body
        : answer;
    if (isWritten) ctx.set({ ...answer.headers });
    // If a client does not read, the whole response stays in memory, so the host destroys its socket.
    if (isWritten) ctx.res.setTimeout(stallMs);
    ctx.type = isWritten ? answer.mediaType : jsonType;
  };
}
