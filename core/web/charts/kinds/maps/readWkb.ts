import { joinedShapes, type PlaceShape, type Position } from "./placeShape.ts";

const deepest = 4;

/**
 * Reads well-known binary from hexadecimal digits, as PostGIS and other databases return it. Heights and measures are
 * ignored. Undefined for other spatial reference systems than 4326.
 * @throws {RangeError} if the bytes end early
 * @throws {SyntaxError} if they contain an unknown type
 */
export function readWkb(text: string): PlaceShape | undefined {
  if (text.length % 2 === 1) throw new RangeError("a digit is missing");
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const shape = readTagged(0);
  if (at < bytes.length) throw new SyntaxError("bytes after the geometry");
  return shape;

  function readTagged(depth: number): PlaceShape | undefined {
    if (depth > deepest) throw new SyntaxError("collections are nested too deeply");
    const isLittle = view.getUint8(at++) === 1;
    const code = readInt(isLittle);
    // PostGIS sets bits for heights, measures and the reference system; ISO adds 1000, 2000 or 3000 to the type.
    const iso = Math.floor((code & 0xff_ff) / 1_000);
    const hasHeight = (code & 0x80_00_00_00) !== 0 || iso === 1 || iso === 3;
    const hasMeasure = (code & 0x40_00_00_00) !== 0 || iso >= 2;
    const sizeBytes = 8 * (2 + Number(hasHeight) + Number(hasMeasure));
    if ((code & 0x20_00_00_00) !== 0 && readInt(isLittle) !== 4326) return undefined;
    const none = { points: [], lines: [], polygons: [] };
    const readPosition = (): Position => {
      const position = [view.getFloat64(at, isLittle), view.getFloat64(at + 8, isLittle)] as const;
      at += sizeBytes;
      return position;
    };
    const readLine = () => readMany(readInt(isLittle), sizeBytes, readPosition);
    switch ((code & 0xff_ff) % 1_000) {
      case 1:
        return { ...none, points: [readPosition()] };
      case 2:
        return { ...none, lines: [readLine()] };
      case 3:
        return { ...none, polygons: [readMany(readInt(isLittle), 4, readLine)] };
      case 4:
      case 5:
      case 6:
      case 7: {
        const parts = readMany(readInt(isLittle), 5, () => readTagged(depth + 1));
        const known = parts.filter((part) => part !== undefined);
        return known.length < parts.length ? undefined : joinedShapes(known);
      }
      default:
        throw new SyntaxError("an unknown type of geometry");
    }
  }

  function readInt(isLittle: boolean): number {
    at += 4;
    return view.getUint32(at - 4, isLittle);
  }

  /** Checks the declared count against the bytes that are left before it allocates anything. */
  function readMany<Part>(count: number, leastBytes: number, read: () => Part): Part[] {
    if (count * leastBytes > bytes.length - at) throw new RangeError("the bytes end early");
    return Array.from({ length: count }, read);
  }
}
