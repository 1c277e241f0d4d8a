import {
  geoAzimuthalEqualArea,
  geoBounds,
  geoEqualEarth,
  geoGraticule,
  geoMercator,
  geoPath,
  type GeoProjection,
  type GeoStream,
} from "d3-geo";
import type { Area, Frame } from "../../frame/frame.ts";
import { line, path, text } from "../../frame/nodes.ts";
import { countryOutlines } from "./countries.ts";
import {
  geoJsonOf,
  joinedShapes,
  mainParts,
  type PlaceShape,
  type Position,
} from "./placeShape.ts";

/** A map in the area of a frame. */
export interface LaidMap {
  readonly area: Area;
  /** Returns the pixels of a position; undefined if it is outside the map. */
  point(position: Position): readonly [x: number, y: number] | undefined;
  /** Returns the outline of a shape as path data; empty if it is outside the map. */
  path(shape: PlaceShape): string;
}

/** Room for symbols between the outermost places and the edges of a map, in pixels. */
export interface MapMargins {
  /** Room on all sides. */
  readonly around?: number;
  /** Further room at the top, for symbols that stand on their place. */
  readonly above?: number;
}

/** The part of the earth that a map shows, in degrees. */
interface View {
  readonly longitude: number;
  readonly latitude: number;
  readonly width: number;
  readonly height: number;
  /** The southernmost latitude of the shapes. */
  readonly south: number;
}

/** From this width or height in degrees, a map shows the whole world. */
const worldDegrees = { width: 140, height: 110 };
/** Below this size in degrees, the outlines of countries are too coarse to be shown. */
const localDegrees = 3;
/** The size in degrees of a map that shows a single point. */
const pointDegrees = 14;
const kmPerDegree = 111.2;

/**
 * Lays out a map that shows the given shapes, and draws the outlines of countries behind them. Maps of small regions
 * have a grid and a scale instead of outlines. Maps of the world use the projection Equal Earth, and maps of continents
 * an azimuthal one; both keep the proportions of areas. Maps of regions use Mercator's projection.
 */
export function layMap(
  frame: Frame,
  shapes: readonly PlaceShape[],
  { around = 0, above = 0 }: MapMargins = {},
): LaidMap {
  const { x, y, width, height } = frame.area;
  const area = { x, y, width: Math.max(1, width), height: Math.max(1, height) };
  const view = viewOf(shapes);
  const isWorld = view.width >= worldDegrees.width || view.height >= worldDegrees.height;
  const isLocal = !isWorld && Math.max(view.width, view.height) < localDegrees;
  const inner = {
    x: area.x + around,
    y: area.y + around + above,
    width: Math.max(1, area.width - 2 * around),
    height: Math.max(1, area.height - 2 * around - above),
  };
  const projection = isWorld ? worldProjection(view, inner) : regionProjection(view, inner);
  projection.clipExtent([
    [area.x, area.y],
    [area.x + area.width, area.y + area.height],
  ]);
  const outline = geoPath({ stream: (sink) => projection.stream(thinned(sink)) }).digits(1);
  const pathOf = (shape: PlaceShape) => outline(geoJsonOf(shape)) ?? "";
  if (isLocal) drawGrid(frame, area, view, projection);
  else drawOutlines(frame, pathOf, { hasAntarctica: !isWorld || isSouth(view) });
  return {
    area,
    path: pathOf,
    point([longitude, latitude]) {
      const [across = Number.NaN, down = Number.NaN] = projection([longitude, latitude]) ?? [];
      const isInside =
        across >= area.x &&
        across <= area.x + area.width &&
        down >= area.y &&
        down <= area.y + area.height;
      return isInside ? [across, down] : undefined;
    },
  };
}

function viewOf(shapes: readonly PlaceShape[]): View {
  const world = { longitude: 0, latitude: 12, width: 360, height: 136, south: -56 };
  if (shapes.length === 0) return world;
  const main = joinedShapes([...new Set(shapes)].map(mainParts));
  const [[west, south], [east, north]] = geoBounds(geoJsonOf(main));
  if (![west, south, east, north].every(Number.isFinite)) return world;
  const across = (east - west + 360) % 360;
  const up = north - south;
  const isPoint = Math.max(across, up) < 1e-9;
  const size = isPoint ? pointDegrees : Math.max(across, up);
  // Shapes fill the map almost to its edges; points need room for their symbols.
  const margin = size * (main.polygons.length > 0 ? 0.04 : 0.12);
  return {
    longitude: west + across / 2,
    latitude: (south + north) / 2,
    width: Math.max(across, size / 4) + 2 * margin,
    height: Math.max(up, size / 4) + 2 * margin,
    south,
  };
}

/** Returns whether a view contains places of Antarctica. */
const isSouth = ({ south }: View) => south < -60;

