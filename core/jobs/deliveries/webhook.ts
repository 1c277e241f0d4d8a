import { createHmac } from "node:crypto";
import { millisecondsOf } from "../../../plugins/protocol/index.ts";
import type { Egress } from "../../sources/index.ts";
import type { Config, Driver } from "./driver.ts";
import { postJson } from "./postJson.ts";
import { renderWebhook } from "./webhookEvents.ts";

/**
 * Creates the driver for channels of type `webhook`. It sends JSON by POST, signed as Standard Webhooks describes
 * (https://www.standardwebhooks.com, webhook-id, webhook-timestamp and webhook-signature). `config.secret` is `whsec_`
 * with base64, or any string. After the secret is changed, messages are also signed with `config.previous_secret` until
 * `config.previous_secret_until`.
 */
export function createWebhook(
  egress: Egress,
  {
    now = Date.now,
    organizationId = async () => null,
  }: {
    readonly now?: () => number;
    /** Returns the organization of the channel's owner. */
    readonly organizationId?: () => Promise<string | null>;
  } = {},
): Driver {
  return {
    async send({ id, channelId = null, message, config, signal }) {
      const { url, secret } = config;
      const ids = { id, channelId, organizationId: await organizationId() };
      const body = JSON.stringify(renderWebhook(message, ids));
      const timestamp = Math.floor(now() / 1000);
      const signed = `${id}.${timestamp}.${body}`;
      const signatures = [secret, previousOf(config, now())].flatMap((each) =>
        typeof each === "string" && each !== "" ? [`v1,${signatureOf(each, signed)}`] : [],
      );
      return postJson(egress, {
        url,
        body,
        signal,
        headers: {
          "webhook-id": id,
          "webhook-timestamp": String(timestamp),
          ...(signatures.length > 0 && { "webhook-signature": signatures.join(" ") }),
        },
      });
    },
  };
}

function previousOf({ previous_secret, previous_secret_until: until }: Config, nowMs: number) {
  const isOver = typeof until === "string" && Number(millisecondsOf(until)) <= nowMs;
  return isOver ? undefined : previous_secret;
}

function signatureOf(secret: string, signed: string): string {
  const [, encoded] = /^whsec_(.+)$/.exec(secret) ?? [];
  const key = encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, "base64");
  return createHmac("sha256", key).update(signed).digest("base64");
}
