import { createTransport } from "nodemailer";
import { isObject } from "../../json/index.ts";
import type { Attempt, Driver } from "./driver.ts";
import { cellText, isBeginning, type Message, nameText } from "./message.ts";

export interface EmailOptions {
  /** `smtp://user:password@host:port`, or `smtps://`. */
  readonly smtpUrl: string;
  /** The address in From. */
  readonly from: string;
  readonly timeoutMs: number;
}

export interface EmailDriver extends Driver {
  close(): void;
}

/**
 * Makes the driver of channels of type `email`: text and HTML without anything from elsewhere. The Message-ID has the
 * id of the delivery, so mail programs show a second copy as the same message. An SMTP code of 5xx is final. All
 * recipients get one message, in Bcc.
 */
export function createEmail({ smtpUrl, from, timeoutMs }: EmailOptions): EmailDriver {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const [, domain = "manifold.invalid"] = /@([^>\s]+)/.exec(from) ?? [];
  return {
    async send({ id, message, config }): Promise<Attempt> {
      const recipients = recipientsOf(config["recipients"]);
      if (recipients.length === 0)
        return { outcome: "refused", problem: "config.recipients names no e-mail address" };
      try {
        await transport.sendMail({
          from,
          bcc: recipients,
          messageId: `<${id}@${domain}>`,
          subject: oneLine(textIn(config["subject"]) ?? subjectOf(message)),
          text: plainText(message, textIn(config["message"])),
          html: html(message, textIn(config["message"])),
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return { outcome: "delivered" };
      } catch (failure) {
        return failureOf(failure);
      }
    },
    close: () => transport.close(),
  };
}

function failureOf(failure: unknown): Attempt {
  const { responseCode, code } = failure as { responseCode?: unknown; code?: unknown };
  const isRefused = typeof responseCode === "number" && responseCode >= 500;
  // The words of a server may repeat addresses; its code says enough.
  const problem = isRefused
    ? `the mail server refused the message with ${responseCode}`
    : `the mail server did not take the message (${String(responseCode ?? code ?? "no answer")})`;
  return { outcome: isRefused ? "refused" : "later", problem };
}

const address = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/;

function recipientsOf(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  const found = given.map((each: unknown) => (isObject(each) ? each["email"] : each));
  return found.filter((each): each is string => typeof each === "string" && address.test(each));
}

const subjectOf = (message: Message): string =>
  `${isBeginning(message) ? "Alert" : "Resolved"}: ${nameText(message)}`;

/** A text, or the text of an object by language: English, else the first. */
function textIn(value: unknown): string | undefined {
  if (typeof value === "string") return value || undefined;
  if (!isObject(value)) return undefined;
  const text = value["en"] ?? Object.values(value)[0];
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** Line breaks, of Unicode too, and control characters become blanks: a header is one line. */
const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, 250);

const whenText = ({ slotMs, zone }: Message): string =>
  new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long", timeZone: zone }).format(
    slotMs,
  );

function plainText(message: Message, own: string | undefined): string {
  const table = [message.heads, ...message.rows.map((row) => row.map(cellText))];
  const more = message.rowCount - message.rows.length;
  return [
    own ?? subjectOf(message),
    whenText(message),
    ...(message.rows.length > 0 ? [table.map((cells) => cells.join("\t")).join("\n")] : []),
    ...(more > 0 ? [`and ${more} more rows`] : []),
    ...(message.link === undefined ? [] : [message.link]),
  ].join("\n\n");
}

function html(message: Message, own: string | undefined): string {
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((text) => `<${tag} align="left">${escaped(text)}</${tag}>`).join("")}</tr>`;
  const rows = message.rows.map((row) => cells("td", row.map(cellText))).join("");
  const more = message.rowCount - message.rows.length;
  return [
    `<p>${escaped(own ?? subjectOf(message))}</p>`,
    `<p>${escaped(whenText(message))}</p>`,
    ...(rows === ""
      ? []
      : [`<table border="1" cellpadding="4">${cells("th", message.heads)}${rows}</table>`]),
    ...(more > 0 ? [`<p>and ${more} more rows</p>`] : []),
    ...(message.link === undefined
      ? []
      : [`<p><a href="${escaped(message.link)}">${escaped(message.link)}</a></p>`]),
  ].join("\n");
}

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
