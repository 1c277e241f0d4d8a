import type { Egress } from "../../connections/index.ts";
import type { Driver } from "./driver.ts";
import { cellText, isBeginning, type Message, nameText } from "./message.ts";
import { postJson } from "./postJson.ts";

/** Slack refuses more characters in one block of text. */
const blockLength = 2_900;

/** Makes the driver of channels of type `slack`: an incoming webhook with blocks. Texts of data are escaped. */
export function createSlack(egress: Egress): Driver {
  return {
    send: ({ id, message, config, signal }) =>
      postJson(egress, { url: config["url"], body: JSON.stringify(blocksOf(message, id)), signal }),
  };
}

function blocksOf(message: Message, id: string): object {
  const title = `${isBeginning(message) ? "Alert" : "Resolved"}: ${nameText(message)}`;
  const lines = [message.heads, ...message.rows.map((row) => row.map(cellText))].map((cells) =>
    cells.join(" | "),
  );
  const table = escaped(lines.join("\n")).slice(0, blockLength);
  const link = message.link === undefined ? "" : ` <${message.link}|Open>`;
  return {
    text: escaped(title),
    blocks: [
      { type: "header", text: { type: "plain_text", text: title.slice(0, 150) } },
      ...(message.rows.length > 0
        ? [{ type: "section", text: { type: "mrkdwn", text: `\`\`\`${table}\`\`\`` } }]
        : []),
      {
        type: "context",
        elements: [{ type: "mrkdwn", text: `${message.rowCount} rows, message ${id}.${link}` }],
      },
    ],
  };
}

/** The escapes of Slack's text; three backticks would end the block of code. */
const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("```", "'''");
