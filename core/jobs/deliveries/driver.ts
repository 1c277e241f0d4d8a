import type { Members } from "../../base/index.ts";
import type { Message } from "./message.ts";

/** The end of one attempt to deliver. */
export type Attempt =
  /** `accepted`: a service took it, and does not say more. */
  | { readonly outcome: "delivered" | "accepted" }
  /** Nothing but a change of the channel helps; `disables` ends the channel. */
  | { readonly outcome: "refused"; readonly problem: string; readonly disables?: true }
  /** Another attempt may help, not before `retryAfterS`. */
  | { readonly outcome: "later"; readonly problem: string; readonly retryAfterS?: number };

/** The config of a channel, opened. */
export type Config = Members<"url" | "text" | "subject" | "message">;

/** A message for one channel, or for one recipient of it. */
export interface Delivery {
  /** The same over all attempts. */
  readonly id: string;
  readonly message: Message;
  readonly config: Config;
  /** One of `recipientsOf`; null for a channel without recipients. */
  readonly recipient: string | null;
  /** The file that the message names. */
  readonly attached?: Buffer;
  /** Where the recipient ends these messages without signing in. */
  readonly unsubscribeUrl?: string;
  readonly signal: AbortSignal;
}

/** Sends the messages of one type of channel. Problems that it names hold no secret. */
export interface Driver {
  send(delivery: Delivery): Promise<Attempt>;
}
