import { type Cipher, SecretLost } from "../../catalog/index.ts";
import { isList } from "../../base/index.ts";

/** The context in which tokens are sealed. Tokens sealed for another purpose cannot be opened. */
const context = "unsubscribe";
const prefix = "v1.";

/** The channel and the recipient that an unsubscribe link names. */
export interface Subscription {
  readonly channelId: string;
  readonly recipient: string;
}

/**
 * Creates the token of an unsubscribe link: the channel and the recipient, encrypted with the host's secret. Tokens can
 * be neither read nor guessed, and each call returns a different token.
 */
export function sealSubscription(cipher: Cipher, { channelId, recipient }: Subscription): string {
  const [, token = ""] = cipher.seal(JSON.stringify([channelId, recipient]), context).split(".");
  return token;
}

/** Decrypts a token; undefined for a string that is not a token of this host. */
export function openSubscription(cipher: Cipher, token: string): Subscription | undefined {
  // A string that is shorter than a nonce and a tag, or longer than the token for any address, is not a token.
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
