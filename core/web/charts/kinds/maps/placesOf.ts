import type { ChartCell } from "../../answer/chartRequest.ts";
import { columnsIn, type Frame, type PlacedColumn } from "../../frame/frame.ts";
import { noteLeftOut } from "../noteLeftOut.ts";
import { findCountry, shapeOfCountry } from "./countries.ts";
import {
  checkedShape,
  middleOfShape,
  pointShape,
  positionCount,
  type PlaceShape,
  type Position,
} from "./placeShape.ts";
import { readShape } from "./readShape.ts";

/** A row of the answer that has a place on the map. */
export interface Place {
  /** Index of the row. */
  readonly row: number;
  /** Equal for rows of the same place. */
  readonly key: string;
  readonly name: string;
  readonly shape: PlaceShape;
  /** The position of a symbol for the place. */
  readonly at: Position;
  readonly cells: readonly ChartCell[];
}

/** The most positions of all shapes of a picture. */
const mostPositions = 150_000;

interface Found {
  readonly key: string;
  readonly shape: PlaceShape;
  readonly at: Position;
  /** Whether the string is a name that readers know, and not a geometry. */
  readonly isNamed: boolean;
}

/**
 * Returns the rows whose column in the slot `geo` has a place: the name or code of a country, or a geometry. Two
 * numeric columns are a latitude and a longitude. Notes count and name the other rows.
 */
export function placesOf(frame: Frame): readonly Place[] {
  const { rows, request } = frame;
  const columns = columnsIn(frame, "geo");
  const [geo, second] = columns;
  if (!geo) return [];
  const isPair = geo.isNumeric && second?.isNumeric === true;
  const known = new Map<string, Found | "broken" | "none">();
  const find = isPair
    ? pairFinder(geo, second)
    : (row: readonly ChartCell[]) => findText(stringIn(row[geo.cell]), request.localeId);
  const places: Place[] = [];
  const unknown: string[] = [];
  const broken: string[] = [];
  const tooDetailed: string[] = [];
  let positions = 0;
  for (const [index, row] of rows.entries()) {
    const key = isPair
      ? `${geo.key(row[geo.cell])},${second.key(row[second.cell])}`
      : geo.key(row[geo.cell]);
    const shown = geo.text(row[geo.cell]);
    let found = known.get(key);
    if (!found && positions > mostPositions) {
      // Further shapes are not even parsed, so that the time for a picture has a limit.
      tooDetailed.push(shortened(shown));
      continue;
    }
    if (!found) {
      found = find(row);
      known.set(key, found);
      if (typeof found === "object") positions += positionCount(found.shape);
    }
    if (found === "none") unknown.push(shown);
    else if (found === "broken") broken.push(shortened(shown));
    else
      places.push({
        row: index,
        key: found.key,
        name: nameOf(frame, row, geo, found),
        shape: found.shape,
        at: found.at,
        cells: row,
      });
  }
  noteLeftOut(frame, "withoutPlace", unknown.length, unknown);
  noteLeftOut(frame, "unreadable", broken.length, broken);
  noteLeftOut(frame, "tooDetailed", tooDetailed.length, tooDetailed);
  return places;
}

const shortened = (text: string) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

/** Returns the string of a cell: the id of a value of a hierarchy, not its name. */
function stringIn(cell: ChartCell | undefined): string {
  if (cell === null || cell === undefined) return "";
  return typeof cell === "object" ? cell.id : String(cell);
}

function findText(text: string, localeId: string): Found | "broken" | "none" {
  if (text === "") return "none";
  const shape = readShape(text);
  if (shape === "broken") return "broken";
  if (shape) return { key: text, shape, at: middleOfShape(shape), isNamed: false };
  const code = findCountry(text, localeId);
  const outline = code === undefined ? undefined : shapeOfCountry(code);
  if (code === undefined || !outline) return "none";
  return { key: code, shape: outline, at: middleOfShape(outline), isNamed: true };
}

/** Reads two numeric columns. The second one is the latitude if only its name says so. */
function pairFinder(first: PlacedColumn, second: PlacedColumn) {
  const isLatitude = ({ name, field }: PlacedColumn) =>
    /\blat|latit|breite/i.test(`${name} ${field.columnId ?? ""}`);
  const isSwapped = isLatitude(second) && !isLatitude(first);
  const [up, across] = isSwapped ? [second, first] : [first, second];
  return (row: readonly ChartCell[]): Found | "broken" | "none" => {
    const latitude = up.number(row[up.cell]);
    const longitude = across.number(row[across.cell]);
    if (latitude === null || longitude === null) return "none";
    const shape = checkedShape(pointShape([longitude, latitude]));
    if (!shape) return "broken";
    return { key: `${latitude},${longitude}`, shape, at: [longitude, latitude], isNamed: false };
  };
}

/**
 * Returns the name of a place for readers: the name of the country or of the value, or else the values of the row's
 * other dimensions, or else its coordinates.
 */
function nameOf(
  frame: Frame,
  row: readonly ChartCell[],
  geo: PlacedColumn,
  { isNamed, at }: Found,
): string {
  const cell = row[geo.cell];
  const text = geo.text(cell);
  if (isNamed || (typeof cell === "object" && cell !== null && text !== cell.id && text !== ""))
    return text;
  const [other] = columnsIn(frame, "category", "color", "legend", "route");
  if (other && !other.isNumeric) return other.text(row[other.cell]);
  return coordinatesOf(at, frame.request.localeId);
}

/** Writes a position as degrees, such as "50.85° N, 4.35° E". */
function coordinatesOf([longitude, latitude]: Position, localeId: string): string {
  const degrees = new Intl.NumberFormat(localeId, { maximumFractionDigits: 4 });
  const written = (value: number, letters: string) =>
    `${degrees.format(Math.abs(value))}° ${letters[value < 0 ? 1 : 0]}`;
  return `${written(latitude, "NS")}, ${written(longitude, "EW")}`;
}
