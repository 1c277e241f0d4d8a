import { readColor } from "../../color/readColor.ts";
import { drawLegend } from "../../frame/drawLegend.ts";
import { columnsIn, markOf, type Frame } from "../../frame/frame.ts";
import { circle, path } from "../../frame/nodes.ts";
import { optionNumber } from "../../frame/optionNumber.ts";
import { noteLeftOut } from "../noteLeftOut.ts";
import { colorScale } from "./colorScale.ts";
import { layMap } from "./layMap.ts";
import { placesOf, type Place } from "./placesOf.ts";

/** Radius of places that have no area, such as small countries, in pixels. */
const pointRadius = 4.5;

/**
 * Draws places as areas, coloured by the class of their number or by a category. Of several rows of a place, the row
 * with the largest number is drawn. Places without a number have a neutral colour.
 */
export function drawRegions(frame: Frame): void {
  const { nodes, request } = frame;
  const { theme, colors, item } = request;
  const [measure] = columnsIn(frame, "measure");
  const [category] = columnsIn(frame, "category");
  const valueOf = ({ cells }: Place) => (measure ? measure.number(cells[measure.cell]) : null);
  const places = largestOf(frame, placesOf(frame), valueOf);
  const values = places.map(valueOf).filter((value) => value !== null);
  const colorOf = category ? byCategory : byNumber();
  const map = layMap(
    frame,
    places.map(({ shape }) => shape),
  );
  const opacity = optionNumber(item.options.opacity, { least: 0.05, most: 1, otherwise: 0.85 });
  const stroke = readColor(item.options.strokeColor, theme.background) ?? theme.background;
  const outside: string[] = [];
  const small: Place[] = [];
  for (const place of places) {
    const { shape } = place;
    if (shape.polygons.length === 0 && shape.lines.length === 0) {
      small.push(place);
      continue;
    }
    const d = map.path(shape);
    if (d === "") {
      outside.push(place.name);
      continue;
    }
    const paint = colorOf(place);
    const isArea = shape.polygons.length > 0;
    nodes.push(
      path(d, {
        ...(isArea ? { fill: paint, stroke } : { stroke: paint }),
        strokeWidth: isArea ? 0.75 : 2,
        ...(opacity < 1 && { opacity }),
        mark: markFor(place),
      }),
    );
  }
  for (const place of small) {
    const at = map.point(place.at);
    if (!at) outside.push(place.name);
    else
      nodes.push(
        circle(...at, pointRadius, {
          fill: colorOf(place),
          stroke,
          strokeWidth: 1,
          ...(opacity < 1 && { opacity }),
          mark: markFor(place),
        }),
      );
  }
  noteLeftOut(frame, "outOfView", outside.length, outside);

  function byCategory({ cells }: Place): string {
    const cell = category && cells[category.cell];
    return category
      ? colors.of(category.field.columnId ?? "", category.key(cell), category.color(cell))
      : theme.axis;
  }

  function byNumber(): (place: Place) => string {
    const only = readColor(item.options.color, theme.background) ?? theme.series[0] ?? "";
    if (!measure) return () => only;
    const scale = colorScale(frame, values, {
      classification: "quantile",
      text: (value) => measure.text(value),
    });
    return (place) => {
      const value = valueOf(place);
      return value === null ? theme.axis : scale(value);
    };
  }

  function markFor(place: Place) {
    const { cells, row, name } = place;
    const series = category ? category.text(cells[category.cell]) : "";
    const shown = measure ? measure.text(cells[measure.cell]) : "";
    return markOf(row, name, series, shown);
  }

  function largestOf(
    frame: Frame,
    all: readonly Place[],
    numberOf: (place: Place) => number | null,
  ): readonly Place[] {
    const kept = new Map<string, Place>();
    for (const place of all) {
      const known = kept.get(place.key);
      if (!known || (numberOf(place) ?? -Infinity) > (numberOf(known) ?? -Infinity))
        kept.set(place.key, place);
    }
    const places = [...kept.values()];
    const hidden = all.filter((place) => kept.get(place.key) !== place);
    noteLeftOut(
      frame,
      "samePlace",
      hidden.length,
      hidden.map(({ name }) => name),
    );
    const empty = measure ? places.filter((place) => numberOf(place) === null) : [];
    noteLeftOut(
      frame,
      "withoutValue",
      empty.length,
      empty.map(({ name }) => name),
    );
    if (category) {
      const entries = new Map(
        places.map((place) => [
          category.key(place.cells[category.cell]),
          { name: category.text(place.cells[category.cell]), color: byCategory(place) },
        ]),
      );
      drawLegend(frame, [...entries.values()]);
    }
    return places;
  }
}
