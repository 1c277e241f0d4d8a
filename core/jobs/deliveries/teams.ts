import type { Egress } from "../../sources/index.ts";
import type { Config, Driver } from "./driver.ts";
import { fillTemplate } from "./fillTemplate.ts";
import { factsOf, linksOf, type Message, type MessageTable, tableOf, titleOf } from "./message.ts";
import { postJson } from "./postJson.ts";

/** Maximum characters per cell. It keeps cards below 28 KB, the limit of Teams. */
const cellLength = 120;
const textLength = 2_000;

/**
 * Creates the driver for channels of type `teams`, which calls the URL of a workflow that posts cards. A workflow
 * responds with 202 before it posts the card, so the outcome is `accepted`.
 */
export function createTeams(egress: Egress): Driver {
  return {
    async send({ id, message, config, signal }) {
      const body = JSON.stringify(renderTeams(message, config, id));
      const attempt = await postJson(egress, { url: config.url, body, signal });
      return attempt.outcome === "delivered" ? { outcome: "accepted" } : attempt;
    },
  };
}

/**
 * Renders the body of a message for Teams: an adaptive card (https://adaptivecards.io, 1.5). All text is in TextRuns,
 * which do not interpret Markdown.
 */
export function renderTeams(message: Message, config: Config, id: string): object {
  const own = fillTemplate(config.text, message);
  const facts = factsOf(message).map(([head, text]) => `${head}: ${text}`);
  const table = tableOf(message);
  const rest = [table.rest, `message ${id}`].filter((each) => each !== undefined).join(", ");
  const links = linksOf(message);
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.5",
    body: [
      paragraph(titleOf(message), { weight: "Bolder", size: "Medium" }),
      ...[own, ...facts].filter(Boolean).map((each) => paragraph(each)),
      ...(table.rows.length > 0 ? [tableElement(table)] : []),
      paragraph(rest, { isSubtle: true }),
    ],
    ...(links.length > 0 && {
      actions: links.map(({ text, url }) => ({ type: "Action.OpenUrl", title: text, url })),
    }),
  };
  return {
    type: "message",
    attachments: [
      { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card },
    ],
  };
}

function paragraph(text: string, style: object = {}, length = textLength): object {
  return {
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text: plain(text.slice(0, length)), ...style }],
  };
}

function tableElement({ heads, rows }: MessageTable): object {
  const row = (cells: readonly string[]) => ({
    type: "TableRow",
    cells: cells.map((text) => ({ type: "TableCell", items: [paragraph(text, {}, cellLength)] })),
  });
  return {
    type: "Table",
    firstRowAsHeaders: true,
    columns: heads.map(() => ({ width: 1 })),
    rows: [heads, ...rows].map(row),
  };
}

/**
 * Escapes text for cards, which interpret `{{DATE(…)}}` and templates with `${…}`. Inserts a zero-width space, so that
 * neither is recognized.
 */
const plain = (text: string): string =>
  text.replaceAll("{{", "{\u200B{").replaceAll("${", "$\u200B{");
