import { type Cipher, SecretLost } from "../../catalog/index.ts";
import { isList } from "../../base/index.ts";

/** The context in which tokens are sealed; a token of another use does not open. */
const context = "unsubscribe";
const prefix = "v1.";

/** A recipient of a channel. */
export interface Subscription {
  readonly channelId: string;
  readonly recipient: string;
}

/**
 * Makes the token of a link to unsubscribe: channel and recipient, sealed with the secret of the host. It names
 * nothing that can be read or guessed, and is another one each time.
 */
export function sealSubscription(cipher: Cipher, { channelId, recipient }: Subscription): string {
  const [, token = ""] = cipher.seal(JSON.stringify([channelId, recipient]), context).split(".");
  return token;
}

/** Opens a token; undefined for any text that is none of this host. */
export function openSubscription(cipher: Cipher, token: string): Subscription | undefined {
  // Shorter than nonce and tag, or longer than any address needs.
  if (!/^[\w-]{60,1200}$/.test(token)) return undefined;
  try {
    const opened: unknown = JSON.parse(cipher.open(prefix + token, context));
    const [channelId, recipient] = isList(opened) ? opened : [];
    if (typeof channelId !== "string" || typeof recipient !== "string") return undefined;
    return channelId && recipient ? { channelId, recipient } : undefined;
  } catch (failure) {
    if (failure instanceof SecretLost) return undefined;
    throw failure;
  }
}
