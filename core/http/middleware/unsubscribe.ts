import type { Context, Middleware } from "koa";
import type { Subscriptions } from "../../jobs/index.ts";

/**
 * Serves the page behind the link of a mail. A GET changes nothing, because programs that check mails open links; the
 * POST of a mail program (RFC 8058) and of the page end the messages at once. It needs no sign-in, no cookie and no
 * redirect. A link that is not valid is answered alike, whatever is wrong with it.
 */
export function unsubscribePage(subscriptions: Subscriptions): Middleware {
  return async (ctx) => {
    const token = tokenOf(ctx);
    if (ctx.method === "POST") {
      const isDone = await subscriptions.subscribe(token, false);
      return isDone ? showEnded(ctx) : showNothing(ctx);
    }
    const isSubscribed = await subscriptions.isSubscribed(token);
    if (isSubscribed === undefined) return showNothing(ctx);
    if (!isSubscribed) return showEnded(ctx);
    return show(ctx, "End these messages?", "", "Unsubscribe");
  };
}

/** Serves the form that takes an unsubscription back. */
export function resubscribePage(subscriptions: Subscriptions): Middleware {
  return async (ctx) => {
    const isDone = await subscriptions.subscribe(tokenOf(ctx), true);
    return isDone
      ? show(ctx, "You get these messages again.", `../${segmentOf(ctx)}`, "Unsubscribe")
      : showNothing(ctx);
  };
}

const showEnded = (ctx: Context) =>
  show(ctx, "You get no more of these messages.", `${segmentOf(ctx)}/again`, "Get them again");

const segmentOf = (ctx: Context): string => encodeURIComponent(tokenOf(ctx));

function tokenOf(ctx: Context): string {
  const { token }: { readonly token: string } = ctx["params"];
  return token;
}

function showNothing(ctx: Context): void {
  show(ctx, "This link is not valid.");
  ctx.status = 404;
}

/** The texts are ours alone, and the action holds a token that was opened. */
function show(ctx: Context, text: string, action?: string, button?: string): void {
  const form =
    button === undefined
      ? ""
      : `<form method="post"${action ? ` action="${action}"` : ""}><button>${button}</button></form>`;
  ctx.set(
    "Content-Security-Policy",
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  ctx.status = 200;
  ctx.type = "text/html";
  ctx.body = `<!doctype html><html lang="en"><title>Messages</title><p>${text}</p>${form}</html>`;
}
