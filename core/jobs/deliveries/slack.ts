import type { Egress } from "../../sources/index.ts";
import type { Config, Driver } from "./driver.ts";
import { fillTemplate } from "./fillTemplate.ts";
import { factsOf, linksOf, type Message, tableOf, titleOf } from "./message.ts";
import { postJson } from "./postJson.ts";

/** Maximum characters per text block. Slack rejects longer blocks. */
const blockLength = 2_900;

/**
 * The error codes with which incoming webhooks reject messages. Source: Slack's documentation, Sending messages using
 * incoming webhooks, Handling errors.
 */
const reasons: ReadonlySet<string> = new Set([
  "action_prohibited",
  "channel_is_archived",
  "channel_not_found",
  "invalid_payload",
  "invalid_token",
  "no_active_hooks",
  "no_service",
  "no_service_id",
  "no_team",
  "no_text",
  "posting_to_general_channel_denied",
  "rollup_error",
  "team_disabled",
  "too_many_attachments",
  "user_not_found",
]);

/**
 * Creates the driver for channels of type `slack`, which posts blocks to an incoming webhook. Text from data is
 * escaped.
 */
export function createSlack(egress: Egress): Driver {
  return {
    send: ({ id, message, config, signal }) => {
      const body = JSON.stringify(renderSlack(message, config, id));
      return postJson(egress, { url: config.url, body, signal, reasons });
    },
  };
}

/** Renders the body of a message for Slack. Only the table and the links use markup; everything else is plain text. */
export function renderSlack(message: Message, config: Config, id: string): object {
  const title = titleOf(message);
  const own = fillTemplate(config.text, message);
  const { heads, rows, rest } = tableOf(message);
  const lines = [heads, ...rows].map((cells) => cells.join(" | "));
  const table = cut(escaped(lines.join("\n")), blockLength);
  const links = linksOf(message).map(({ text, url }) => ` <${url}|${escaped(text)}>`);
  const facts = factsOf(message).map(([head, text]) => `${head}: ${text}`);
  const foot = [rest, `message ${id}`].filter((each) => each !== undefined).join(", ");
  const plain = (text: string, length: number) => ({
    type: "plain_text",
    text: text.slice(0, length),
    emoji: false,
  });
  return {
    text: escaped(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: plain(title, 150) },
      { type: "section", text: plain([own, ...facts].filter(Boolean).join("\n"), blockLength) },
      ...(rows.length > 0
        ? [{ type: "section", text: { type: "mrkdwn", text: `\`\`\`${table}\`\`\`` } }]
        : []),
      {
        type: "context",
        elements: [{ type: "mrkdwn", text: `${escaped(foot)}.${links.join("")}` }],
      },
    ],
  };
}

/** Truncates escaped text, but never inside an escape sequence. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/&[a-z]{0,3}$/, "");

/** Escapes text for Slack, including three backticks, which would close the code block. */
const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("```", "'''");
