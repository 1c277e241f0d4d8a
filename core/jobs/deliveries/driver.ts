import type { Members } from "../../base/index.ts";
import type { Message } from "./message.ts";

/** The outcome of one delivery attempt. */
export type Attempt =
  /** `accepted`: a service accepted the message and reports nothing more. */
  | { readonly outcome: "delivered" | "accepted" }
  /** Further attempts fail until the channel is changed. `disables` disables the channel. */
  | { readonly outcome: "refused"; readonly problem: string; readonly disables?: true }
  /** Another attempt may succeed, after `retryAfterS` at the earliest. */
  | { readonly outcome: "later"; readonly problem: string; readonly retryAfterS?: number };

/** The decrypted config of a channel. */
export type Config = Members<"url" | "text" | "subject" | "message">;

/** A message for a channel, or for one of its recipients. */
export interface Delivery {
  /** The same for all attempts. */
  readonly id: string;
  readonly message: Message;
  readonly config: Config;
  /** One of `recipientsOf`; null for a channel without recipients. */
  readonly recipient: string | null;
  /** The content of the file that the message names. */
  readonly attached?: Buffer;
  /** A page where the recipient can unsubscribe without signing in. */
  readonly unsubscribeUrl?: string;
  readonly signal: AbortSignal;
}

/** Sends the messages of one channel type. The problems that it reports contain no secrets. */
export interface Driver {
  send(delivery: Delivery): Promise<Attempt>;
}
