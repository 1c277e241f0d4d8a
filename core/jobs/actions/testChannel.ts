import { randomUUID } from "node:crypto";
import type { ApiCall } from "../../base/index.ts";
import { localeOf } from "../deliveries/createMessage.ts";
import type { Message } from "../deliveries/message.ts";
import { recipientsOf } from "../deliveries/recipientsOf.ts";
import { namesOf } from "../deliveries/namesOf.ts";
import { type ActionOptions, expectRecord } from "./actionOptions.ts";
import { presentAttempt } from "./testAlert.ts";

/** Maximum number of recipients of a test. Further recipients of the channel receive nothing. */
const mostTested = 5;

/**
 * Makes one attempt to send a message without rows to the recipients of a channel, and returns each outcome. The caller
 * must own the channel. Records nothing. A test that arrives enables a disabled or paused channel again.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN
 */
export async function testChannel(call: ApiCall, options: ActionOptions): Promise<object> {
  const { records, publicUrl, now } = options;
  const { principal, signal } = call;
  const channel = await expectRecord("channel", call.body.id, "own", call, options);
  const [user] = await records.find("user", { id: principal.userId });
  const { name } = channel;
  const message: Message = {
    kind: "test",
    alertId: null,
    name: name === null ? { en: channel.type } : namesOf(name),
    notices: [],
    noticeCounts: {},
    condition: "",
    slotMs: now(),
    zone: user?.timezone_id ?? "UTC",
    queryZone: "UTC",
    locale: await localeOf(principal.userId, records),
    heads: [],
    forms: [],
    rows: [],
    rowCount: 0,
    link: `${publicUrl()}/channels/${channel.id}`,
  };
  const recipients = recipientsOf(channel.type, channel.config) ?? [];
  const tested: (string | null)[] = recipients.slice(0, mostTested);
  const results: object[] = [];
  let isReached = false;
  for (const recipient of tested.length > 0 ? tested : [null]) {
    if (recipient !== null && channel.unsubscribed.includes(recipient)) {
      results.push({ recipient, outcome: "unsubscribed", problem: null });
      continue;
    }
    const attempt = await options.deliveries.send(
      { id: randomUUID(), message, recipient, signal },
      channel,
    );
    isReached ||= !("problem" in attempt);
    results.push({ recipient, ...presentAttempt(attempt) });
  }
  if (isReached)
    await records.change("channel", channel.id, {
      disabled_reason: null,
      failures: 0,
      paused_until: null,
    });
  return { results };
}
