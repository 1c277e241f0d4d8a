import type { Context, Middleware } from "koa";
import type { Subscriptions } from "../../jobs/index.ts";

/**
 * Serves the page of an unsubscribe link. A GET changes nothing, because mail scanners open links. A POST by a mail
 * program (RFC 8058) or by the page unsubscribes at once. The page needs no sign-in, cookie or redirect. All invalid
 * links get the same response.
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
    return show(ctx, "Stop these messages?", "", "Unsubscribe");
  };
}

/** Serves the page that reverses an unsubscription. */
export function resubscribePage(subscriptions: Subscriptions): Middleware {
  return async (ctx) => {
    const isDone = await subscriptions.subscribe(tokenOf(ctx), true);
    return isDone
      ? show(ctx, "You will receive these messages again.", `../${segmentOf(ctx)}`, "Unsubscribe")
      : showNothing(ctx);
  };
}

const showEnded = (ctx: Context) =>
  show(
    ctx,
    "You will no longer receive these messages.",
    `${segmentOf(ctx)}/again`,
    "Receive them again",
  );

const segmentOf = (ctx: Context): string => encodeURIComponent(tokenOf(ctx));

function tokenOf(ctx: Context): string {
  const { token }: { readonly token: string } = ctx["params"];
  return token;
}

function showNothing(ctx: Context): void {
  show(ctx, "This link is not valid.");
  ctx.status = 404;
}

/** Shows a page. Its text needs no escaping, because it is our own, and the action contains only a verified token. */
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
