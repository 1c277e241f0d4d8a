import type { ResourceRow } from "../../base/index.ts";
import type { Config } from "./driver.ts";
import type { Message } from "./message.ts";
import { renderEmail } from "./renderEmail.ts";
import { renderSlack } from "./slack.ts";
import { renderSms } from "./renderSms.ts";
import { renderTeams } from "./teams.ts";
import { renderWebhook } from "./webhookEvents.ts";

/** The message id that previews show. */
const shownId = "00000000-0000-0000-0000-000000000000";

/** Renders a message as a channel of the given type would send it, without sending it. */
export function renderMessage(
  type: ResourceRow<"channel">["type"],
  message: Message,
  config: Config,
  {
    channelId = null,
    organizationId = null,
  }: { readonly channelId?: string | null; readonly organizationId?: string | null } = {},
): object {
  switch (type) {
    case "email":
      return renderEmail(message, config);
    case "slack":
      return { body: renderSlack(message, config, shownId) };
    case "sms":
      return { text: renderSms(message, config) };
    case "teams":
      return { body: renderTeams(message, config, shownId) };
    case "webhook":
      return { body: renderWebhook(message, { id: shownId, channelId, organizationId }) };
  }
}
