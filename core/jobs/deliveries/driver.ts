import type { Message } from "./message.ts";

/** The end of one attempt to deliver. */
export type Attempt =
  | { readonly outcome: "delivered" | "accepted" }
  /** Nothing but a change of the channel helps; `disables` ends the channel. */
  | { readonly outcome: "refused"; readonly problem: string; readonly disables?: true }
  /** Another attempt may help, not before `retryAfterS`. */
  | { readonly outcome: "later"; readonly problem: string; readonly retryAfterS?: number };

/** A message for one channel. */
export interface Delivery {
  /** The same over all attempts. */
  readonly id: string;
  readonly message: Message;
  /** The config of the channel, opened. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Sends the messages of one type of channel. Problems that it names hold no secret. */
export interface Driver {
  send(delivery: Delivery): Promise<Attempt>;
}
