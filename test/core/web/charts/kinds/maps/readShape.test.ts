import * as assert from "uvu/assert";
import { readShape } from "../../../../../../core/web/charts/kinds/maps/readShape.ts";
import { createRandom, withSeed } from "../../../../../support/random.ts";
import { suite } from "../../../../../support/suite.ts";

const point = (longitude: number, latitude: number) => ({
  points: [[longitude, latitude]],
  lines: [],
  polygons: [],
});
const square = [
  [4, 50],
  [4, 51],
  [5, 51],
  [5, 50],
  [4, 50],
];
const area = { points: [], lines: [], polygons: [[square]] };

/** A point in WKB with little-endian numbers, and an optional reference system. */
function wkbPoint(x: number, y: number, srid?: number): string {
  const bytes = new DataView(new ArrayBuffer(srid === undefined ? 21 : 25));
  bytes.setUint8(0, 1);
  bytes.setUint32(1, srid === undefined ? 1 : 0x20_00_00_01, true);
  if (srid !== undefined) bytes.setUint32(5, srid, true);
  const at = srid === undefined ? 5 : 9;
  bytes.setFloat64(at, x, true);
  bytes.setFloat64(at + 8, y, true);
  return Buffer.from(bytes.buffer).toString("hex");
}

suite("core/web/charts/kinds/maps/readShape", (test) => {
  test("a point is read from GeoJSON, WKT, EWKT, WKB, EWKB and a latitude with a longitude", () => {
    for (const text of [
      '{"type":"Point","coordinates":[4.35,50.85]}',
      '{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[4.35,50.85,12]}}',
      "POINT(4.35 50.85)",
      "point z (4.35 50.85 12)",
      "SRID=4326;POINT(4.35 50.85)",
      wkbPoint(4.35, 50.85),
      wkbPoint(4.35, 50.85, 4326).toUpperCase(),
      "50.85,4.35",
      " (50.85; 4.35) ",
    ])
      assert.equal(readShape(text), point(4.35, 50.85), text);
  });

  test("areas are read in either direction and with or without their last corner", () => {
    const rings = (ring: readonly (readonly number[])[]) =>
      `{"type":"Polygon","coordinates":[${JSON.stringify(ring)}]}`;
    assert.equal(readShape(rings(square)), area);
    assert.equal(readShape(rings(square.slice(0, -1))), area);
    assert.equal(readShape("POLYGON((4 50, 5 50, 5 51, 4 51, 4 50))"), {
      ...area,
      polygons: [
        [
          [
            [4, 50],
            [4, 51],
            [5, 51],
            [5, 50],
            [4, 50],
          ],
        ],
      ],
    });
    assert.equal(readShape("MULTIPOLYGON(((4 50,4 51,5 51,5 50,4 50)))"), area);
  });

  test("a hole runs against its outer ring", () => {
    const shape = readShape("POLYGON((0 0,0 10,10 10,10 0,0 0),(4 4,4 6,6 6,6 4,4 4))");
    assert.ok(typeof shape === "object");
    assert.equal(shape.polygons[0]?.[1], [
      [4, 4],
      [6, 4],
      [6, 6],
      [4, 6],
      [4, 4],
    ]);
  });

  test("collections are read as one shape", () => {
    const expected = {
      points: [[1, 2]],
      lines: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      polygons: [],
    };
    assert.equal(readShape("GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(1 2,3 4))"), expected);
    assert.equal(
      readShape(
        '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"LineString","coordinates":[[1,2],[3,4]]}]}',
      ),
      expected,
    );
  });

  test("geometries that are malformed, empty, off the earth or in meters are unreadable", () => {
    for (const text of [
      "POINT(1",
      "POINT(1 2) POINT(3 4)",
      "POINT EMPTY",
      "POINT(1 91)",
      "POINT(a b)",
      "LINESTRING(1 2)",
      "POLYGON((0 0,1 1))",
      "POLYGON(0 0,1 1,2 0)",
      "SRID=3857;POINT(484000 6590000)",
      "95,4",
      '{"type":"Point"}',
      '{"type":"Point","coordinates":["4","50"]}',
      '{"type":"Circle","coordinates":[4,50]}',
      "{",
      "{}",
      wkbPoint(4, 50, 31370),
      wkbPoint(4, 50).slice(0, -2),
      wkbPoint(4, 95),
      `01030000000100000${"f".repeat(31)}`,
      `{"type":"LineString","coordinates":${JSON.stringify(Array.from({ length: 50_001 }, () => [1, 2]))}}`,
      `{${"[".repeat(100_000)}`,
      "GEOMETRYCOLLECTION(".repeat(10_000),
    ])
      assert.is(readShape(text), "broken", text.slice(0, 80));
  });

  test("other strings are not geometries", () => {
    for (const text of ["", "Belgium", "pointless", "50", "1,2,3", "50.85 4.35", "0x01"])
      assert.is(readShape(text), undefined, text);
  });

  test("no string makes the readers throw", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      const parts = [
        "POINT",
        "MULTI",
        "POLYGON",
        "(",
        ")",
        ",",
        " ",
        "1",
        "-",
        ".5",
        "e9",
        "Z",
        "{",
        "}",
        '"type":',
        "[",
        "]",
        "00",
        "01",
        "ff",
        "SRID=4326;",
        "EMPTY",
      ];
      for (let round = 0; round < 3_000; round++) {
        let text = random.pick(["POINT", "{", "0101000000", "POLYGON((", "SRID=4326;"]);
        for (let length = random.pick([0, 1, 3, 9, 40]); length > 0; length--)
          text += random.pick(parts);
        readShape(text);
      }
    });
  });
});
