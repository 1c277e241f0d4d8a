import { readColor } from "../../color/readColor.ts";
import type { Frame, PlacedColumn } from "../../frame/frame.ts";
import { drawLegend } from "../../frame/drawLegend.ts";
import { noteLeftOut } from "../noteLeftOut.ts";
import { layMap, type LaidMap, type MapMargins } from "./layMap.ts";
import { pointShape } from "./placeShape.ts";
import type { Place } from "./placesOf.ts";

/** A place and its pixels on the map. */
export interface MapPoint {
  readonly place: Place;
  readonly x: number;
  readonly y: number;
}

/** Lays out a map of the middles of places. A note counts places outside the map. */
export function pointsOf(
  frame: Frame,
  places: readonly Place[],
  margins: MapMargins = {},
): { readonly map: LaidMap; readonly points: readonly MapPoint[] } {
  const map = layMap(
    frame,
    places.map(({ at }) => pointShape(at)),
    margins,
  );
  const outside: string[] = [];
  const points = places.flatMap((place) => {
    const found = map.point(place.at);
    if (!found) {
      outside.push(place.name);
      return [];
    }
    const [x, y] = found;
    return [{ place, x, y }];
  });
  noteLeftOut(frame, "outOfView", outside.length, outside);
  return { map, points };
}

/** Returns the colour of places by the values of a column, and draws the legend of these values. */
export function categoryColors(
  frame: Frame,
  places: readonly Place[],
  column: PlacedColumn | undefined,
): (place: Place) => string {
  const { theme, colors, item } = frame.request;
  const only = readColor(item.options.color, theme.background) ?? theme.series[0] ?? "";
  if (!column) return () => only;
  const colorOf = ({ cells }: Place) => {
    const cell = cells[column.cell];
    return colors.of(column.field.columnId ?? "", column.key(cell), column.color(cell));
  };
  const entries = new Map(
    places.map((place) => [
      column.key(place.cells[column.cell]),
      { name: column.text(place.cells[column.cell]), color: colorOf(place) },
    ]),
  );
  drawLegend(frame, [...entries.values()]);
  return colorOf;
}

/**
 * Returns the places with a positive number, and counts the others in a note. Without a measure, every place counts 1.
 */
export function positivePlaces(
  frame: Frame,
  places: readonly Place[],
  measure: PlacedColumn | undefined,
): readonly (Place & { readonly value: number })[] {
  const left: string[] = [];
  const kept = places.flatMap((place) => {
    const value = measure ? measure.number(place.cells[measure.cell]) : 1;
    if (value !== null && value > 0) return [{ ...place, value }];
    left.push(place.name);
    return [];
  });
  noteLeftOut(frame, "notPositive", left.length, left);
  return kept;
}
