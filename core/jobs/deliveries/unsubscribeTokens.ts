import type { Cipher } from "../../catalog/index.ts";

/** The context in which tokens are sealed; a token of another use does not open. */
const context = "unsubscribe";
const prefix = "v1.";

/** A recipient of a channel. */
interface Subscription {
  readonly channelId: string;
  readonly recipient: string;
}

/**
 * Makes the token of a link to unsubscribe: channel and recipient, sealed with the secret of the host. It names
 * nothing that can be read or guessed, and is another one each time.
 */
export function sealSubscription(cipher: Cipher, { channelId, recipient }: Subscription): string {
  return cipher.seal(JSON.stringify([channelId, recipient]), context).slice(prefix.length);
}
