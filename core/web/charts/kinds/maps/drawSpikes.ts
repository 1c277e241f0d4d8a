import { max } from "d3-array";
import { columnsIn, markOf, type Frame } from "../../frame/frame.ts";
import { path } from "../../frame/nodes.ts";
import { optionNumber } from "../../frame/optionNumber.ts";
import { placesOf } from "./placesOf.ts";
import { categoryColors, pointsOf, positivePlaces } from "./pointsOf.ts";

/** The tallest spike, as a share of the map's height. */
const tallestShare = 0.34;

/** Draws a spike per row on a map. Its height is proportional to the measure, and its colour shows a category. */
export function drawSpikes(frame: Frame): void {
  const { nodes, request } = frame;
  const { options } = request.item;
  const [measure] = columnsIn(frame, "measure");
  const [color] = columnsIn(frame, "color");
  const places = positivePlaces(frame, placesOf(frame), measure);
  const colorOf = categoryColors(frame, places, color);
  const values = new Map(places.map(({ row, value }) => [row, value]));
  const most = max(values.values()) ?? 0;
  const wanted = optionNumber(options.spikeHeight, { least: 5, most: 1_000, otherwise: 150 });
  const tallest = Math.min(wanted, frame.area.height * tallestShare);
  // A spike that is lower than the option says is narrower, too.
  const width =
    (optionNumber(options.spikeWidth, { least: 1, most: 200, otherwise: 30 }) * tallest) / wanted;
  const { points } = pointsOf(frame, places, { around: width / 2, above: tallest });
  const fillOpacity = optionNumber(options.fillOpacity, { least: 0, most: 1, otherwise: 0.5 });
  const at = (value: number) => Math.round(value * 100) / 100;
  for (const { place, x, y } of points.toSorted((one, other) => one.y - other.y)) {
    const height = Math.max(2, ((values.get(place.row) ?? 0) / most) * tallest);
    const fill = colorOf(place);
    const [left, right] = [at(x - width / 2), at(x + width / 2)];
    const outline = `M${left},${at(y)}L${at(x)},${at(y - height)}L${right},${at(y)}`;
    nodes.push(
      path(`${outline}Z`, {
        fill,
        opacity: fillOpacity,
        mark: markOf(
          place.row,
          place.name,
          color ? color.text(place.cells[color.cell]) : "",
          measure ? measure.text(place.cells[measure.cell]) : "",
        ),
      }),
    );
    nodes.push(path(outline, { stroke: fill, strokeWidth: 1.25 }));
  }
}
