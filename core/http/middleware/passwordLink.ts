import type { Middleware } from "koa";
import { ApiError } from "../../base/index.ts";
import type { PasswordLinks } from "../../identity/index.ts";
import type { BodyState } from "./body.ts";
import type { SessionCookies } from "./session.ts";

export interface PasswordLinkOptions {
  readonly links: Pick<PasswordLinks, "request" | "look" | "use">;
  readonly cookies: Pick<SessionCookies, "read">;
}

/**
 * Answers a call about a link with which a person chooses a password. Only pages of the console may call it, because
 * its body contains a password.
 * @throws {ApiError} SESSION_CROSS_SITE, SESSION_NEEDS_HTTPS
 */
export function answerPasswordLink(
  step: "request" | "look" | "use",
  { links, cookies }: PasswordLinkOptions,
): Middleware<BodyState> {
  return async (ctx) => {
    if (cookies.read(ctx) === undefined) throw new ApiError("SESSION_CROSS_SITE");
    const { body, requestId } = ctx.state;
    const answer = await links[step](body, { address: ctx.ip, requestId });
    ctx.body = answer ?? { code: 200 };
  };
}
