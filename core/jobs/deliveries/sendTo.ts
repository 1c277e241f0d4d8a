import type { Knex } from "knex";
import type { ResourceRow } from "../../base/index.ts";
import type { Attempt, Delivery, Driver } from "./driver.ts";
import { takeTextMessage } from "./textMessageLimit.ts";

/** Drivers by channel type. Sending to a channel type without a driver fails. */
export type Drivers = Readonly<Partial<Record<ResourceRow<"channel">["type"], Driver>>>;

/** Makes one attempt to send a message to a channel. Without a channel, the message is mailed to the recipient. */
export type Send = (
  message: Pick<Delivery, "id" | "message" | "recipient" | "signal">,
  channel: Pick<ResourceRow<"channel">, "id" | "type" | "config" | "user_id"> | undefined,
) => Promise<Attempt>;

export interface SendOptions {
  readonly knex: Knex;
  /**
   * Returns the drivers for the channels of a user. The user's organization determines which addresses the drivers may
   * reach.
   */
  readonly driversOf: (userId: string) => Promise<Drivers>;
  /** Drivers for the destinations in the operator's settings. */
  readonly ownDrivers: Drivers;
  /** Returns the link with which a recipient unsubscribes from a channel. */
  readonly unsubscribeUrl: (channelId: string, recipient: string) => string;
  /** Returns the file of an export; undefined once the file has been deleted from the catalog. */
  readonly fileOf: (exportEventId: string) => Promise<Buffer | undefined>;
  /** Maximum number of text messages per organization and day. */
  readonly textMessagesPerDay: number;
  readonly now: () => number;
}

/** Creates the function that passes a message to the driver of its channel. */
export function createSend(options: SendOptions): Send {
  const {
    knex,
    driversOf,
    ownDrivers,
    unsubscribeUrl,
    fileOf,
    textMessagesPerDay: perDay,
    now,
  } = options;
  return async (message, channel) => {
    const { type, config } = channel ?? { type: "email" as const, config: {} };
    const drivers = channel ? await driversOf(channel.user_id) : ownDrivers;
    const driver = drivers[type];
    if (!driver) return refused(`this host cannot send to channels of type ${type}`);
    if (config === null) return refused("the channel has no config");
    const { recipient } = message;
    if (type === "sms" && channel && recipient !== null)
      if (!(await takeTextMessage(knex, channel.user_id, perDay, now())))
        return refused(`the organization has reached its limit of ${perDay} text messages today`);
    const unsubscribing =
      type === "email" && channel && recipient !== null
        ? { unsubscribeUrl: unsubscribeUrl(channel.id, recipient) }
        : {};
    const { attachment } = message.message;
    const attached = attachment && type === "email" && (await fileOf(attachment.exportEventId));
    if (attachment && type === "email" && !attached)
      return refused("the file of the export has been removed from the catalog");
    return driver.send({
      ...message,
      channelId: channel?.id ?? null,
      config,
      ...unsubscribing,
      ...(attached && { attached }),
    });
  };
}

const refused = (problem: string): Attempt => ({ outcome: "refused", problem });
