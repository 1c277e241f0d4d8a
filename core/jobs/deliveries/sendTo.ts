import type { Knex } from "knex";
import type { ResourceRow } from "../../base/index.ts";
import type { AttachedFile, Attempt, Delivery, Driver } from "./driver.ts";
import type { Message } from "./message.ts";
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
  /** Returns the files of an export; undefined once they have been deleted from the catalog. */
  readonly filesOf: (exportEventId: string) => Promise<readonly Buffer[] | undefined>;
  /** Draws the picture of a message as PNG; undefined for a message without a picture. */
  readonly drawPicture: (message: Message) => Promise<Buffer | undefined>;
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
    filesOf,
    drawPicture,
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
    const { attachment, moreAttachments = [] } = message.message;
    const isMail = type === "email";
    const files = attachment && isMail ? await filesOf(attachment.exportEventId) : [];
    if (!files) return refused("the files of the export have been removed from the catalog");
    const names = attachment ? [attachment, ...moreAttachments] : [];
    const attached = files.flatMap((bytes, index): AttachedFile[] => {
      const { name, mediaType } = names[index] ?? {};
      return name === undefined || mediaType === undefined ? [] : [{ name, mediaType, bytes }];
    });
    const picture = isMail ? await drawPicture(message.message) : undefined;
    return driver.send({
      ...message,
      channelId: channel?.id ?? null,
      config,
      ...unsubscribing,
      ...(attached.length > 0 && { attached }),
      ...(picture && { picture: { name: "chart.png", mediaType: "image/png", bytes: picture } }),
    });
  };
}

const refused = (problem: string): Attempt => ({ outcome: "refused", problem });
