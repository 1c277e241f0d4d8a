// src/pages.ts
import { customerOf } from "./customers.ts";
import { lateCountOf } from "./lateParcels.ts";
import { setting } from "./setting.ts";
import type { User } from "./users.ts";

const escape = (text: string) =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const documentOf = (localeId: string, title: string, body: string) => `<!doctype html>
<html lang="${localeId}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<link rel="stylesheet" href="/page.css">
${body}
</html>`;

/** Returns the page on which people sign in. */
export const signInPage = (problem = "") =>
  documentOf(
    "en",
    "Sign in",
    `<form method="post" action="/session">
<label>E-mail address <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
<p role="alert">${escape(problem)}</p>
</form>`,
  );

/** Returns the page with the dashboard of a user's customer. */
export function dashboardPage(user: User): string {
  const { name, localeId, theme, words } = customerOf(user.customerId);
  const late = lateCountOf(user.customerId);
  return documentOf(
    localeId,
    `${words.title} · ${name}`,
    `<body class="${theme.type}">
<header>
<h1>${escape(`${words.title} · ${name}`)}</h1>
<form method="post" action="/session/end">${escape(user.name)} <button>${escape(words.signOut)}</button></form>
</header>
${late > 0 ? `<p id="late">${escape(words.late(late))}</p>` : ""}
<p id="unavailable" role="status" hidden>${escape(words.unavailable)}</p>
<manifold-dashboard host="${escape(setting("MANIFOLD_URL"))}" dashboard="${escape(setting("DASHBOARD"))}"></manifold-dashboard>
<script type="module" src="/page.js"></script>
</body>`,
  );
}
