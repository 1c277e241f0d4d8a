import { escapeHtml } from "../../base/index.ts";
import type { MessageLink, MessageTable } from "./message.ts";

/** The content of a mail. All strings are plain text. */
export interface MailContent {
  /** BCP 47 tag. */
  readonly locale: string;
  readonly direction: "ltr" | "rtl";
  /** The line that mail programs show after the subject in lists. */
  readonly preheader: string;
  /** The color of the bar above the title: something needs attention, is fine again, or neither. */
  readonly tone: "bad" | "good" | "plain";
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly facts: readonly (readonly [head: string, text: string])[];
  /** An attached picture, by its content id. `width` is in pixels. */
  readonly picture?: { readonly id: string; readonly alt: string; readonly width: number };
  readonly table: MessageTable;
  readonly links: readonly MessageLink[];
  readonly footer: readonly MessageLink[];
}

/** Maximum size of the HTML in bytes. Some mail programs cut mails at 102 KB. */
const mostBytes = 100_000;
/** Maximum number of characters per cell and per paragraph. */
const cellLength = 200;
const textLength = 2_000;

const colors = { bad: "#c92a2a", good: "#2b8a3e", plain: "#3b5bdb" } as const;
const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * Writes the HTML of a mail, for all messages alike. It consists of tables with inlined styles, as mail programs
 * require, and contains nothing external. The style sheet only adds the colors of dark mode. Rows that would make the
 * mail larger than 100 KB are left out, and `restOf` says how many are.
 */
export function mailLayout(
  content: MailContent,
  restOf: (shownCount: number) => string | undefined,
): string {
  const { table } = content;
  for (let count = table.rows.length; ; count = Math.floor(count / 2)) {
    const rest = count === table.rows.length ? table.rest : restOf(count);
    const html = write({ ...content, table: { ...table, rows: table.rows.slice(0, count), rest } });
    if (count === 0 || Buffer.byteLength(html) <= mostBytes) return html;
  }
}

function write(content: MailContent): string {
  const { locale, direction, preheader, tone, title, paragraphs, facts, links, footer } = content;
  const start = direction === "rtl" ? "right" : "left";
  const row = (cell: string, padding = "0 24px 16px") =>
    `<tr><td class="m-card" align="${start}" style="padding:${padding};${font};font-size:15px;line-height:22px;color:#212529;background-color:#ffffff">${cell}</td></tr>`;
  const paragraph = (text: string) => `<p dir="auto" style="margin:0 0 12px">${shown(text)}</p>`;
  return [
    `<!doctype html>`,
    `<html lang="${escapeHtml(locale)}" dir="${direction}">`,
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(title)}</title>`,
    `<style>${styles}</style></head>`,
    `<body class="m-page" style="margin:0;padding:0;background-color:#f1f3f5">`,
    `<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(preheader)}</div>`,
    `<table role="presentation" class="m-page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f1f3f5"><tr><td align="center" style="padding:24px 8px">`,
    `<table role="presentation" class="m-card" width="100%" cellpadding="0" cellspacing="0" border="0" dir="${direction}" style="max-width:640px;background-color:#ffffff;border-top:4px solid ${colors[tone]}">`,
    row(
      `<h1 dir="auto" style="margin:0;font-size:20px;line-height:28px;font-weight:600">${shown(title)}</h1>`,
      "24px 24px 12px",
    ),
    paragraphs.length > 0 && row(paragraphs.map(paragraph).join("")),
    facts.length > 0 && row(factTable(facts, start)),
    content.picture && row(pictureOf(content.picture)),
    content.table.rows.length > 0 && row(dataTable(content.table, start)),
    content.table.rest !== undefined && row(paragraph(content.table.rest), "0 24px 4px"),
    links.length > 0 &&
      row(links.map((link, index) => button(link, index === 0)).join(" "), "0 24px 24px"),
    `</table>`,
    footer.length > 0 &&
      `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:640px"><tr><td class="m-muted" align="${start}" style="padding:16px 24px;${font};font-size:13px;line-height:20px;color:#5c636a">${footer
        .map(
          ({ text, url }) =>
            `<a class="m-muted" href="${escapeHtml(url)}" style="color:#5c636a;text-decoration:underline">${escapeHtml(text)}</a>`,
        )
        .join(" ")}</td></tr></table>`,
    `</td></tr></table></body></html>`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** The colors of dark mode. Mail programs without this query keep the light colors. */
const styles =
  "@media (prefers-color-scheme:dark){" +
  ".m-page{background-color:#121416!important}" +
  ".m-card{background-color:#1e2124!important;color:#e9ecef!important}" +
  ".m-cell{color:#e9ecef!important;border-color:#343a40!important}" +
  ".m-muted{color:#adb5bd!important}" +
  ".m-link{color:#91a7ff!important}}";

function factTable(facts: MailContent["facts"], start: string): string {
  const rows = facts.map(
    ([head, text]) =>
      `<tr><td class="m-muted" align="${start}" valign="top" style="padding:2px 12px 2px 0;color:#5c636a;font-size:13px;line-height:20px;width:110px">${escapeHtml(head)}</td><td dir="auto" class="m-cell" align="${start}" valign="top" style="padding:2px 0;font-size:15px;line-height:20px;color:#212529">${shown(text)}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${rows.join("")}</table>`;
}

/** The picture keeps a light background, because its colors are those of the light theme. */
const pictureOf = ({ id, alt, width }: NonNullable<MailContent["picture"]>): string =>
  `<img src="cid:${escapeHtml(id)}" alt="${escapeHtml(alt)}" width="${width}" style="display:block;width:100%;max-width:${width}px;height:auto;border:0;background-color:#ffffff">`;

function dataTable({ heads, rows, areNumbers }: MessageTable, start: string): string {
  const end = start === "left" ? "right" : "left";
  const cells = (tag: "th" | "td", texts: readonly string[]) => {
    const style =
      tag === "th"
        ? "font-size:13px;font-weight:600;border-bottom:2px solid #ced4da"
        : "font-size:14px;font-weight:400;border-bottom:1px solid #dee2e6";
    const written = texts.map(
      (text, index) =>
        `<${tag} dir="auto" class="m-cell" align="${areNumbers[index] ? end : start}" style="padding:6px 8px;line-height:20px;color:#212529;${style}">${escapeHtml(text.slice(0, cellLength))}</${tag}>`,
    );
    return `<tr>${written.join("")}</tr>`;
  };
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse">${cells("th", heads)}${rows.map((row) => cells("td", row)).join("")}</table>`;
}

function button({ text, url }: MessageLink, isFirst: boolean): string {
  return isFirst
    ? `<a href="${escapeHtml(url)}" style="display:inline-block;margin:0 8px 8px 0;padding:10px 18px;background-color:#3b5bdb;color:#ffffff;text-decoration:none;font-weight:600;border-radius:4px">${escapeHtml(text)}</a>`
    : `<a class="m-link" href="${escapeHtml(url)}" style="display:inline-block;margin:0 8px 8px 0;padding:10px 4px;color:#3b5bdb;text-decoration:underline">${escapeHtml(text)}</a>`;
}

/** Escapes text of limited length, and keeps its line breaks. */
const shown = (text: string): string =>
  escapeHtml(text.slice(0, textLength)).replaceAll(/\r?\n/g, "<br>");
