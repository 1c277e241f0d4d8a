import type { Knex } from "knex";
import type { Cipher, Log } from "../../catalog/index.ts";
import type { Metrics, Records } from "../../base/index.ts";
import type { ExportWork } from "../../exports/index.ts";
import type { Egresses } from "../../sources/index.ts";
import type { Notify } from "../alerts/createEvaluator.ts";
import type { JobKind } from "../queue/jobKind.ts";
import { createNotify } from "./createNotify.ts";
import type { DigestPace } from "./digestPace.ts";
import { deliver, type DeliverOptions } from "./deliver.ts";
import { createEmail } from "./email.ts";
import { drawChart } from "./drawChart.ts";
import { readExportFiles } from "./exportFile.ts";
import type { Message } from "./message.ts";
import { type LinkToMail, renderLinkMail } from "./renderLinkMail.ts";
import { createSend, type Drivers, type Send } from "./sendTo.ts";
import { measureSend } from "./measureSend.ts";
import { createSlack } from "./slack.ts";
import { createSms, createTwilio } from "./sms.ts";
import { createTeams } from "./teams.ts";
import { sealSubscription } from "./unsubscribeTokens.ts";
import { createWebhook } from "./webhook.ts";

export interface DeliveriesOptions {
  readonly knex: Knex;
  readonly records: Records;
  readonly cipher: Cipher;
  readonly egresses: Pick<Egresses, "ofHost" | "ofUser">;
  /** The mail server. Without it, sending to channels of type email fails. */
  readonly mail?: { readonly smtpUrl: string; readonly from: string };
  /** The text message service. Without it, sending to channels of type sms fails. */
  readonly textMessages?: {
    readonly url: string;
    readonly from: string;
    /** Maximum number of text messages per organization and day. */
    readonly perDay: number;
  };
  /** Returns the URL at which people reach the host. */
  readonly publicUrl: () => string;
  /** Converts the pictures of messages to PNG. Without it, messages have no pictures. */
  readonly exportWork?: Pick<ExportWork, "rasterize">;
  readonly log: Log;
  readonly addJobs: DeliverOptions["addJobs"];
  readonly pace?: DigestPace;
  /** Counts the delivery attempts of the host. */
  readonly metrics?: Pick<Metrics, "delivery"> | undefined;
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates the messages of a host and delivers them to their channels. */
export interface Deliveries {
  readonly kind: JobKind;
  /** Adds the messages of evaluations in the transaction of the evaluations. */
  readonly notify: Notify;
  /** Makes one attempt to send a message, without recording the attempt. */
  readonly send: Send;
  readonly hasMail: boolean;
  /** Mails a link to choose a password. Resolves to whether the mail server accepted the mail. Absent without mail. */
  readonly mailLink?: ((link: LinkToMail) => Promise<boolean>) | undefined;
  close(): void;
}

/** Maximum number of concurrent deliveries per host. */
const deliveryCount = 16;
/** Maximum milliseconds for one attempt at a mail server. */
const mailMs = 30_000;

/**
 * Creates the deliveries of a host.
 * @throws {Error} if the URL of the text message service contains no account
 */
export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { egresses, mail, textMessages, cipher, publicUrl } = options;
  const email = mail && createEmail({ ...mail, timeoutMs: mailMs });
  const ownDrivers: Drivers = {
    ...(textMessages && {
      sms: createSms(createTwilio({ egress: egresses.ofHost, ...textMessages })),
    }),
    ...(email && { email }),
  };
  const organizationOf = async (userId: string): Promise<string | null> => {
    const links = await options.records.linked("user", "Organizations", [userId]);
    return links.find(({ ownId }) => ownId === userId)?.otherId ?? null;
  };
  const driversOf = async (userId: string): Promise<Drivers> => {
    const egress = await egresses.ofUser(userId);
    return {
      webhook: createWebhook(egress, {
        now: options.now,
        organizationId: () => organizationOf(userId),
      }),
      slack: createSlack(egress),
      teams: createTeams(egress),
      ...ownDrivers,
    };
  };
  const unsubscribeUrl = (channelId: string, recipient: string) =>
    `${publicUrl()}/unsubscribe/${sealSubscription(cipher, { channelId, recipient })}`;
  const textMessagesPerDay = textMessages?.perDay ?? 0;
  const filesOf = (exportEventId: string) => readExportFiles(exportEventId, options.records);
  const drawPicture = async (message: Message) => {
    try {
      const scene = options.exportWork && (await drawChart(message));
      return scene && (await options.exportWork?.rasterize(scene));
    } catch (failure) {
      // The mail says the same in words, so it is sent without the picture.
      options.log.warn({ err: failure, alert: message.alertId }, "a mail has no picture");
      return undefined;
    }
  };
  const sending = {
    ...options,
    driversOf,
    ownDrivers,
    unsubscribeUrl,
    filesOf,
    drawPicture,
    textMessagesPerDay,
  };
  const send = measureSend(createSend(sending), options.metrics);
  return {
    kind: {
      name: "delivery",
      batchSize: deliveryCount,
      // A delivery plans its attempts itself. The queue repeats a job only if its host died or the catalog was
      // unavailable.
      retryLimit: 10,
      retryDelayS: 5,
      longestDelayS: 300,
      expireS: 120,
      run: ({ data, signal }) =>
        deliver(data, signal, { ...options, send, hasMail: email !== undefined }),
    },
    notify: createNotify(options),
    send,
    hasMail: email !== undefined,
    mailLink: email && ((link) => email.post(renderLinkMail(link))),
    close: () => email?.close(),
  };
}
