import type { Context, Middleware } from "koa";
import type { Account, CallSource } from "../../identity/index.ts";
import type { Principal } from "../../base/index.ts";
import type { BodyState } from "./body.ts";
import type { CallLimits } from "./limits.ts";
import type { SessionCookies } from "./session.ts";

export interface AccountOptions {
  readonly account: Account;
  readonly cookies: Pick<SessionCookies, "read">;
  readonly limits: Pick<CallLimits, "failed" | "called">;
  authenticate(body: Readonly<Record<string, unknown>>, source: CallSource): Promise<Principal>;
}

const prefix = "/auth/account/";

/**
 * Answers a call about the caller's own account. The caller is identified by its session, or by the `key` and `token`
 * of the body.
 */
export function answerAccount(options: AccountOptions): Middleware<BodyState> {
  const { account, cookies, limits, authenticate } = options;
  return async (ctx) => {
    const path = ctx.path.slice(prefix.length);
    const { body, requestId } = ctx.state;
    const principal = await identify(ctx);
    limits.called(principal.authorizationId);
    ctx.body = await account.answer(path, { principal, body, requestId, address: ctx.ip });
  };

  async function identify(ctx: Context & { state: BodyState }): Promise<Principal> {
    const path = ctx.path.slice(prefix.length);
    const source = {
      address: ctx.ip,
      origin: ctx.get("Origin") || undefined,
      session: cookies.read(ctx),
      isEnrolling: account.isEnrolling(path),
    };
    try {
      return await authenticate(ctx.state.body, source);
    } catch (failure) {
      limits.failed(ctx.ip);
      throw failure;
    }
  }
}
