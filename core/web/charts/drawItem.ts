import type { ChartRequest } from "./answer/chartRequest.ts";
import { readColumns } from "./answer/readColumns.ts";
import { createColors } from "./color/createColors.ts";
import { itemTheme } from "./color/itemTheme.ts";
import { directionOf } from "./words/languages.ts";
import { wordsOf } from "./words/wordsOf.ts";
import { itemKinds, kindOfItem, type ItemKind } from "./item/itemKinds.ts";
import { titleOf } from "./frame/titleOf.ts";
import { describe } from "./frame/describe.ts";
import type { Frame } from "./frame/frame.ts";
import { sayLeftOut } from "./frame/sayLeftOut.ts";
import { mirrorFrom } from "./frame/mirror.ts";
import type { DrawKind } from "./kinds/drawKind.ts";
import { circle, text } from "./frame/nodes.ts";
import type { Scene } from "./scene.ts";
import { cleanText } from "./text/cleanText.ts";
import { fitText } from "./text/fitText.ts";
import { wrapText } from "./text/wrapText.ts";

/** Lines of filters below the title of a picture, and of warnings below the picture. */
const mostFilterLines = 3;
const mostFootnotes = 3;
/** Size of titles in pixels: the same in all pictures, so that the titles of a row are equal. */
const titleSize = 14;
/** Size and height of these lines in pixels. */
const footnoteSize = 11;
const footnoteHeight = 14;

/**
 * Draws a dashboard item from its answer with the draw function of its kind. The result depends only on the request.
 * Items of unknown types are drawn as tables with a note. Strings from data are truncated to 300 characters, and drawn
 * as text. O(rows), or O(visible rows) for tables.
 */
export function drawItem(given: ChartRequest, draw: DrawKind): Scene {
  const theme = itemTheme(given.item, given.theme);
  const colors = theme.series === given.theme.series ? given.colors : createColors(theme);
  const request = { ...given, theme, colors };
  const withoutSubtitle = drawWith(request, draw, false);
  // The subtitle is known only after drawing. If there is a subtitle, the picture is drawn again with less height.
  return withoutSubtitle.subtitle === ""
    ? withoutSubtitle.scene
    : drawWith(request, draw, true).scene;
}

function drawWith(
  request: ChartRequest,
  draw: DrawKind,
  hasSubtitle: boolean,
): { readonly scene: Scene; readonly subtitle: string } {
  const { item, theme, width, height, localeId, failure } = request;
  const columns = readColumns(request);
  const known = kindOfItem(item.type);
  const kind = known?.kind ?? "table";
  const { hasRows } = itemKinds[kind];
  const words = wordsOf(localeId);
  const pad = width < 240 ? 10 : 16;
  const inner = Math.max(0, width - 2 * pad);
  const title = titleOf(item, columns, localeId);
  const titleLines = title === "" ? [] : wrapText(title, inner, 2, titleSize, 600);
  const lineHeight = titleSize * 1.25;
  const nodes: Scene["nodes"][number][] = titleLines.map((shown, index) =>
    text(pad, pad + titleSize * 0.95 + index * lineHeight, shown, {
      fill: theme.text,
      size: titleSize,
      weight: 600,
    }),
  );
  const filterLines = wrapText(
    (request.filters ?? []).map(cleanText).join(" · "),
    inner,
    mostFilterLines,
    footnoteSize,
  );
  const belowTitle = pad + titleLines.length * lineHeight;
  for (const [index, line] of filterLines.entries()) {
    const style = { fill: theme.muted, size: footnoteSize };
    nodes.push(text(pad, belowTitle + footnoteHeight * (index + 0.9), line, style));
  }
  const isMirrored = directionOf(localeId) === "rtl";
  if (isMirrored) mirrorFrom(nodes, 0, width);
  const below = belowTitle + filterLines.length * footnoteHeight;
  const hasHead = titleLines.length + filterLines.length > 0;
  const top = below + (hasSubtitle ? 28 : hasHead ? 12 : 0);
  const { warnings = [] } = request;
  const footnotes =
    height <= 160
      ? []
      : wrapText(cleanText(warnings.join(" ")), inner, mostFootnotes, footnoteSize);
  const foot = footnotes.length === 0 ? 0 : footnotes.length * footnoteHeight + 6;
  const frame: Frame = {
    request,
    columns,
    rows: request.rows,
    words,
    area: { x: pad, y: top, width: inner, height: Math.max(0, height - top - pad - foot) },
    nodes,
    notes: known ? [] : [`${words.unknownType} (${cleanText(item.type) || "?"})`],
    shownNotes: warnings.map(cleanText),
    subtitles: [],
    legend: [],
    isCutSaid: false,
    tableRows: undefined,
  };
  const rowCount = request.rows.length + (request.folded?.rows?.length ?? 0);
  const empty = rowCount === 0 && hasRows ? words.empty : undefined;
  const state = failure === undefined ? empty : cleanText(failure);
  const drawnFrom = nodes.length;
  if (state === undefined) {
    draw(frame);
    sayLeftOut(frame);
  } else drawState(frame, state, failure !== undefined);
  if (isMirrored && mirrored.includes(kind)) mirrorFrom(nodes, drawnFrom, width);
  const writtenFrom = nodes.length;
  for (const [index, line] of footnotes.entries()) {
    const below = footnotes.length - 1 - index;
    const style = { fill: theme.muted, size: footnoteSize };
    nodes.push(text(pad, height - pad - below * footnoteHeight, line, style));
  }
  const said = !hasRows || height <= 120 ? [] : [...frame.subtitles, ...frame.notes];
  const subtitle = said.join(" · ");
  if (hasSubtitle)
    nodes.push(text(pad, below + 12, fitText(subtitle, inner, 12), { fill: theme.muted }));
  if (isMirrored) mirrorFrom(nodes, writtenFrom, width);
  const scene = {
    width,
    height,
    background: theme.background,
    title: title || words.kinds[kind],
    description: describe(frame, kind, title),
    nodes,
    legend: frame.legend.map(({ name, color, id, box }) => ({
      name,
      color,
      ...(id !== undefined && { id }),
      ...(box && { box }),
    })),
    notes: [...frame.notes, ...frame.shownNotes, ...(state === undefined ? [] : [state])],
    ...(frame.tableRows && { tableRows: frame.tableRows }),
  };
  return { scene, subtitle };
}

/**
 * Kinds that readers of languages from right to left read from the right. Axes keep their direction: numbers grow, and
 * time passes, to the right.
 */
const mirrored: readonly ItemKind[] = ["table", "pivot", "filter", "text"];

/** Writes in the middle of the picture why there is no data. Failures have a symbol above the text. */
function drawState(
  { nodes, area, request: { theme, width } }: Frame,
  state: string,
  isFailure: boolean,
): void {
  const lines = wrapText(state, area.width, 3, 14);
  const middle = area.y + Math.max(14, area.height / 2 - lines.length * 9);
  const hasSign = isFailure && area.height > 90;
  const first = hasSign ? middle + 14 : middle;
  if (hasSign) {
    const y = first - 34;
    nodes.push(circle(width / 2, y, 11, { stroke: theme.negative, strokeWidth: 2 }));
    const sign = { fill: theme.negative, size: 14, weight: 600, anchor: "middle" } as const;
    nodes.push(text(width / 2, y + 5, "!", sign));
  }
  for (const [index, shown] of lines.entries())
    nodes.push(
      text(width / 2, first + index * 19, shown, { fill: theme.muted, size: 14, anchor: "middle" }),
    );
}
