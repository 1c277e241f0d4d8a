import { createHmac } from "node:crypto";
import type { Egress } from "../../connections/index.ts";
import type { Driver } from "./driver.ts";
import { postJson } from "./postJson.ts";

/**
 * Makes the driver of channels of type `webhook`: JSON by POST, signed as Standard Webhooks describe
 * (https://www.standardwebhooks.com, webhook-id, webhook-timestamp and webhook-signature). `config.secret` is
 * `whsec_` and base64, or any text; while it is replaced, `config.previous_secret` signs too.
 */
export function createWebhook(egress: Egress, now: () => number = Date.now): Driver {
  return {
    async send({ id, message, config, signal }) {
      const { url, secret, previous_secret: previous } = config;
      const body = JSON.stringify({
        type: "alert",
        timestamp: new Date(message.slotMs),
        data: message,
      });
      const timestamp = Math.floor(now() / 1000);
      const signed = `${id}.${timestamp}.${body}`;
      const signatures = [secret, previous].flatMap((each) =>
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

function signatureOf(secret: string, signed: string): string {
  const [, encoded] = /^whsec_(.+)$/.exec(secret) ?? [];
  const key = encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, "base64");
  return createHmac("sha256", key).update(signed).digest("base64");
}
