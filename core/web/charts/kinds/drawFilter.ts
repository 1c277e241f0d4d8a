import { markOf, type Frame } from "../frame/frame.ts";
import { rect, text } from "../frame/nodes.ts";
import { countText } from "../frame/sayCut.ts";
import { fillIn } from "../words/templates.ts";
import { cleanText } from "../text/cleanText.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";

/** Draws the chosen values of a filter as chips; "All" if it filters nothing. */
export function drawFilter(frame: Frame): void {
  const { nodes, request, area, words } = frame;
  const { theme } = request;
  const selected = (request.selected ?? []).map(cleanText);
  const chips = selected.length === 0 ? [words.all] : selected;
  let [x, y] = [area.x, area.y];
  for (const [index, chip] of chips.entries()) {
    const shown = fitText(chip, Math.min(220, area.width - 20), 13);
    const width = measureText(shown, 13) + 20;
    if (x > area.x && x + width > area.x + area.width) [x, y] = [area.x, y + 32];
    if (y + 26 > area.y + area.height) {
      const count = countText(frame, chips.length - index);
      frame.notes.push(fillIn(words.moreNames, { count }));
      break;
    }
    const isAll = selected.length === 0;
    nodes.push(
      rect(x, y, width, 26, {
        fill: isAll ? theme.background : theme.grid,
        stroke: theme.grid,
        strokeWidth: 1,
        radius: 13,
        mark: markOf(undefined, chip, "", ""),
      }),
    );
    nodes.push(text(x + 10, y + 18, shown, { fill: isAll ? theme.muted : theme.text, size: 13 }));
    x += width + 8;
  }
}
