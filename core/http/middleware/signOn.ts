import type { Context, Middleware } from "koa";
import type { SignOn } from "../../identity/index.ts";
import { ApiError } from "../../base/index.ts";
import { callerOf, type SessionCookies } from "./session.ts";
import type { RequestState } from "./requestId.ts";

export interface SignOnOptions {
  readonly signOn: SignOn;
  readonly cookies: SessionCookies;
}

/**
 * Returns the providers that the sign-in page offers, whether users have passwords, and whether people who forgot
 * theirs can get a link by mail.
 */
export function signOnChoices({ signOn }: SignOnOptions, mailsPasswordLinks: boolean): Middleware {
  return async (ctx) => {
    ctx.body = {
      rows: await signOn.choices(),
      has_passwords: await signOn.hasPasswords(),
      mails_password_links: mailsPasswordLinks,
    };
  };
}

/**
 * Redirects a browser to the provider of an ssoconfig. `return_to` is the path on this host to which the browser
 * returns afterwards.
 */
export function beginSignOn({ signOn, cookies }: SignOnOptions): Middleware<RequestState> {
  return orBack(async (ctx) => {
    const returnTo = ctx.query["return_to"];
    const begun = await signOn.begin(
      idOf(ctx),
      typeof returnTo === "string" ? returnTo : undefined,
      { address: ctx.ip },
    );
    cookies.writeAttempt(ctx, { value: begun.cookie, expiresAt: begun.expiresAt });
    seeOther(ctx, begun.location);
  });
}

/** Completes the sign-on of a browser that returns from a provider, and starts a session. */
export function finishSignOn({ signOn, cookies }: SignOnOptions): Middleware<RequestState> {
  return orBack(async (ctx) => {
    const cookie = cookies.readAttempt(ctx);
    cookies.writeAttempt(ctx, undefined);
    const returned = { cookie, query: ctx.querystring };
    const begun = await signOn.finish(idOf(ctx), returned, callerOf(ctx, cookies.readFormer(ctx)));
    cookies.write(ctx, begun);
    seeOther(ctx, begun.returnTo);
  });
}

function idOf(ctx: Context): string {
  const { id = "" }: { readonly id?: string } = ctx["params"];
  return id;
}

function seeOther(ctx: Context, location: string): void {
  ctx.status = 303;
  ctx.set("Location", location);
  ctx.body = null;
  ctx.status = 303;
}

/** Redirects people to the sign-in page with the error code, and returns the error to programs. */
function orBack(
  step: (ctx: Context & { state: RequestState }) => Promise<void>,
): Middleware<RequestState> {
  return async (ctx) => {
    try {
      await step(ctx);
    } catch (failure) {
      if (!(failure instanceof ApiError) || ctx.accepts("json", "html") !== "html") throw failure;
      seeOther(ctx, `/#sign-on=${failure.code}&request=${ctx.state.requestId}`);
    }
  };
}
