import type { Context, Middleware } from "koa";
import { ApiError } from "../../base/index.ts";
import type { Scim, ScimScope } from "../../identity/index.ts";
import type { BodyState } from "./body.ts";
import type { CallLimits } from "./limits.ts";

export interface ScimOptions {
  readonly scim: Scim;
  readonly limits: Pick<CallLimits, "admit" | "failed" | "called">;
}

interface ScimState extends BodyState {
  scope?: ScimScope;
}

/** The media type of SCIM bodies (RFC 7644, 3.1). */
export const scimType = "application/scim+json";

/**
 * Identifies the organization whose users and groups a call may manage, by the ssoconfig in the path and its bearer
 * token.
 */
export function identifyScim({ scim, limits }: ScimOptions): Middleware<ScimState> {
  return asScim(async (ctx, next) => {
    limits.admit(ctx.ip);
    const token = /^Bearer ([!-~]+)$/i.exec(ctx.get("Authorization"))?.[1];
    try {
      ctx.state.scope = await scim.open(pathOf(ctx).config, token, ctx.ip);
    } catch (failure) {
      limits.failed(ctx.ip);
      ctx.set("WWW-Authenticate", "Bearer");
      throw failure;
    }
    limits.called(ctx.state.scope.configId);
    await next();
  });
}

/** Answers a SCIM call about the users or groups of the organization that `identifyScim` found. */
export function answerScim({ scim }: ScimOptions): Middleware<ScimState> {
  return async (ctx) => {
    const { scope, body, requestId } = ctx.state;
    if (!scope) throw new ApiError("UNAUTHORIZED");
    const { kind, id } = pathOf(ctx);
    const { method, query, ip: address } = ctx;
    const request = { method, kind, id, query, body, requestId, address };
    const answer = await scim.answer(scope, request);
    ctx.body = answer.body === undefined ? null : JSON.stringify(answer.body);
    ctx.status = answer.status;
    ctx.type = scimType;
  };
}

function pathOf(ctx: Context): { config: string; kind: string; id: string | undefined } {
  const {
    config = "",
    kind = "",
    id,
  }: Readonly<Record<string, string | undefined>> = ctx["params"];
  return { config, kind, id };
}

/** Converts errors to the SCIM form (RFC 7644, 3.12). */
function asScim(step: Middleware<ScimState>): Middleware<ScimState> {
  return async (ctx, next) => {
    try {
      await step(ctx, next);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      const { status, message, retryAfterS } = failure;
      ctx.status = status;
      ctx.type = scimType;
      if (retryAfterS !== undefined) ctx.set("Retry-After", String(retryAfterS));
      ctx.body = JSON.stringify({
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        status: String(status),
        detail: message,
      });
    }
  };
}
