import { type ApiCall, ApiError, isObject, type ResourceRow } from "../../base/index.ts";
import { checkConfigMembers } from "../../resources/index.ts";
import { evaluateAlert } from "../alerts/evaluateAlert.ts";
import { ruleOf } from "../alerts/ruleOf.ts";
import { type Notice, step, wholeKey } from "../alerts/step.ts";
import { channelsOf } from "../deliveries/channelsOf.ts";
import { createMessage } from "../deliveries/createMessage.ts";
import { renderMessage } from "../deliveries/renderMessage.ts";
import type { ActionOptions } from "./actionOptions.ts";
import { readDraft } from "./readDraft.ts";
import { option, readOptions } from "./readOptions.ts";

type Type = ResourceRow<"channel">["type"];
const types = ["email", "slack", "sms", "teams", "webhook"] as const satisfies readonly Type[];

const known = { type: option.oneOf(...types), config: option.object };

/**
 * Returns the messages that an alert would send now, with the current rows, without sending them. Returns one message
 * for each channel of the alert, or one message for `options.type` with the templates in `options.config`. If the alert
 * does not fire, the messages look as if it did.
 * @throws {ApiError} as `readDraft`; MEMBER_INVALID for the config; the error of a failed query
 */
export async function previewAlert(call: ApiCall, options: ActionOptions): Promise<object> {
  const { type: given, config } = readOptions(call.body.options, known);
  const type = types.find((each) => each === given);
  if (config && !type)
    throw new ApiError("MEMBER_MISSING", ["options.type", `one of ${types.join(", ")}`]);
  if (type) checkConfigMembers(type, config, "options");
  const { alert, stored, principal, evaluatedAs } = await readDraft(call, options);
  const slotMs = options.now();
  if (!principal)
    return { evaluated_as: evaluatedAs, outcome: "skipped", reason: null, previews: [] };
  const result = await evaluateAlert(alert, principal, { slotMs, signal: call.signal }, options);
  const { notices } = step(new Map(), result.observation, ruleOf(alert), slotMs);
  const assumed: readonly Notice[] = [{ key: wholeKey, kind: "firing" }];
  const message = await createMessage(
    alert,
    {
      slotMs,
      step: { notices: notices.length > 0 ? notices : assumed },
      ...(result.outcome === "answered" && { answer: result.answer }),
    },
    options,
  );
  const channels = type
    ? [{ id: null, type, config: isObject(config) ? config : {} }]
    : stored
      ? await options.records.transaction(
          async (transaction) =>
            (await channelsOf([stored], options.records, transaction)).get(stored.id) ?? [],
        )
      : [];
  return {
    evaluated_as: evaluatedAs,
    outcome: result.outcome,
    reason: result.reason ?? null,
    previews: channels.map((channel) => ({
      channel_id: channel.id,
      type: channel.type,
      ...renderMessage(channel.type, message, channel.config ?? {}, {
        channelId: channel.id,
        organizationId: principal.organizationId,
      }),
    })),
  };
}
