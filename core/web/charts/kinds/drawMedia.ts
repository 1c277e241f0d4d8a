import type { Frame } from "../frame/frame.ts";
import { text } from "../frame/nodes.ts";
import { kindOfItem } from "../item/itemKinds.ts";
import { textIn } from "../item/textIn.ts";
import { cleanText } from "../text/cleanText.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { wrapText } from "../text/wrapText.ts";
import { readMedia } from "./readMedia.ts";
import { kindWordsOf } from "./words/kindWordsOf.ts";

const size = 14;
const lineHeight = 20;

/**
 * Draws the name and the address of an item with media. Pictures load nothing from other servers, so they say what they
 * leave out.
 */
export function drawMedia({ nodes, request, area, words, shownNotes }: Frame): void {
  const { item, theme, localeId, width } = request;
  const { notHere, noAddress } = kindWordsOf(localeId);
  const media = readMedia(item, localeId);
  const address = media ? cleanText(media.address) : "";
  const kind = kindOfItem(item.type)?.kind ?? "page";
  const name = textIn(item.options.title, localeId) || words.kinds[kind];
  shownNotes.push(media ? `${notHere} ${address}` : noAddress);
  const muted = (line: string) => ({ line, weight: 400, fill: theme.muted }) as const;
  const room = Math.max(1, Math.floor(area.height / lineHeight));
  const shownName = nodes.length > 0 ? [] : wrapText(name, area.width, 2, size, 600);
  const lines = [
    ...shownName.map((line) => ({ line, weight: 600, fill: theme.text }) as const),
    ...wrapText(media ? notHere : noAddress, area.width, 3, size).map(muted),
    ...addressLines(address, area.width).map(muted),
  ].slice(0, room);
  const top = area.y + Math.max(0, (area.height - lines.length * lineHeight) / 2) + size;
  for (const [index, { line, ...look }] of lines.entries())
    nodes.push(
      text(width / 2, top + index * lineHeight, line, { ...look, size, anchor: "middle" }),
    );
}

/** Breaks an address after its separators into lines that fit a width. */
function addressLines(address: string, width: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const part of address.split(/(?<=[/?&=_.-])/)) {
    if (current !== "" && measureText(current + part, size) > width) {
      lines.push(current);
      current = "";
    }
    current += part;
  }
  return [...lines, current]
    .filter((line) => line !== "")
    .map((line) => fitText(line, width, size));
}
