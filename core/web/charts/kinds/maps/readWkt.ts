import { joinedShapes, type PlaceShape, type Position } from "./placeShape.ts";

/** Numbers of a position, or a group in parentheses. */
type Group = readonly (Group | readonly number[])[];

const token = /\s*([a-z]+|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[(),])/iy;
const deepest = 6;

/**
 * Reads well-known text, such as `POINT(4.35 50.85)`. Heights and measures are ignored. Undefined for other spatial
 * reference systems than 4326.
 * @throws {SyntaxError} if the string is malformed
 */
export function readWkt(text: string): PlaceShape | undefined {
  const [, srid, body = ""] = /^(?:srid=(\d+);)?(.*)$/is.exec(text) ?? [];
  if (srid !== undefined && srid !== "4326") return undefined;
  const tokens = tokensOf(body);
  let at = 0;
  const shape = readTagged(0);
  if (at < tokens.length) throw new SyntaxError("characters after the geometry");
  return shape;

  function readTagged(depth: number): PlaceShape {
    const tag = (tokens[at++] ?? "").toLowerCase();
    if (depth > deepest) throw new SyntaxError("collections are nested too deeply");
    if (/^z?m?$/i.test(tokens[at] ?? "-")) at++;
    if (tokens[at]?.toLowerCase() === "empty") {
      at++;
      return joinedShapes([]);
    }
    if (tag !== "geometrycollection") return shapeOf(tag, readGroup(0));
    const parts: PlaceShape[] = [];
    expect("(");
    do parts.push(readTagged(depth + 1));
    while (tokens[at++] === ",");
    at--;
    expect(")");
    return joinedShapes(parts);
  }

  function readGroup(depth: number): Group {
    if (depth > deepest) throw new SyntaxError("parentheses are nested too deeply");
    const group: (Group | readonly number[])[] = [];
    expect("(");
    do group.push(tokens[at] === "(" ? readGroup(depth + 1) : readNumbers());
    while (tokens[at++] === ",");
    at--;
    expect(")");
    return group;
  }

  function readNumbers(): readonly number[] {
    const numbers: number[] = [];
    for (; at < tokens.length && !/^[(),]$/.test(tokens[at]!); at++)
      numbers.push(Number(tokens[at]));
    return numbers;
  }

  function expect(wanted: string): void {
    if (tokens[at++] !== wanted) throw new SyntaxError(`${wanted} is missing`);
  }
}

function tokensOf(body: string): string[] {
  const tokens: string[] = [];
  const text = body.trimEnd();
  token.lastIndex = 0;
  for (let end = 0; end < text.length; end = token.lastIndex) {
    const [, found] = token.exec(text) ?? [];
    if (found === undefined) throw new SyntaxError("an unexpected character");
    tokens.push(found);
  }
  return tokens;
}

function shapeOf(tag: string, group: Group): PlaceShape {
  const none = { points: [], lines: [], polygons: [] };
  switch (tag) {
    case "point":
    case "multipoint":
      // The points of a MULTIPOINT may have parentheses of their own.
      return {
        ...none,
        points: group.flatMap((each) => (isNumbers(each) ? [position(each)] : line(each))),
      };
    case "linestring":
      return { ...none, lines: [line(group)] };
    case "multilinestring":
      return { ...none, lines: group.map(line) };
    case "polygon":
      return { ...none, polygons: [group.map(line)] };
    case "multipolygon":
      return { ...none, polygons: group.map((each) => groupsIn(each).map(line)) };
    default:
      throw new SyntaxError("an unknown type of geometry");
  }
}

type Part = Group | readonly number[];

const isNumbers = (part: Part): part is readonly number[] =>
  part.every((each) => typeof each === "number");

function groupsIn(part: Part): Group {
  if (isNumbers(part)) throw new SyntaxError("parentheses are missing");
  return part;
}

const line = (part: Part): Position[] =>
  groupsIn(part).map((each) => {
    if (!isNumbers(each)) throw new SyntaxError("too many parentheses");
    return position(each);
  });

function position([longitude = Number.NaN, latitude = Number.NaN]: readonly number[]): Position {
  return [longitude, latitude];
}
