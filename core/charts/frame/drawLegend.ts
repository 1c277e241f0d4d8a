import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import type { Frame } from "./frame.ts";
import { rect, text } from "./nodes.ts";
import type { LegendEntry } from "../scene.ts";

const lineHeight = 20;
const lineCount = 2;

/** Draws the names of the series above the plot, and takes their room from it. Entries that do not fit are counted. */
export function drawLegend(frame: Frame, entries: readonly LegendEntry[]): void {
  const { nodes, area, request } = frame;
  frame.legend = entries;
  let x = area.x;
  let y = area.y;
  let lines = 1;
  for (const [index, { name, color }] of entries.entries()) {
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
    nodes.push(rect(x, y, 12, 12, { fill: color, radius: 2 }));
    nodes.push(text(x + 18, y + 10, shown, { fill: request.theme.text }));
    x += width;
  }
  const taken = lines * lineHeight + 4;
  frame.area = { ...area, y: area.y + taken, height: area.height - taken };
}
