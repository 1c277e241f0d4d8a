import { Value } from "typebox/value";
import * as assert from "uvu/assert";
import { webhookEvents, webhookSchema } from "../../core/jobs/deliveries/webhookEvents.ts";

/** A webhook's body that has been checked against the published schema of its type. */
export interface CheckedEvent {
  readonly id: string;
  readonly type: string;
  readonly organization_id: string | null;
  readonly channel_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Parses the body of a webhook and checks it against the published schema of its type. */
export function webhookEvent(body: string | object): CheckedEvent {
  const event = (typeof body === "string" ? JSON.parse(body) : body) as CheckedEvent;
  const type = Object.keys(webhookEvents).find((each) => each === event.type);
  assert.ok(type, `there is no event of type ${event.type}`);
  const errors = Value.Errors(webhookSchema(type as keyof typeof webhookEvents), event);
  assert.equal(
    errors.map(({ instancePath, message }) => `${instancePath} ${message}`),
    [],
    JSON.stringify(event),
  );
  return event;
}
