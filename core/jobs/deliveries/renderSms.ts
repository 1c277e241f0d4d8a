import type { Config } from "./driver.ts";
import { fillTemplate } from "./fillTemplate.ts";
import { type Message, titleOf } from "./message.ts";
import { oneLine } from "./oneLine.ts";

/** The characters of GSM 7-bit (3GPP TS 23.038). Characters of the extension table count twice. */
const basic =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const extension = "^{}\\[~]|€";

/** The length of three message parts: 153 characters of 7 bits each, or 67 of UTF-16. */
const gsmLength = 3 * 153;
const unicodeLength = 3 * 67;

/**
 * Renders the body of a text message: the channel's own text, or title, condition and link. The body is a single line
 * that fits into three parts. The link is never truncated.
 */
export function renderSms(message: Message, config: Config): string {
  const own = fillTemplate(config.text ?? config.message, message);
  const { told, condition } = message;
  const said = own || [titleOf(message), told?.condition ?? condition].filter(Boolean).join(": ");
  const link = own || message.link === undefined ? "" : ` ${message.link}`;
  return `${fit(oneLine(said), oneLine(link))}${oneLine(link)}`;
}

/** Truncates text so that it fits into the message parts together with `after`. */
function fit(text: string, after: string): string {
  const isGsm = [...text, ...after].every((each) => sizeOf(each) > 0);
  const size = (each: string) => (isGsm ? sizeOf(each) : each.length);
  let left = isGsm ? gsmLength : unicodeLength;
  for (const each of after) left -= size(each);
  let kept = "";
  for (const each of text) {
    left -= size(each);
    if (left < 0) return kept;
    kept += each;
  }
  return kept;
}

/** Returns how many 7-bit characters a character needs; 0 if GSM 7-bit does not contain it. */
function sizeOf(character: string): number {
  if (basic.includes(character)) return 1;
  return extension.includes(character) ? 2 : 0;
}
