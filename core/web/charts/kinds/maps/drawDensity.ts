import { max } from "d3-array";
import { contourDensity } from "d3-contour";
import { geoPath } from "d3-geo";
import { rgb } from "d3-color";
import { interpolateLab, piecewise } from "d3-interpolate";
import { rampColor } from "../../color/rampColor.ts";
import { readColor } from "../../color/readColor.ts";
import { numberFormat } from "../../format/numberFormats.ts";
import { columnsIn, markOf, type Frame } from "../../frame/frame.ts";
import { circle, path } from "../../frame/nodes.ts";
import { optionNumber } from "../../frame/optionNumber.ts";
import { listOf } from "../../item/readItem.ts";
import { kindWordsOf } from "../words/kindWordsOf.ts";
import { drawRamp } from "./colorScale.ts";
import { placesOf } from "./placesOf.ts";
import { pointsOf, positivePlaces } from "./pointsOf.ts";

const bandCount = 9;

/** Up to this many places have dots of their own, which readers can point at and choose. */
const dotCount = 400;

/**
 * Draws how densely the places of rows are distributed, as bands of colour around them. Rows count once, or as much as
 * their measure says.
 */
export function drawDensity(frame: Frame): void {
  const { nodes, request } = frame;
  const { theme, item, localeId } = request;
  const { options } = item;
  const [measure] = columnsIn(frame, "measure");
  const places = positivePlaces(frame, placesOf(frame), measure);
  const own = listOf(options.colors).flatMap((each) => readColor(each, theme.background) ?? []);
  const ramp = own.length > 1 ? piecewise(interpolateLab, own) : rampColor(theme);
  const color = (share: number) => rgb(ramp(0.15 + 0.85 * share)).formatHex();
  const percent = numberFormat({ format: ".0%" }, localeId);
  if (places.length > 0) drawRamp(frame, [percent(0), percent(1)], color);
  if (places.length > 0) frame.subtitles.push(kindWordsOf(localeId).density);
  const values = new Map(places.map(({ row, value }) => [row, value]));
  const most = max(values.values()) ?? 0;
  const { map, points } = pointsOf(frame, places);
  if (points.length === 0) return;
  const { area } = map;
  const radius = optionNumber(options.screenRadius, { least: 2, most: 200, otherwise: 20 });
  // D3 computes the density of cells of 4 x 4 pixels, and expects thresholds per pixel.
  const contours = contourDensity<(typeof points)[number]>()
    .x(({ x }) => x - area.x)
    .y(({ y }) => y - area.y)
    .weight(({ place }) => (values.get(place.row) ?? 0) / most)
    .size([area.width, area.height])
    .cellSize(4)
    .bandwidth(Math.max(2, radius * 0.6))
    .thresholds((densities) => {
      const highest = Array.from(densities).reduce((one, other) => Math.max(one, other), 0) / 16;
      return Array.from({ length: bandCount }, (_, band) => (highest * (band + 0.5)) / bandCount);
    })([...points]);
  const opacity = optionNumber(options.opacity, { least: 0.05, most: 1, otherwise: 0.8 });
  for (const [band, contour] of contours.entries()) {
    const shifted = {
      ...contour,
      coordinates: contour.coordinates.map((rings) =>
        rings.map((ring) => ring.map(([x = 0, y = 0]) => [x + area.x, y + area.y])),
      ),
    };
    const d = geoPath().digits(1)(shifted) ?? "";
    if (d !== "") nodes.push(path(d, { fill: color(band / (bandCount - 1)), opacity }));
  }
  for (const { place, x, y } of points.slice(0, points.length > dotCount ? 0 : dotCount))
    nodes.push(
      circle(x, y, 2, {
        fill: theme.text,
        opacity: 0.55,
        mark: markOf(
          place.row,
          place.name,
          "",
          measure ? measure.text(place.cells[measure.cell]) : "",
        ),
      }),
    );
}
