import { max } from "d3-array";
import { columnsIn, markOf, type Frame } from "../../frame/frame.ts";
import { circle, text } from "../../frame/nodes.ts";
import { optionNumber } from "../../frame/optionNumber.ts";
import { labelPoints } from "../../axes/labelPoints.ts";
import { placesOf } from "./placesOf.ts";
import { categoryColors, pointsOf, positivePlaces } from "./pointsOf.ts";

/**
 * Draws a circle per row on a map. Its area is proportional to the measure, and its colour shows the category. Large
 * circles are drawn first, so that small ones stay visible.
 */
export function drawSymbols(frame: Frame): void {
  const { nodes, request } = frame;
  const { theme, item } = request;
  const { options } = item;
  const [measure] = columnsIn(frame, "measure");
  const [category] = columnsIn(frame, "category");
  const places = positivePlaces(frame, placesOf(frame), measure);
  const colorOf = categoryColors(frame, places, category);
  const values = new Map(places.map(({ row, value }) => [row, value]));
  const most = max(values.values()) ?? 0;
  const size = optionNumber(options.size, { least: 4, most: 200, otherwise: 30 });
  const { map, points } = pointsOf(frame, places, { around: Math.min(size / 2, 24) });
  const opacity = optionNumber(options.opacity, { least: 0.05, most: 1, otherwise: 0.9 });
  const least = measure ? 2 : Math.min(5, size / 2);
  const radiusOf = (row: number) => {
    if (!measure) return least;
    const share = (values.get(row) ?? 0) / most;
    return Math.max(least, (Math.sqrt(share) * size) / 2);
  };
  const placed = points
    .map(({ place, x, y }) => ({ place, x, y, radius: radiusOf(place.row), name: place.name }))
    .toSorted((one, other) => other.radius - one.radius);
  for (const { place, x, y, radius } of placed)
    nodes.push(
      circle(x, y, radius, {
        fill: colorOf(place),
        stroke: theme.background,
        strokeWidth: 1,
        ...(opacity < 1 && { opacity }),
        mark: markOf(
          place.row,
          place.name,
          category ? category.text(place.cells[category.cell]) : "",
          measure ? measure.text(place.cells[measure.cell]) : "",
        ),
      }),
    );
  // Names that several circles share would be no help.
  const isNamed = new Set(placed.map(({ name }) => name)).size === placed.length;
  if (!isNamed) return;
  const wanted = Math.floor((map.area.width * map.area.height) / 20_000);
  for (const { x, y, name, anchor } of labelPoints(
    placed.slice(0, 12),
    map.area,
    Math.min(10, wanted),
  ))
    nodes.push(text(x, y, name, { fill: theme.text, anchor }));
}
