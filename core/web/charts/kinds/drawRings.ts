import { partition } from "d3-hierarchy";
import { readableOn } from "../color/contrast.ts";
import { tickFormat, numberFormat } from "../format/numberFormats.ts";
import { drawLegend } from "../frame/drawLegend.ts";
import { markOf, type Frame } from "../frame/frame.ts";
import { path, text } from "../frame/nodes.ts";
import { fitText } from "../text/fitText.ts";
import { measureText } from "../text/measureText.ts";
import { nestedHierarchy, type NestedNode } from "./nestedHierarchy.ts";
import { nestRows } from "./nestRows.ts";

/** Arcs with a smaller angle are thinner than a pixel in most pictures, and have no outline. */
const outlinedAngle = 0.02;

/** Draws nested values as rings around the total: the first level inside, the last one outside. */
export function drawRings(frame: Frame): void {
  const { nodes, request, words } = frame;
  const { theme, localeId } = request;
  const { values, levels, measure } = nestRows(frame);
  if (values.length === 0) return;
  if (levels.length > 1) drawLegend(frame, values);
  const { area } = frame;
  const root = nestedHierarchy(values);
  const radius = Math.max(10, Math.min(area.width, area.height) / 2);
  const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
  const hole = radius * (levels.length > 3 ? 0.2 : 0.3);
  const thickness = (radius - hole) / Math.max(1, levels.length);
  const laid = partition<NestedNode>().size([2 * Math.PI, levels.length + 1])(root);
  const share = numberFormat({ format: ".1%" }, localeId);
  const whole = root.value ?? 1;
  const outlineOf = (from: number, to: number, depth: number) =>
    segment([x, y], [from, to], [hole + depth * thickness, hole + (depth + 1) * thickness]);
  for (const { data, x0, x1, value = 0 } of laid.descendants()) {
    if (!("path" in data)) continue;
    const { depth, color, name } = data;
    const angle = x1 - x0;
    const shown = measure ? measure.text(data.total) : "";
    nodes.push(
      path(outlineOf(x0, x1, depth), {
        fill: color,
        ...(angle > outlinedAngle && { stroke: theme.background, strokeWidth: 1.5 }),
        mark: markOf(data.row, data.path, "", `${shown} (${share(value / whole)})`.trim()),
      }),
    );
    const middle = (x0 + x1) / 2;
    const reach = hole + (depth + 0.5) * thickness;
    if (!isInside(measureText(name, 11), { middle, angle, reach, thickness })) continue;
    nodes.push(
      text(x + Math.sin(middle) * reach, y - Math.cos(middle) * reach + 4, name, {
        fill: readableOn(color, "#ffffff", "#14161a"),
        size: 11,
        anchor: "middle",
      }),
    );
  }
  if (!measure || hole < 30) return;
  const total = values.reduce((sum, each) => sum + each.total, 0);
  const full = measure.text(total);
  const room = hole * 1.7;
  const written =
    measureText(full, 16, 600) <= room
      ? full
      : tickFormat([0, total / 100, total], measure.field, localeId)(total);
  const style = { fill: theme.text, size: 16, weight: 600, anchor: "middle" } as const;
  nodes.push(text(x, y + 2, fitText(written, room, 16, 600), style));
  nodes.push(text(x, y + 18, words.total, { fill: theme.muted, anchor: "middle" }));
}

/** Returns the outline of a part of a ring between two angles and two radii. A whole ring has two halves. */
function segment(
  [x, y]: readonly [number, number],
  [from, to]: readonly [number, number],
  [inner, outer]: readonly [number, number],
): string {
  const at = (value: number) => Math.round(value * 100) / 100;
  const point = (angle: number, radius: number) =>
    `${at(x + Math.sin(angle) * radius)},${at(y - Math.cos(angle) * radius)}`;
  const arc = (angle: number, radius: number, isBack: boolean) =>
    `A${at(radius)},${at(radius)},0,0,${isBack ? 0 : 1},${point(angle, radius)}`;
  const middle = (from + to) / 2;
  return [
    `M${point(from, outer)}`,
    arc(middle, outer, false),
    arc(to, outer, false),
    `L${point(to, inner)}`,
    arc(middle, inner, true),
    `${arc(from, inner, true)}Z`,
  ].join("");
}

const nameHeight = 12;

/** Returns whether the corners of a name in the middle of an arc are inside the arc. */
function isInside(
  width: number,
  {
    middle,
    angle,
    reach,
    thickness,
  }: {
    readonly middle: number;
    readonly angle: number;
    readonly reach: number;
    readonly thickness: number;
  },
): boolean {
  const [x, y] = [Math.sin(middle) * reach, -Math.cos(middle) * reach];
  return [-0.5, 0.5].every((across) =>
    [-0.5, 0, 0.5].every((up) => {
      const [left, top] = [x + across * (width + 4), y + up * nameHeight];
      const distance = Math.hypot(left, top);
      const turn = Math.atan2(left, -top) - middle;
      const away = Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn)));
      return Math.abs(distance - reach) <= thickness / 2 && (angle > 6 || away <= angle / 2);
    }),
  );
}
