import type { Egress } from "../../sources/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import type { Attempt, Driver } from "./driver.ts";
import { renderSms } from "./renderSms.ts";

/** A service that sends text messages. To add one, implement this interface next to `createTwilio`. */
export interface SmsGateway {
  send(text: {
    readonly to: string;
    readonly text: string;
    readonly signal: AbortSignal;
  }): Promise<Attempt>;
}

/** Creates the driver for channels of type `sms`. */
export function createSms(gateway: SmsGateway): Driver {
  return {
    async send({ message, config, recipient, signal }) {
      if (recipient === null)
        return {
          outcome: "refused",
          problem: "config.to must contain a phone number such as +3225550100",
        };
      return gateway.send({ to: recipient, text: renderSms(message, config), signal });
    },
  };
}

export interface TwilioOptions {
  readonly egress: Egress;
  /** `https://account:token@host`: the URL of a service with Twilio's Messages API. */
  readonly url: string;
  /** The sender's number or name. */
  readonly from: string;
}

const answerBytes = 2 ** 16;

/**
 * Creates the gateway for a service with Twilio's Messages API (2010-04-01). The service queues a message before
 * sending it, so the outcome is `accepted`. If the service rejects the host's credentials, the message is retried,
 * because the operator can correct the credentials.
 * @throws {Error} if the URL contains no account or token
 */
export function createTwilio({ egress, url, from }: TwilioOptions): SmsGateway {
  const service = new URL(url);
  const account = decodeURIComponent(service.username);
  const credentials = `${account}:${decodeURIComponent(service.password)}`;
  if (!account || !service.password)
    throw new Error("MANIFOLD_SMS_URL must have the form https://account:token@host");
  const path = `/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`;
  const address = `${service.origin}${service.pathname.replace(/\/$/, "")}${path}`;
  return {
    async send({ to, text, signal }) {
      try {
        const { status, retryAfterS } = await egress.call({
          method: "POST",
          url: address,
          headers: {
            "Content-Type": "application/x-www-form-urlencoded",
            Authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
          },
          body: new URLSearchParams({ To: to, From: from, Body: text }).toString(),
          signal,
          sizeBytes: answerBytes,
        });
        if (status >= 200 && status < 300) return { outcome: "accepted" };
        const problem = `the text message service returned status ${status}`;
        if (status < 500 && !again.has(status)) return { outcome: "refused", problem };
        return { outcome: "later", problem, ...(retryAfterS !== undefined && { retryAfterS }) };
      } catch (failure) {
        if (!(failure instanceof PluginError)) throw failure;
        return { outcome: "later", problem: "the text message service did not answer" };
      }
    },
  };
}

/** Statuses for wrong credentials of the host, and statuses that ask the client to try again. */
const again: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);
