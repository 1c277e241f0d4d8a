import { columnsIn, markOf, type Frame } from "../../frame/frame.ts";
import { circle, path, text } from "../../frame/nodes.ts";
import { optionNumber } from "../../frame/optionNumber.ts";
import { counted } from "../../words/templates.ts";
import { readableOn } from "../../color/contrast.ts";
import { kindWordsOf } from "../words/kindWordsOf.ts";
import { placesOf } from "./placesOf.ts";
import { categoryColors, pointsOf, type MapPoint } from "./pointsOf.ts";

const pinRadius = 6;
const pinHeight = 17;

/** Draws a pin per row on a map. Pins that are close to each other become a circle with their number. */
export function drawMarkers(frame: Frame): void {
  const { nodes, request } = frame;
  const { theme, item, localeId } = request;
  const [measure] = columnsIn(frame, "measure");
  const places = placesOf(frame);
  const colorOf = categoryColors(frame, places, undefined);
  const { points } = pointsOf(frame, places, { around: pinRadius, above: pinHeight - pinRadius });
  const reach = optionNumber(item.options.maxClusterRadius, { least: 0, most: 200, otherwise: 30 });
  const written = new Intl.NumberFormat(localeId);
  const groups = clustersOf(points, reach);
  // Pins in the south stand in front of those in the north.
  groups.sort((one, other) => one.y - other.y);
  for (const { members, x, y } of groups) {
    const [first] = members;
    if (!first) continue;
    const fill = colorOf(first.place);
    if (members.length === 1) {
      const { place } = first;
      const shown = measure ? measure.text(place.cells[measure.cell]) : "";
      const mark = markOf(place.row, place.name, "", shown);
      nodes.push(path(pin(x, y), { fill, stroke: theme.background, strokeWidth: 1, mark }));
      nodes.push(circle(x, y - pinHeight + pinRadius, 2.2, { fill: theme.background }));
      continue;
    }
    const count = written.format(members.length);
    const names = members.slice(0, 3).map(({ place }) => place.name);
    const radius = Math.min(20, 9 + 2.2 * Math.log2(members.length));
    const mark = markOf(
      undefined,
      [...names, ...(members.length > 3 ? ["…"] : [])].join(frame.words.comma),
      "",
      counted(kindWordsOf(localeId).places, members.length, localeId),
    );
    nodes.push(circle(x, y, radius + 3, { fill, opacity: 0.25 }));
    nodes.push(circle(x, y, radius, { fill, mark }));
    nodes.push(
      text(x, y + 4, count, {
        fill: readableOn(fill, "#ffffff", "#14161a"),
        weight: 600,
        anchor: "middle",
      }),
    );
  }
}

/** Returns a drop whose tip is at a point. */
function pin(x: number, y: number): string {
  const at = (value: number) => Math.round(value * 100) / 100;
  const top = y - pinHeight + pinRadius;
  return `M${at(x)},${at(y)}L${at(x - pinRadius * 0.92)},${at(top + pinRadius * 0.4)}A${pinRadius},${pinRadius},0,1,1,${at(x + pinRadius * 0.92)},${at(top + pinRadius * 0.4)}Z`;
}

interface Cluster {
  readonly members: MapPoint[];
  /** The middle of the members. */
  x: number;
  y: number;
}

/**
 * Groups points whose distance from the middle of a group is at most `reach` pixels, in the order of the rows. A grid
 * finds the groups near a point, so that 10,000 points take a few milliseconds.
 */
function clustersOf(points: readonly MapPoint[], reach: number): Cluster[] {
  const size = Math.max(1, reach);
  const cells = new Map<string, Cluster[]>();
  const clusters: Cluster[] = [];
  for (const point of points) {
    const column = Math.floor(point.x / size);
    const row = Math.floor(point.y / size);
    let nearest: Cluster | undefined;
    let least = reach;
    for (let across = column - 1; across <= column + 1; across++)
      for (let down = row - 1; down <= row + 1; down++)
        for (const cluster of cells.get(`${across},${down}`) ?? []) {
          const distance = Math.hypot(cluster.x - point.x, cluster.y - point.y);
          if (distance <= least && reach > 0) {
            least = distance;
            nearest = cluster;
          }
        }
    if (nearest) {
      nearest.members.push(point);
      continue;
    }
    const cluster = { members: [point], x: point.x, y: point.y };
    clusters.push(cluster);
    const key = `${column},${row}`;
    cells.set(key, [...(cells.get(key) ?? []), cluster]);
  }
  return clusters;
}
