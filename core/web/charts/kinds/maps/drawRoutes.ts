import { columnsIn, markOf, type Frame } from "../../frame/frame.ts";
import { circle, path } from "../../frame/nodes.ts";
import { optionNumber } from "../../frame/optionNumber.ts";
import { drawLegend } from "../../frame/drawLegend.ts";
import { noteLeftOut } from "../noteLeftOut.ts";
import { layMap } from "./layMap.ts";
import { pointShape, type PlaceShape, type Position } from "./placeShape.ts";
import { placesOf, type Place } from "./placesOf.ts";

/** Up to this many stops have dots of their own. */
const stopCount = 600;

interface Route {
  readonly name: string;
  readonly color: string;
  readonly stops: Place[];
}

/**
 * Draws routes on a map. The places of a route are joined in the order of a column, by the shortest way on the earth.
 * Places that are lines are drawn as they are.
 */
export function drawRoutes(frame: Frame): void {
  const { nodes, request, words } = frame;
  const { theme, colors, item } = request;
  const [order] = columnsIn(frame, "order");
  const [legend] = columnsIn(frame, "legend");
  const [named] = columnsIn(frame, "route");
  const places = placesOf(frame);
  const routes = new Map<string, Route>();
  for (const place of places) {
    const { cells } = place;
    const key = [named, legend]
      .map((column) => (column ? column.key(cells[column.cell]) : ""))
      .join("\0");
    const by = legend ?? named;
    const cell = by && cells[by.cell];
    const route = routes.get(key) ?? {
      name: [named, legend].flatMap((each) => (each ? each.text(cells[each.cell]) : [])).join(", "),
      color: by
        ? colors.of(by.field.columnId ?? "", by.key(cell), by.color(cell))
        : (theme.series[0] ?? ""),
      stops: [],
    };
    route.stops.push(place);
    routes.set(key, route);
  }
  const by = legend ?? named;
  if (by) {
    const entries = new Map(
      [...routes.values()].flatMap(({ stops: [first], color }) => {
        const shown = first ? by.text(first.cells[by.cell]) : words.none;
        return [[shown, { name: shown, color }] as const];
      }),
    );
    drawLegend(frame, [...entries.values()]);
  }
  const map = layMap(
    frame,
    places.map(({ shape, at }) => (shape.lines.length > 0 ? shape : pointShape(at))),
  );
  const width = optionNumber(item.options.lineWeight, { least: 0.5, most: 40, otherwise: 4 });
  const opacity = optionNumber(item.options.opacity, { least: 0.05, most: 1, otherwise: 0.7 });
  const unordered: string[] = [];
  for (const { name, color, stops } of routes.values()) {
    const placeOf = ({ cells }: Place) => {
      if (!order) return 0;
      const cell = cells[order.cell];
      return order.isDatetime ? order.wallMs(cell) : order.number(cell);
    };
    const sorted = stops
      .filter((stop) => placeOf(stop) !== null)
      .toSorted((one, other) => (placeOf(one) ?? 0) - (placeOf(other) ?? 0));
    unordered.push(...stops.filter((stop) => placeOf(stop) === null).map((stop) => stop.name));
    const joined: Position[] = sorted.flatMap(({ shape, at }) =>
      shape.lines.length > 0 ? [] : [at],
    );
    const lines = [
      ...sorted.flatMap(({ shape }) => shape.lines),
      ...(joined.length > 1 ? [joined] : []),
    ];
    const shape: PlaceShape = { points: [], lines, polygons: [] };
    const d = lines.length > 0 ? map.path(shape) : "";
    const [first] = sorted;
    const last = sorted.at(-1);
    const ends = first && last && first !== last ? `${first.name} – ${last.name}` : "";
    if (d !== "")
      nodes.push(
        path(d, {
          stroke: color,
          strokeWidth: width,
          ...(opacity < 1 && { opacity }),
          mark: markOf(
            sorted.length === 1 ? first?.row : undefined,
            name || ends,
            "",
            name ? ends : "",
          ),
        }),
      );
  }
  const outside: string[] = [];
  const isDotted = places.length <= stopCount;
  for (const { name, color, stops } of routes.values())
    for (const stop of stops) {
      const at = map.point(stop.at);
      if (!at) outside.push(stop.name);
      else if (isDotted)
        nodes.push(
          circle(...at, Math.max(2.5, width * 0.8), {
            fill: theme.background,
            stroke: color,
            strokeWidth: 1.5,
            mark: markOf(
              stop.row,
              stop.name,
              name === stop.name ? "" : name,
              order ? order.text(stop.cells[order.cell]) : "",
            ),
          }),
        );
    }
  noteLeftOut(frame, "outOfView", outside.length, outside);
  noteLeftOut(frame, "withoutValue", unordered.length, unordered);
}
