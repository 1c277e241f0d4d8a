// src/verifyEvent.ts
import { createHmac, timingSafeEqual } from "node:crypto";

/** The part of an event of type `alert` that this app reads. `docs/EVENTS.md` describes all of it. */
export interface AlertEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    /** `key` is the JSON list of the values of `instance_by`: the customer's id. */
    readonly notices: readonly { readonly key: string; readonly kind: string }[];
    /** The customer and the number of late parcels. */
    readonly rows: readonly (readonly [{ readonly id: string }, number])[];
  };
}

export interface ReceivedEvent {
  /** Value of the header `webhook-id`. */
  readonly id: string;
  /** Value of the header `webhook-timestamp`. */
  readonly sentAt: string;
  /** Value of the header `webhook-signature`. */
  readonly signatures: string;
  /** The body as it was received. */
  readonly body: Buffer;
}

const mostSecondsLate = 300;

/** Returns the event of a signed request; undefined if it does not come from the host. */
export function verifyEvent(secret: string, received: ReceivedEvent): AlertEvent | undefined {
  const { id, sentAt, signatures, body } = received;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const digest = createHmac("sha256", key).update(`${id}.${sentAt}.`).update(body).digest("base64");
  const due = Buffer.from(`v1,${digest}`);
  const isSigned = signatures
    .split(" ")
    .map((each) => Buffer.from(each))
    .some((each) => each.length === due.length && timingSafeEqual(each, due));
  const isRecent = Math.abs(Date.now() / 1000 - Number(sentAt)) < mostSecondsLate;
  return isSigned && isRecent ? JSON.parse(body.toString()) : undefined;
}
