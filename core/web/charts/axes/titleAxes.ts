import type { Area, Frame } from "../frame/frame.ts";
import { text } from "../frame/nodes.ts";
import { objectOf } from "../item/readItem.ts";
import type { Anchor } from "../scene.ts";
import { fitText } from "../text/fitText.ts";
import type { AxisName } from "./axisLook.ts";

/** The titles of the axes of a picture: the room that they need in pixels, and the function that draws them. */
export interface AxisTitles {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  /** Draws the titles at the edges of `area`, along the sides of `plot`. */
  draw(area: Area, plot: Area): void;
}

const lineHeight = 20;

/** Where a title stands along its axis: the share of the length, and the part of the text that is there. */
const places: ReadonlyMap<unknown, readonly [share: number, anchor: Anchor]> = new Map([
  ["left", [0, "start"]],
  ["right", [1, "end"]],
  ["bottom", [0, "start"]],
  ["top", [1, "end"]],
]);

/** Returns the titles that the option `axislabels` shows. `names` contains the title of each axis. */
export function titleAxes(
  { nodes, request }: Frame,
  names: Readonly<Partial<Record<AxisName, string>>>,
): AxisTitles {
  const options = objectOf<AxisName>(request.item.options.axislabels);
  const titleOf = (name: AxisName) => {
    const { enabled, position } = objectOf<"enabled" | "position">(options[name]);
    const [share, anchor] = places.get(position) ?? [0.5, "middle"];
    const shown = names[name] ?? "";
    return enabled === true && shown !== "" ? { shown, share, anchor } : undefined;
  };
  const [x, y, y2] = [titleOf("x"), titleOf("y"), titleOf("y2")];
  const fill = request.theme.muted;
  const room = (title: unknown) => (title === undefined ? 0 : lineHeight);
  return {
    left: room(y),
    right: room(y2),
    bottom: room(x),
    draw(area, plot) {
      if (x)
        nodes.push(
          text(
            plot.x + x.share * plot.width,
            area.y + area.height - 3,
            fitText(x.shown, plot.width, 12),
            { fill, anchor: x.anchor },
          ),
        );
      for (const [title, at] of [
        [y, area.x + 11],
        [y2, area.x + area.width - 3],
      ] as const)
        if (title)
          nodes.push(
            text(
              at,
              plot.y + (1 - title.share) * plot.height,
              fitText(title.shown, plot.height, 12),
              { fill, anchor: title.anchor, angle: -90 },
            ),
          );
    },
  };
}