function worldProjection(view: View, area: Area): GeoProjection {
  const south = isSouth(view) ? -90 : -56;
  const corners: [number, number][] = [-180, 180].flatMap((longitude) =>
    [south, 0, 80].map((latitude): [number, number] => [longitude * 0.999_9, latitude]),
  );
  return geoEqualEarth().fitExtent(extentOf(area), { type: "MultiPoint", coordinates: corners });
}

function regionProjection(view: View, area: Area): GeoProjection {
  const { longitude, latitude, width, height } = view;
  const farthest = Math.abs(latitude) + height / 2;
  const isMercator = Math.max(width, height) < 20 && farthest < 75;
  const projection = isMercator
    ? geoMercator().rotate([-longitude, 0])
    : geoAzimuthalEqualArea().rotate([-longitude, -latitude]);
  const steps = [-0.5, -0.25, 0, 0.25, 0.5];
  const coordinates = steps.flatMap((across) =>
    steps.map((up): [number, number] => [
      longitude + across * width,
      Math.max(-89.9, Math.min(89.9, latitude + up * height)),
    ]),
  );
  return projection.fitExtent(extentOf(area), { type: "MultiPoint", coordinates });
}

const extentOf = ({ x, y, width, height }: Area): [[number, number], [number, number]] => [
  [x, y],
  [x + width, y + height],
];

/** Leaves out positions that are closer to the previous one than a reader can see. */
function thinned(sink: GeoStream): GeoStream {
  const least = 0.7;
  let isLine = false;
  let last: readonly [number, number] | undefined;
  let held: readonly [number, number] | undefined;
  return {
    point(across, down) {
      if (!isLine) return sink.point(across, down);
      if (last && Math.hypot(across - last[0], down - last[1]) < least) {
        held = [across, down];
        return;
      }
      last = [across, down];
      held = undefined;
      sink.point(across, down);
    },
    lineStart() {
      isLine = true;
      last = undefined;
      held = undefined;
      sink.lineStart();
    },
    lineEnd() {
      if (held) sink.point(...held);
      isLine = false;
      sink.lineEnd();
    },
    polygonStart: () => sink.polygonStart(),
    polygonEnd: () => sink.polygonEnd(),
    sphere: () => sink.sphere?.(),
  };
}

function drawOutlines(
  { nodes, request: { theme } }: Frame,
  pathOf: (shape: PlaceShape) => string,
  { hasAntarctica }: { readonly hasAntarctica: boolean },
): void {
  const shown = countryOutlines().filter(({ code }) => hasAntarctica || code !== "AQ");
  const d = pathOf(joinedShapes(shown.map(({ shape }) => shape)));
  if (d !== "")
    nodes.push(path(d, { fill: theme.grid, stroke: theme.background, strokeWidth: 0.75 }));
}

/** Draws meridians and parallels, and a scale in kilometers. */
function drawGrid(
  { nodes, request: { theme, localeId } }: Frame,
  area: Area,
  view: View,
  projection: GeoProjection,
): void {
  const step = roundBelow(Math.max(view.width, view.height) / 3);
  const { longitude, latitude, width, height } = view;
  const grid = geoGraticule()
    .step([step, step])
    .extent([
      [longitude - width * 4, Math.max(-85, latitude - height * 4)],
      [longitude + width * 4, Math.min(85, latitude + height * 4)],
    ])
    .precision(Math.max(0.001, step));
  const d = geoPath(projection).digits(1)(grid()) ?? "";
  if (d !== "") nodes.push(path(d, { stroke: theme.grid, strokeWidth: 1 }));
  const middle = projection([longitude, latitude]);
  const beside = projection([longitude + width / 100, latitude]);
  if (!middle || !beside) return;
  const kmPerPixel =
    ((width / 100) * kmPerDegree * Math.cos((latitude * Math.PI) / 180)) /
    Math.max(1e-9, beside[0] - middle[0]);
  const km = roundBelow(kmPerPixel * Math.min(90, area.width / 3));
  const length = km / kmPerPixel;
  const left = area.x + 8;
  const bottom = area.y + area.height - 8;
  const style = { stroke: theme.muted, strokeWidth: 1.5 };
  nodes.push(line([left, bottom], [left + length, bottom], style));
  const unit = km < 1 ? "meter" : "kilometer";
  const written = new Intl.NumberFormat(localeId, {
    style: "unit",
    unit,
    maximumFractionDigits: 0,
  });
  nodes.push(
    text(left, bottom - 5, written.format(km < 1 ? km * 1_000 : km), {
      fill: theme.muted,
      size: 11,
    }),
  );
}

/** Returns 1, 2 or 5 times a power of ten that is at most the given number. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const first = value / power;
  return power * (first >= 5 ? 5 : first >= 2 ? 2 : 1);
}
