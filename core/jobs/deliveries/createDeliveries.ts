import type { Knex } from "knex";
import type { Cipher, Log } from "../../catalog/index.ts";
import type { Metrics, Records } from "../../base/index.ts";
import type { Egresses } from "../../sources/index.ts";
import type { Notify } from "../alerts/createEvaluator.ts";
import type { JobKind } from "../queue/jobKind.ts";
import { createNotify, type DigestPace } from "./createNotify.ts";
import { deliver, type DeliverOptions } from "./deliver.ts";
import { createEmail } from "./email.ts";
import { readExportFile } from "./exportFile.ts";
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
  /** The mail server; without one, channels of type email are refused. */
  readonly mail?: { readonly smtpUrl: string; readonly from: string };
  /** The service of text messages; without one, channels of type sms are refused. */
  readonly textMessages?: {
    readonly url: string;
    readonly from: string;
    /** For each organization. */
    readonly perDay: number;
  };
  /** The address of the host as people reach it. */
  readonly publicUrl: () => string;
  readonly log: Log;
  readonly addJobs: DeliverOptions["addJobs"];
  readonly pace?: DigestPace;
  /** Counts the attempts of the host. */
  readonly metrics?: Pick<Metrics, "delivery"> | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The messages of a host: how they are made, and how they reach their channels. */
export interface Deliveries {
  readonly kind: JobKind;
  /** Adds the messages of evaluations to their transaction. */
  readonly notify: Notify;
  /** Makes one attempt that is not recorded. */
  readonly send: Send;
  readonly hasMail: boolean;
  close(): void;
}

/** Deliveries at the same time on a host. */
const deliveryCount = 16;
/** Deadline of an attempt at a mail server. */
const mailMs = 30_000;

/**
 * Makes the deliveries of a host.
 * @throws {Error} when the address of the service of text messages has no account
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
  const driversOf = async (userId: string): Promise<Drivers> => {
    const egress = await egresses.ofUser(userId);
    return {
      webhook: createWebhook(egress, options.now),
      slack: createSlack(egress),
      teams: createTeams(egress),
      ...ownDrivers,
    };
  };
  const unsubscribeUrl = (channelId: string, recipient: string) =>
    `${publicUrl()}/unsubscribe/${sealSubscription(cipher, { channelId, recipient })}`;
  const textMessagesPerDay = textMessages?.perDay ?? 0;
  const fileOf = (exportEventId: string) => readExportFile(exportEventId, options.records);
  const sending = { ...options, driversOf, ownDrivers, unsubscribeUrl, fileOf, textMessagesPerDay };
  const send = measureSend(createSend(sending), options.metrics);
  return {
    kind: {
      name: "delivery",
      batchSize: deliveryCount,
      // A delivery plans its attempts itself. A job runs again only when its host died or the catalog was away.
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
    close: () => email?.close(),
  };
}
