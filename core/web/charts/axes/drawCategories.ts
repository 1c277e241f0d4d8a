import { text } from "../frame/nodes.ts";
import type { Area, Frame } from "../frame/frame.ts";
import { fitNames } from "../text/fitNames.ts";
import { measureText } from "../text/measureText.ts";
import { labelStep } from "./placeLabels.ts";

/** A label below the plot. Labels at the start of a longer period have a second line. */
export interface CategoryLabel {
  /** Horizontal position of the label's middle, in pixels of the picture. */
  readonly at: number;
  readonly label: string;
  readonly within?: string;
}

/** Options of the labels below a plot. */
export interface CategoryLabelStyle {
  /**
   * Maximum width of a label in pixels; longer labels are shortened.
   * @default no maximum
   */
  readonly longest?: number;
  /**
   * Colour of the labels.
   * @default the muted colour of the theme
   */
  readonly fill?: string;
}

/** Draws labels below a plot. Some labels are left out, so that no two labels of a line touch each other. */
export function drawCategories(
  { nodes, request: { theme } }: Frame,
  labels: readonly CategoryLabel[],
  plot: Area,
  { longest = Infinity, fill = theme.muted }: CategoryLabelStyle = {},
): void {
  const names = fitNames(
    labels.map(({ label }) => label),
    longest,
    12,
  );
  const fitted = labels.map(({ at }, index) => {
    const shown = names[index] ?? "";
    const width = measureText(shown, 12);
    // Labels at the ends are moved inwards, so that they stay below the plot.
    const most = plot.x + plot.width + 12 - width / 2;
    return { at: Math.max(plot.x - 4 + width / 2, Math.min(at, most)), shown, width };
  });
  const step = labelStep(fitted);
  const y = plot.y + plot.height + 17;
  let end = -Infinity;
  for (const [index, { at: kept, shown, width }] of fitted.entries()) {
    if (index % step === 0) nodes.push(text(kept, y, shown, { fill, anchor: "middle" }));
    const at = labels[index]?.at ?? kept;
    const within = labels[index]?.within ?? "";
    const wide = measureText(within, 12, 600);
    // A label of the second line is drawn even if the label above it was left out.
    const x = Math.min(Math.max(plot.x - 4, at - width / 2), plot.x + plot.width - wide + 12);
    if (within !== "" && x > end + 8) {
      nodes.push(text(x, y + 16, within, { fill: theme.text, weight: 600 }));
      end = x + wide;
    }
  }
}
