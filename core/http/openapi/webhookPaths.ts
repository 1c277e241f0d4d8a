import { namesOf } from "../../../plugins/protocol/index.ts";
import { webhookEvents, webhookSchema } from "../../jobs/index.ts";

const types = namesOf(webhookEvents);

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

/** Describes the requests that the host sends to a channel of type `webhook`, as Standard Webhooks. */
export const webhookPaths = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    types.map((type) => [
      type,
      {
        post: {
          operationId: `${type}Webhook`,
          summary: webhookEvents[type].meaning,
          tags: ["webhooks"],
          security: [],
          parameters: [
            header("webhook-id", "Id of the message, which is the same in every attempt."),
            header("webhook-timestamp", "When this attempt was made, in seconds since 1970."),
            header(
              "webhook-signature",
              "One or more signatures `v1,<base64>`, separated by spaces.",
            ),
          ],
          requestBody: {
            required: true,
            content: { "application/json": { schema: webhookSchema(type) } },
          },
          responses: {
            "2XX": { description: "The message arrived." },
            410: {
              description: "The app unsubscribes from messages, so the host disables the channel.",
            },
            default: { description: "The message did not arrive." },
          },
        },
      },
    ]),
  );
