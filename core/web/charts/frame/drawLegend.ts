import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import type { Frame } from "./frame.ts";
import { rect, text } from "./nodes.ts";
import type { LegendBox, LegendEntry } from "../scene.ts";

/** Opacity of a hidden series in the legend. */
const hiddenOpacity = 0.25;

const lineHeight = 20;
const lineCount = 2;

/**
 * Draws the names of the series above the plot and reduces the plot's area. The last line ends with the number of names
 * that do not fit.
 */
export function drawLegend(frame: Frame, entries: readonly LegendEntry[]): void {
  const { nodes, area, request } = frame;
  const listed: LegendEntry[] = [];
  let x = area.x;
  let y = area.y;
  let lines = 1;
  for (const [index, { name, color, id }] of entries.entries()) {
    const shown = fitText(name, Math.min(180, area.width - 18), 12);
    const width = 18 + measureText(shown, 12) + 16;
    const rest = entries.length - index;
    const room = area.x + area.width - (lines === lineCount && rest > 1 ? 48 : 0);
    if (x > area.x && x + width - 16 > room) {
      if (lines === lineCount) {
        nodes.push(text(x, y + 10, `+ ${rest}`, { fill: request.theme.muted }));
        break;
      }
      lines++;
      x = area.x;
      y += lineHeight;
    }
    const isHidden = isHiddenSeries(frame, id);
    nodes.push(
      rect(x, y, 12, 12, { fill: color, radius: 2, ...(isHidden && { opacity: hiddenOpacity }) }),
    );
    const { muted, text: ink } = request.theme;
    nodes.push(text(x + 18, y + 10, shown, { fill: isHidden ? muted : ink }));
    listed.push({
      name,
      color,
      ...(id !== undefined && { id, box: boxOf(x - 2, y - 4, width - 12, lineHeight) }),
    });
    x += width;
  }
  frame.legend = [...listed, ...entries.slice(listed.length)];
  const taken = lines * lineHeight + 4;
  frame.area = { ...area, y: area.y + taken, height: area.height - taken };
}

/** Returns whether the reader has switched a series off. */
export function isHiddenSeries({ request }: Frame, id: string | undefined): boolean {
  return id !== undefined && request.hiddenSeries?.has(id) === true;
}

/** Returns the box around a name, in whole pixels. */
export function boxOf(x: number, y: number, width: number, height: number): LegendBox {
  const [left, top] = [Math.round(x), Math.round(y)];
  return { x: left, y: top, width: Math.ceil(width), height: Math.ceil(height) };
}
