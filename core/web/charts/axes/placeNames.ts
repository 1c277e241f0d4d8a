import type { Area, Frame } from "../frame/frame.ts";
import { text } from "../frame/nodes.ts";
import { fitNames } from "../text/fitNames.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { wrapText } from "../text/wrapText.ts";
import { drawCategories } from "./drawCategories.ts";

/** How the names of categories are written below a plot. */
export interface PlacedNames {
  /** The height in pixels that the names need. */
  readonly height: number;
  /** Draws the names. `at` contains the horizontal position of each name. */
  draw(plot: Area, at: readonly number[], fill: string): void;
}

const size = 12;
const lineHeight = 14;
/** The least distances in pixels at which names can be written at an angle. */
const leastDistances = [
  { angle: -45, distance: 18 },
  { angle: -90, distance: 13 },
] as const;

/**
 * Finds the way in which the names of categories that are `band` pixels apart can be read: in a line, in two lines, at
 * an angle of 45°, or upright. Angled names take at most a third of the area and are shortened. If there are too many
 * names for that, only some of them are written.
 */
export function placeNames(frame: Frame, names: readonly string[], band: number): PlacedNames {
  const { nodes, area } = frame;
  const room = Math.max(0, band - 6);
  const widest = Math.max(0, ...names.map((name) => measureText(name, size)));
  if (widest <= room || names.length < 2) return inLines(names.map((name) => fitName(name, room)));
  const broken = names.map((name) => wrapText(name, room, 2, size));
  const isWhole = broken.every((lines, index) => lines.join(" ") === names[index]);
  if (isWhole) return inLines(broken);
  const found = leastDistances.find(({ distance }) => band >= distance);
  if (!found)
    return {
      height: 24,
      draw(plot, at, fill) {
        const labels = names.map((label, index) => ({ at: at[index] ?? 0, label }));
        drawCategories(frame, labels, plot, { longest: Math.max(48, band - 4), fill });
      },
    };
  const { angle } = found;
  const radians = (-angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const longest = Math.max(24, Math.min(widest, (area.height / 3 - 12) / sin));
  return {
    height: longest * sin + 14,
    draw(plot, at, fill) {
      const top = plot.y + plot.height + 10;
      const ends = names.map((_, index) => (at[index] ?? 0) + (angle === -90 ? 4 : 3));
      // A name at an angle must not leave the picture on the left.
      const widths = ends.map((x) => (cos > 0.01 ? Math.min(longest, (x - 2) / cos) : longest));
      for (const [index, shown] of fitNames(names, widths, size).entries())
        nodes.push(text(ends[index] ?? 0, top + 2, shown, { fill, anchor: "end", angle }));
    },
  };

  function fitName(name: string, width: number): string[] {
    return [names.length < 2 ? fitText(name, Math.max(width, area.width - 40), size) : name];
  }

  function inLines(lines: readonly (readonly string[])[]): PlacedNames {
    const count = Math.max(1, ...lines.map((each) => each.length));
    return {
      height: 24 + (count - 1) * lineHeight,
      draw(plot, at, fill) {
        const y = plot.y + plot.height + 17;
        for (const [index, each] of lines.entries())
          for (const [line, shown] of each.entries())
            nodes.push(
              text(at[index] ?? 0, y + line * lineHeight, shown, { fill, anchor: "middle" }),
            );
      },
    };
  }
}
