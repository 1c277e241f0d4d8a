import { max, mean, median, min } from "d3-array";
import { columnsIn, markOf, type Frame } from "../../frame/frame.ts";
import { path } from "../../frame/nodes.ts";
import { optionNumber } from "../../frame/optionNumber.ts";
import { counted } from "../../words/templates.ts";
import { noteLeftOut } from "../noteLeftOut.ts";
import { kindWordsOf } from "../words/kindWordsOf.ts";
import { colorScale } from "./colorScale.ts";
import { placesOf, type Place } from "./placesOf.ts";
import { pointsOf, type MapPoint } from "./pointsOf.ts";

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly points: MapPoint[];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const aggregations: Readonly<Record<string, (values: readonly number[]) => number | undefined>> = {
  sum,
  count: (values) => values.length,
  maximum: (values) => max(values),
  minimum: (values) => min(values),
  mean: (values) => mean(values),
  median: (values) => median(values),
};

/** Draws the places of rows in hexagons, coloured by the sum of the measure or by another aggregate of the values. */
export function drawHexagons(frame: Frame): void {
  const { nodes, request, area } = frame;
  const { theme, item, localeId } = request;
  const { options } = item;
  const [measure] = columnsIn(frame, "measure");
  const valueOf = ({ cells }: Place) => (measure ? measure.number(cells[measure.cell]) : 1);
  const all = placesOf(frame);
  const places = all.filter((place) => valueOf(place) !== null);
  const empty = all.filter((place) => valueOf(place) === null);
  noteLeftOut(
    frame,
    "withoutValue",
    empty.length,
    empty.map(({ name }) => name),
  );
  const automatic = Math.max(6, Math.min(area.width, area.height) / 22);
  const radius = optionNumber(options.radius, { least: 3, most: 200, otherwise: automatic });
  const { aggregationType } = options;
  const aggregate =
    (typeof aggregationType === "string" && Object.hasOwn(aggregations, aggregationType)
      ? aggregations[aggregationType]
      : undefined) ?? sum;
  const counts = !measure || aggregationType === "count";
  // The numbers of the legend are known only after the map is laid out below it.
  const legendHeight = places.length > 0 ? 24 : 0;
  frame.area = { ...area, y: area.y + legendHeight, height: area.height - legendHeight };
  const { map, points } = pointsOf(frame, places);
  const cells = cellsOf(points, radius).map((cell) => ({
    ...cell,
    value: aggregate(cell.points.map(({ place }) => valueOf(place) ?? 0)) ?? 0,
  }));
  const text = counts
    ? (value: number) => new Intl.NumberFormat(localeId).format(value)
    : (value: number) => (measure ? measure.text(value) : "");
  frame.area = area;
  const values = cells.map(({ value }) => value);
  const scale = colorScale(frame, values, {
    classification: "interval",
    text,
    isRamp: true,
  });
  const opacity = optionNumber(options.opacity, { least: 0.05, most: 1, otherwise: 0.85 });
  for (const { x, y, points: members, value } of cells) {
    const [only] = members;
    const names = [...new Set(members.map(({ place }) => place.name))];
    const name = [...names.slice(0, 3), ...(names.length > 3 ? ["…"] : [])].join(frame.words.comma);
    const suffix =
      members.length > 1 && !counts
        ? ` (${counted(kindWordsOf(localeId).places, members.length, localeId)})`
        : "";
    const shown = `${text(value)}${suffix}`;
    nodes.push(
      path(hexagon(x, y, radius, map.area), {
        fill: scale(value),
        stroke: theme.background,
        strokeWidth: 1,
        opacity,
        mark: markOf(members.length === 1 ? only?.place.row : undefined, name, "", shown),
      }),
    );
  }
}

/** Puts points into hexagons, as in https://github.com/d3/d3-hexbin. */
function cellsOf(points: readonly MapPoint[], radius: number): Cell[] {
  const across = radius * 2 * Math.sin(Math.PI / 3);
  const down = radius * 1.5;
  const cells = new Map<string, Cell>();
  for (const point of points) {
    let row = Math.round(point.y / down);
    const shift = (of: number) => (of & 1) / 2;
    let column = Math.round(point.x / across - shift(row));
    const fromRow = point.y / down - row;
    if (Math.abs(fromRow) * 3 > 1) {
      const fromColumn = point.x / across - shift(row) - column;
      const nextRow = row + (fromRow < 0 ? -1 : 1);
      const nextColumn = column + (fromColumn < 0 ? -1 : 1) / 2;
      const overColumn = point.x / across - shift(row) - nextColumn;
      const overRow = fromRow + (fromRow < 0 ? 1 : -1);
      if (fromColumn ** 2 + fromRow ** 2 > overColumn ** 2 + overRow ** 2) {
        column = nextColumn + ((row & 1) === 1 ? 1 : -1) / 2;
        row = nextRow;
      }
    }
    const key = `${column},${row}`;
    const cell = cells.get(key) ?? {
      x: (column + shift(row)) * across,
      y: row * down,
      points: [],
    };
    cell.points.push(point);
    cells.set(key, cell);
  }
  return [...cells.values()];
}

/** Returns a hexagon with a corner at the top, within the map's area. */
function hexagon(
  x: number,
  y: number,
  radius: number,
  area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): string {
  const corners = Array.from({ length: 6 }, (_, index) => {
    const angle = (Math.PI / 3) * index;
    const across = x + Math.sin(angle) * radius;
    const up = y - Math.cos(angle) * radius;
    const inside = [
      Math.max(area.x, Math.min(area.x + area.width, across)),
      Math.max(area.y, Math.min(area.y + area.height, up)),
    ];
    return inside.map((value) => Math.round(value * 10) / 10).join(",");
  });
  return `M${corners.join("L")}Z`;
}
