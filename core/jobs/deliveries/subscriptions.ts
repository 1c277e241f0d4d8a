import type { Knex } from "knex";
import type { Cipher } from "../../catalog/index.ts";
import { openSubscription } from "./unsubscribeTokens.ts";

/** Actions that the holder of a link in a mail takes without signing in. */
export interface Subscriptions {
  /** Whether the recipient of a link gets messages; undefined for a text that is no link of this host. */
  isSubscribed(token: string): Promise<boolean | undefined>;
  /** Ends the messages of a channel to the recipient of a link, or begins them again. False for no link. */
  subscribe(token: string, isSubscribed: boolean): Promise<boolean>;
}

/** Makes the subscriptions of a catalog. A link to a channel that is gone is no link. */
export function createSubscriptions({
  knex,
  cipher,
}: {
  readonly knex: Knex;
  readonly cipher: Cipher;
}): Subscriptions {
  return {
    async isSubscribed(token) {
      const found = openSubscription(cipher, token);
      if (!found) return undefined;
      const row: { unsubscribed: string[] } | undefined = await knex("channel")
        .where({ id: found.channelId })
        .first("unsubscribed");
      return row && !row.unsubscribed.includes(found.recipient);
    },
    async subscribe(token, isSubscribed) {
      const found = openSubscription(cipher, token);
      if (!found) return false;
      const { channelId, recipient } = found;
      const added = isSubscribed ? [] : [recipient];
      const { rowCount }: { rowCount: number } = await knex.raw(
        "update channel set unsubscribed = (unsubscribed - ?::text) || ?::jsonb where id = ?::uuid",
        [recipient, JSON.stringify(added), channelId],
      );
      return rowCount > 0;
    },
  };
}
