import { isObject, listOf } from "../../item/readItem.ts";
import { joinedShapes, type PlaceShape, type Position } from "./placeShape.ts";

/** The deepest nesting of geometry collections. */
const deepest = 4;

/**
 * Reads a geometry, feature or collection of GeoJSON. Undefined if it has a geometry of another type.
 * @throws {SyntaxError} if the string is not JSON
 */
export function readGeoJson(text: string): PlaceShape | undefined {
  return shapeOf(JSON.parse(text), 0);
}

function shapeOf(value: unknown, depth: number): PlaceShape | undefined {
  if (
    depth > deepest ||
    !isObject<"type" | "coordinates" | "geometry" | "geometries" | "features">(value)
  )
    return undefined;
  const { type, coordinates } = value;
  switch (type) {
    case "Point":
      return shape({ points: [position(coordinates)] });
    case "MultiPoint":
      return shape({ points: positions(coordinates) });
    case "LineString":
      return shape({ lines: [positions(coordinates)] });
    case "MultiLineString":
      return shape({ lines: listOf(coordinates).map(positions) });
    case "Polygon":
      return shape({ polygons: [listOf(coordinates).map(positions)] });
    case "MultiPolygon":
      return shape({ polygons: listOf(coordinates).map((each) => listOf(each).map(positions)) });
    case "Feature":
      return shapeOf(value.geometry, depth + 1);
    case "FeatureCollection":
      return all(listOf(value.features), depth);
    case "GeometryCollection":
      return all(listOf(value.geometries), depth);
    default:
      return undefined;
  }
}

function all(values: readonly unknown[], depth: number): PlaceShape | undefined {
  const shapes = values.map((each) => shapeOf(each, depth + 1));
  const known = shapes.filter((each) => each !== undefined);
  return known.length < shapes.length ? undefined : joinedShapes(known);
}

const shape = (parts: Partial<PlaceShape>): PlaceShape => ({
  points: [],
  lines: [],
  polygons: [],
  ...parts,
});

/** Returns a position. Numbers that are missing or strings become NaN, which makes the shape invalid. */
function position(value: unknown): Position {
  const [longitude, latitude] = listOf(value);
  return [
    typeof longitude === "number" ? longitude : Number.NaN,
    typeof latitude === "number" ? latitude : Number.NaN,
  ];
}

const positions = (value: unknown): Position[] => listOf(value).map(position);
