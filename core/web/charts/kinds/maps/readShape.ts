import { checkedShape, pointShape, type PlaceShape } from "./placeShape.ts";
import { readGeoJson } from "./readGeoJson.ts";
import { readWkb } from "./readWkb.ts";
import { readWkt } from "./readWkt.ts";

/** The longest string that is read as a geometry. */
const mostLength = 2_000_000;

const pair = /^\(?\s*([-+]?\d{1,3}(?:\.\d+)?)\s*[,;]\s*([-+]?\d{1,3}(?:\.\d+)?)\s*\)?$/;
const hex = /^(?:00|01)[\da-f]{36,}$/i;

/**
 * Reads the shape of a place from a string: GeoJSON, WKT or EWKT, WKB or EWKB in hexadecimal digits, or a latitude and
 * a longitude such as `50.85, 4.35`. Returns "broken" for a string that starts like a geometry and cannot be read, and
 * undefined for other strings, such as names. Coordinates are degrees in WGS 84; other systems are "broken".
 */
export function readShape(given: string): PlaceShape | "broken" | undefined {
  const text = given.length > mostLength ? given.slice(0, 100) : given.trim();
  const read = readerOf(text);
  if (!read) return undefined;
  if (given.length > mostLength) return "broken";
  try {
    const shape = read(text);
    return (shape && checkedShape(shape)) ?? "broken";
  } catch {
    // Parsers throw on malformed strings; the caller counts and names them.
    return "broken";
  }
}

function readerOf(text: string): ((text: string) => PlaceShape | undefined) | undefined {
  if (text.startsWith("{")) return readGeoJson;
  if (hex.test(text)) return readWkb;
  if (pair.test(text)) return readPair;
  return /^(?:srid=\d+;)?\s*(?:(?:multi)?(?:point|linestring|polygon)|geometrycollection)\b/i.test(
    text,
  )
    ? readWkt
    : undefined;
}

function readPair(text: string): PlaceShape | undefined {
  const [, latitude, longitude] = pair.exec(text) ?? [];
  return pointShape([Number(longitude), Number(latitude)]);
}
