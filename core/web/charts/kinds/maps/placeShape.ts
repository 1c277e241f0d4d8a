import { geoArea, geoCentroid, type GeoPermissibleObjects } from "d3-geo";

/** A longitude and a latitude in degrees. */
export type Position = readonly [longitude: number, latitude: number];

/** The shape of a place: its points, its lines and its polygons. A polygon is an outer ring and its holes. */
export interface PlaceShape {
  readonly points: readonly Position[];
  readonly lines: readonly (readonly Position[])[];
  readonly polygons: readonly (readonly (readonly Position[])[])[];
}

/** The most positions of one shape. Shapes with more are left out. */
const mostPositions = 50_000;

/** Returns a shape of one point. */
export function pointShape(position: Position): PlaceShape {
  return { points: [position], lines: [], polygons: [] };
}

/** Joins shapes to one. */
export function joinedShapes(shapes: readonly PlaceShape[]): PlaceShape {
  return {
    points: shapes.flatMap(({ points }) => points),
    lines: shapes.flatMap(({ lines }) => lines),
    polygons: shapes.flatMap(({ polygons }) => polygons),
  };
}

/** Returns the number of positions of a shape. */
export function positionCount({ points, lines, polygons }: PlaceShape): number {
  let count = points.length;
  for (const line of lines) count += line.length;
  for (const rings of polygons) for (const ring of rings) count += ring.length;
  return count;
}

/**
 * Returns a shape that can be drawn; undefined if it is empty, has positions outside of the earth, lines of one
 * position or rings of fewer than three, or too many positions. D3 takes the smaller side of a ring for its inside only
 * if the ring runs clockwise, and few writers agree on the direction. Outer rings are therefore turned to enclose at
 * most half of the earth, and holes the opposite way.
 */
export function checkedShape(shape: PlaceShape): PlaceShape | undefined {
  const { points, lines, polygons } = shape;
  const count = positionCount(shape);
  if (count === 0 || count > mostPositions) return undefined;
  if (lines.some((line) => line.length < 2)) return undefined;
  if (polygons.some((rings) => rings.length === 0)) return undefined;
  const rings = polygons.flat();
  if (rings.some((ring) => openRing(ring).length < 3)) return undefined;
  const all = [points, ...lines, ...rings];
  if (!all.every((part) => part.every(isOnEarth))) return undefined;
  return { points, lines, polygons: polygons.map(woundRings) };
}

function isOnEarth([longitude, latitude]: Position): boolean {
  // Comparisons with NaN are false.
  return Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90;
}

/** Returns a ring without the repetition of its first position at its end. */
function openRing(ring: readonly Position[]): readonly Position[] {
  const [first] = ring;
  const last = ring.at(-1);
  const isClosed = first && last && ring.length > 1 && first[0] === last[0] && first[1] === last[1];
  return isClosed ? ring.slice(0, -1) : ring;
}

function woundRings(rings: readonly (readonly Position[])[]): readonly (readonly Position[])[] {
  return rings.map((ring, index) => {
    const open = openRing(ring);
    const [first] = open;
    const closed = first ? [...open, first] : open;
    const isLarge = geoArea({ type: "Polygon", coordinates: [mutable(closed)] }) > 2 * Math.PI;
    return isLarge === (index === 0) ? closed.toReversed() : closed;
  });
}

const mutable = (positions: readonly Position[]): [number, number][] =>
  positions.map(([longitude, latitude]) => [longitude, latitude]);

/** Returns a shape as GeoJSON. */
export function geoJsonOf({ points, lines, polygons }: PlaceShape): GeoPermissibleObjects {
  return {
    type: "GeometryCollection",
    geometries: [
      ...(polygons.length > 0
        ? [
            {
              type: "MultiPolygon" as const,
              coordinates: polygons.map((rings) => rings.map(mutable)),
            },
          ]
        : []),
      ...(lines.length > 0
        ? [{ type: "MultiLineString" as const, coordinates: lines.map(mutable) }]
        : []),
      ...(points.length > 0 ? [{ type: "MultiPoint" as const, coordinates: mutable(points) }] : []),
    ],
  };
}

/**
 * Returns the parts of a shape that a map shows in any case: polygons of at least a fifth of the largest one. France is
 * thus shown without its overseas territories, unless these have rows of their own.
 */
export function mainParts(shape: PlaceShape): PlaceShape {
  if (shape.polygons.length < 2) return shape;
  const known = knownMainParts.get(shape);
  if (known) return known;
  const areas = shape.polygons.map((rings) => geoArea(geoJsonOf(polygonShape(rings))));
  const most = Math.max(...areas);
  const main = {
    ...shape,
    polygons: shape.polygons.filter((_, index) => areas[index]! >= most / 5),
  };
  knownMainParts.set(shape, main);
  return main;
}

/** Main parts of shapes, which maps need again whenever their size changes. */
const knownMainParts = new WeakMap<PlaceShape, PlaceShape>();

/** Returns the position at which a map writes or draws something for a shape: the middle of its largest part. */
export function middleOfShape(shape: PlaceShape): Position {
  const [point] = shape.points;
  if (point && shape.polygons.length === 0 && shape.lines.length === 0 && shape.points.length === 1)
    return point;
  const { polygons } = shape;
  let largest: PlaceShape = shape;
  let most = -1;
  for (const rings of polygons) {
    const one = polygonShape(rings);
    const area = polygons.length === 1 ? 0 : geoArea(geoJsonOf(one));
    if (area > most) [largest, most] = [one, area];
  }
  const [longitude, latitude] = geoCentroid(geoJsonOf(largest));
  const first = point ?? shape.lines[0]?.[0] ?? polygons[0]?.[0]?.[0];
  // Points on opposite sides of the earth have no middle.
  return Number.isFinite(longitude) && Number.isFinite(latitude)
    ? [longitude, latitude]
    : (first ?? [0, 0]);
}

const polygonShape = (rings: readonly (readonly Position[])[]): PlaceShape => ({
  points: [],
  lines: [],
  polygons: [rings],
});
