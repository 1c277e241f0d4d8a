// src/embedTokens.ts
import { customerOf } from "./customers.ts";
import { rememberToken } from "./sessions.ts";
import { openClient, setting } from "./setting.ts";
import type { User } from "./users.ts";

const tokenMinutes = 15;

/** What the page gets: a key pair that can read one dashboard, and only the rows of the user's customer. */
export interface EmbedToken {
  readonly id: string;
  readonly token: string;
  readonly expiry: string;
}

/** Issues a token for the dashboard of a signed-in user. Undefined if the session was closed in the meantime. */
export async function issueToken(sessionId: string, user: User): Promise<EmbedToken | undefined> {
  const customer = customerOf(user.customerId);
  const expiry = new Date(Date.now() + tokenMinutes * 60_000).toISOString();
  const { id, token } = await openClient().create("authorization", {
    type: "embed",
    username: user.email,
    name: user.name,
    suborganization: customer.id,
    access: {
      dashboards: [{ id: setting("DASHBOARD"), rights: "read" }],
      datasets: [{ id: setting("DATASET"), rights: "use" }],
    },
    // The row filter of the model compares the column `tenant` with this parameter.
    parameter_overrides: { tenant: customer.id },
    theme: customer.theme,
    locale_id: customer.localeId,
    allowed_origins: [setting("APP_URL")],
    expiry,
  });
  if (rememberToken(sessionId, id)) return { id, token, expiry };
  await revokeTokens([id]);
  return undefined;
}

/** Revokes tokens at the host. Tokens that cannot be revoked, because the host is down, expire by themselves. */
export async function revokeTokens(ids: readonly string[]): Promise<void> {
  const client = openClient();
  const ended = await Promise.allSettled(ids.map((id) => client.delete("authorization", id)));
  for (const each of ended)
    if (each.status === "rejected") console.error("a token was not revoked:", each.reason);
}
