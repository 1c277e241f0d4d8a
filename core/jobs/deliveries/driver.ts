import type { Members } from "../../base/index.ts";
import type { Message } from "./message.ts";

/** The outcome of one delivery attempt. */
export type Attempt =
  /** `accepted`: a service has accepted the message, and will not report whether it was delivered. */
  | { readonly outcome: "delivered" | "accepted" }
  /** Further attempts would fail until the channel is changed. `disables` means that the host disables the channel. */
  | { readonly outcome: "refused"; readonly problem: string; readonly disables?: true }
  /** Another attempt may succeed, after `retryAfterS` at the earliest. */
  | { readonly outcome: "later"; readonly problem: string; readonly retryAfterS?: number };

/** The decrypted config of a channel. */
export type Config = Members<"url" | "text" | "subject" | "message">;

/** The content of a file that a mail contains. */
export interface AttachedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** A message for a channel, or for one of its recipients. */
export interface Delivery {
  /** The id of the delivery, which is the same for all attempts. */
  readonly id: string;
  /** Id of the channel; null or absent for a message that is not sent through a channel. */
  readonly channelId?: string | null;
  readonly message: Message;
  readonly config: Config;
  /** A recipient from `recipientsOf`; null for a channel type without recipients. */
  readonly recipient: string | null;
  /** The files that are attached to the message. */
  readonly attached?: readonly AttachedFile[];
  /** A picture that mails show, although it is not one of the message's files. */
  readonly picture?: AttachedFile;
  /** A page where the recipient can unsubscribe without signing in. */
  readonly unsubscribeUrl?: string;
  readonly signal: AbortSignal;
}

/** Sends the messages of one channel type. The problems that the driver reports contain no secrets. */
export interface Driver {
  send(delivery: Delivery): Promise<Attempt>;
}
