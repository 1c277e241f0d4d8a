import type { Knex } from "knex";
import type { Cipher } from "../../catalog/index.ts";
import { openSubscription } from "./unsubscribeTokens.ts";

/** Actions for people who follow a link in a mail, without signing in. */
export interface Subscriptions {
  /** Returns whether the recipient of a link receives messages; undefined if the token is not valid for this host. */
  isSubscribed(token: string): Promise<boolean | undefined>;
  /**
   * Unsubscribes the recipient of a link from the messages of a channel, or subscribes the recipient again. Resolves to
   * false for an invalid link.
   */
  subscribe(token: string, isSubscribed: boolean): Promise<boolean>;
}

/** Creates the subscriptions of a catalog. Links to deleted channels are invalid. */
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
