import { objectOf } from "../item/readItem.ts";
import type { Frame } from "../frame/frame.ts";
import { text } from "../frame/nodes.ts";
import { wrapText } from "../text/wrapText.ts";
import { readParagraphs } from "./readParagraphs.ts";

const sizes = [14, 28, 20, 16] as const;

/**
 * Draws the paragraphs and headings of a text item. The markup is parsed only to find them; it is never inserted or
 * executed.
 */
export function drawText(frame: Frame): void {
  const { nodes, request, area } = frame;
  const { item, theme, localeId } = request;
  let y = area.y;
  for (const { heading, shown } of readParagraphs(htmlIn(item.options.html, localeId))) {
    const size = sizes[heading] ?? 14;
    const weight = heading > 0 ? 600 : 400;
    const lineHeight = size * (heading > 0 ? 1.25 : 1.45);
    const room = Math.floor((area.y + area.height - y) / lineHeight);
    if (room < 1) {
      frame.notes.push("…");
      return;
    }
    for (const each of wrapText(shown, area.width, room, size, weight)) {
      nodes.push(text(area.x, y + size, each, { fill: theme.text, size, weight }));
      y += lineHeight;
    }
    y += 6;
  }
}

/**
 * Returns the markup of a text item in the reader's language. Unlike strings from data, it is not truncated to 300
 * characters.
 */
function htmlIn(stored: unknown, localeId: string): string {
  if (typeof stored === "string") return stored;
  const byLanguage = objectOf<"en">(stored);
  const texts = [
    byLanguage[localeId],
    byLanguage[localeId.split("-")[0] ?? ""],
    byLanguage.en,
    ...Object.values(byLanguage),
  ];
  return texts.find((each): each is string => typeof each === "string") ?? "";
}
