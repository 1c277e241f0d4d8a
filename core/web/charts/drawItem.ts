import type { ChartRequest } from "./answer/chartRequest.ts";
import { readColumns } from "./answer/readColumns.ts";
import { wordsOf } from "./format/words.ts";
import { itemKinds, kindOfItem } from "./item/itemKinds.ts";
import { titleOf } from "./frame/titleOf.ts";
import { describe } from "./frame/describe.ts";
import type { Frame } from "./frame/frame.ts";
import type { DrawKind } from "./kinds/drawKind.ts";
import { circle, text } from "./frame/nodes.ts";
import type { Scene } from "./scene.ts";
import { cleanText } from "./text/cleanText.ts";
import { fitText } from "./text/fitText.ts";
import { wrapText } from "./text/wrapText.ts";

/**
 * Draws a dashboard item from its answer with the draw function of its kind. The result depends only on the request.
 * Items of unknown types are drawn as tables with a note. Strings from data are truncated to 300 characters, and drawn
 * as text. O(rows), or O(visible rows) for tables.
 */
export function drawItem(request: ChartRequest, draw: DrawKind): Scene {
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
  const titleSize = width < 480 ? 14 : 16;
  const titleLines = title === "" ? [] : wrapText(title, inner, 2, titleSize, 600);
  const lineHeight = titleSize * 1.25;
  const nodes: Scene["nodes"][number][] = titleLines.map((shown, index) =>
    text(pad, pad + titleSize * 0.95 + index * lineHeight, shown, {
      fill: theme.text,
      size: titleSize,
      weight: 600,
    }),
  );
  const below = pad + titleLines.length * lineHeight;
  const top = below + (hasSubtitle ? 28 : titleLines.length > 0 ? 12 : 0);
  const frame: Frame = {
    request,
    columns,
    rows: request.rows,
    words,
    area: { x: pad, y: top, width: inner, height: Math.max(0, height - top - pad) },
    nodes,
    notes: known ? [] : [`${words.unknownType} (${cleanText(item.type) || "?"})`],
    shownNotes: [],
    subtitles: [],
    legend: [],
  };
  const empty = request.rows.length === 0 && hasRows ? words.empty : undefined;
  const state = failure === undefined ? empty : cleanText(failure);
  if (state === undefined) draw(frame);
  else drawState(frame, state, failure !== undefined);
  const said = !hasRows || height <= 120 ? [] : [...frame.subtitles, ...frame.notes];
  const subtitle = said.join(" · ");
  if (hasSubtitle)
    nodes.push(text(pad, below + 12, fitText(subtitle, inner, 12), { fill: theme.muted }));
  const scene = {
    width,
    height,
    background: theme.background,
    title: title || item.type,
    description: describe(frame, kind, title),
    nodes,
    legend: frame.legend.map(({ name, color, id, box }) => ({
      name,
      color,
      ...(id !== undefined && { id }),
      ...(box && { box }),
    })),
    notes: [...frame.notes, ...frame.shownNotes, ...(state === undefined ? [] : [state])],
  };
  return { scene, subtitle };
}

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
