import type { Config } from "./driver.ts";
import { fillTemplate } from "./fillTemplate.ts";
import { digestOf, type Message, restOf, tableOf, titleOf, whenText } from "./message.ts";

export interface RenderedEmail {
  readonly subject: string;
  readonly text: string;
  /** HTML without external content: it contains no style sheets, no scripts, and no pictures except attached ones. */
  readonly html: string;
}

/** The id by which the HTML of a mail references its attached picture. */
export const pictureId = "picture@manifold.invalid";

/** Renders the subject and the two bodies of a mail. */
export function renderEmail(
  message: Message,
  config: Config,
  unsubscribeUrl?: string,
): RenderedEmail {
  const own = fillTemplate(config.message, message);
  return {
    subject: oneLine(fillTemplate(config.subject, message) || titleOf(message)),
    text: plainText(message, own, unsubscribeUrl),
    html: html(message, own, unsubscribeUrl),
  };
}

/**
 * Replaces control characters and all line breaks of Unicode with spaces, because a header is a single line.
 */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").slice(0, 250);

const factsOf = (message: Message, own: string): string[] =>
  [
    own || titleOf(message),
    message.condition,
    digestOf(message),
    message.problem,
    whenText(message),
  ]
    .filter((each) => each !== undefined)
    .filter(Boolean);

function plainText(message: Message, own: string, unsubscribeUrl: string | undefined): string {
  const table = [message.heads, ...tableOf(message)];
  return [
    ...factsOf(message, own),
    ...(message.rows.length > 0 ? [table.map((cells) => cells.join("\t")).join("\n")] : []),
    restOf(message),
    message.link,
    unsubscribeUrl && `Unsubscribe: ${unsubscribeUrl}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function html(message: Message, own: string, unsubscribeUrl: string | undefined): string {
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((text) => `<${tag} align="left">${escaped(text)}</${tag}>`).join("")}</tr>`;
  const rows = tableOf(message).map((row) => cells("td", row));
  const rest = restOf(message);
  const anchor = (url: string, text: string) =>
    `<p><a href="${escaped(url)}">${escaped(text)}</a></p>`;
  return [
    `<!doctype html><html lang="${escaped(message.locale)}"><body>`,
    ...factsOf(message, own).map((text) => `<p>${escaped(text)}</p>`),
    rows.length > 0 &&
      `<table border="1" cellpadding="4">${cells("th", message.heads)}${rows.join("")}</table>`,
    rest && `<p>${escaped(rest)}</p>`,
    message.attachment?.mediaType === "image/png" &&
      `<p><img src="cid:${pictureId}" alt="${escaped(titleOf(message))}" width="100%"></p>`,
    message.link && anchor(message.link, message.link),
    unsubscribeUrl && anchor(unsubscribeUrl, "Unsubscribe"),
    "</body></html>",
  ]
    .filter(Boolean)
    .join("\n");
}

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
