import * as assert from "uvu/assert";
import {
  itemTypes,
  queryOf,
  readItem,
  type ChartCell,
  type ItemType,
} from "../../../../../core/web/charts/index.ts";
import { rounds } from "../../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";
import { drawSample } from "../drawSample.ts";
import { kindSamples } from "../kindSamples.ts";

const size = { width: 480, height: 320, theme: "light" } as const;
const types = kindSamples.map(({ stored }) => stored["type"] as ItemType);

/** Types whose marks belong to one row each, unless the picture is too full for them. */
const byRow: ReadonlySet<ItemType> = new Set<ItemType>([
  "choropleth-map",
  "symbol-map",
  "spike-map",
  "route-map",
  "circle-pack-chart",
  "radar-chart",
  "parallel-coordinates-plot",
  "ohlc-chart",
  "wordcloud-chart",
]);

const places = [
  "BE",
  "France",
  "Japan",
  "50.85,4.35",
  "POINT(4 50)",
  "POLYGON((4 50,4 51,5 51,4 50))",
  "LINESTRING(170 10,-170 12)",
  "POINT(180 -90)",
  "-90,0",
  "POLYGON((170 -20,-170 -20,-170 -10,170 -10,170 -20))",
  "Atlantis",
  "POINT(",
  null,
];

function amount(random: Random): number | null {
  return random.pick([null, 0, -5, 1, 7.25, 1e-12, 42, 1_000, 1e15, 1e300, -1e300, 5e-324]);
}

/** Returns rows for an item: the combination of its dimensions is different in each row, as in grouped answers. */
function rowsFor(type: ItemType, random: Random, count: number): ChartCell[][] {
  const stored = kindSamples.find((sample) => sample.stored["type"] === type)!.stored;
  const { fields = [] } = queryOf(readItem(stored)) ?? {};
  const { measures }: { measures: readonly string[] } = itemTypes[type];
  const rows = new Map<string, ChartCell[]>();
  for (let index = 0; index < count; index++) {
    const row = fields.map((field): ChartCell => {
      if (measures.includes(field.slot)) return amount(random);
      if (field.slot === "geo" && field.type === "hierarchy") {
        const place = random.pick(places);
        return place === null ? null : { id: place, name: { en: place } };
      }
      if (field.type === "numeric")
        return random.pick([null, -91, -45.5, 0, 12, 50.8, 89, 200, index % 180]);
      if (field.type === "datetime")
        return random.pick([null, new Date(Date.UTC(2025, 0, 1 + index)).toISOString()]);
      const name = random.pick([`v${index}`, `v${index % 7}`, "", null]);
      return name === null ? null : { id: name, name: { en: name } };
    });
    const key = fields.flatMap((field, at) => (measures.includes(field.slot) ? [] : [row[at]]));
    rows.set(JSON.stringify(key), row);
  }
  return [...rows.values()];
}

/** Returns the sum of the counts in notes such as "without a value: 12 (a, b, …)". */
function countIn(notes: readonly string[]): number {
  return notes
    .map((note) => Number(/: ([\d,]+)/.exec(note)?.[1]?.replaceAll(",", "") ?? 0))
    .reduce((sum, count) => sum + count, 0);
}

const sampleOf = (type: ItemType) => kindSamples.find(({ stored }) => stored["type"] === type)!;

function check(type: ItemType, rows: readonly (readonly ChartCell[])[]): void {
  const scene = drawSample({ ...sampleOf(type), rows }, size);
  for (const node of scene.nodes)
    for (const [member, value] of Object.entries(node)) {
      if (typeof value === "number")
        assert.ok(Number.isFinite(value), `${type} ${member} ${value}`);
      if (member === "d") assert.not.match(String(value), /NaN|Infinity|undefined/, type);
    }
  const marks = scene.nodes.flatMap(({ mark }) => mark ?? []);
  const marked = new Set(marks.flatMap(({ row }) => row ?? []));
  const unmarked = rows.length - marked.size;
  if (byRow.has(type) && rows.length <= 600)
    assert.ok(
      countIn(scene.notes) >= unmarked,
      `${type}: ${unmarked} of ${rows.length}; ${scene.notes.join("; ")}`,
    );
  if (rows.length > 0 && scene.nodes.length < 2) assert.ok(scene.notes.length > 0, type);
}

suite("core/web/charts/kinds", (test) => {
  test("random rows give finite pictures, and notes count the rows that have no mark", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (const type of types)
        for (let round = 0; round < rounds({ quick: 1, deep: 40, soak: 200 }); round++) {
          const rows = rowsFor(type, random, random.pick([0, 1, 2, 5, 30, 120]));
          try {
            check(type, rows);
          } catch (cause) {
            throw new Error(`${type}: ${JSON.stringify(rows).slice(0, 1_500)}`, { cause });
          }
        }
    });
  });

  test.deep("10,000 rows give finite pictures", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (const type of types) check(type, rowsFor(type, random, 10_000));
    });
  });

  test("every new kind draws its sample at the sizes of phones and screens without a value outside", () => {
    for (const sample of kindSamples)
      for (const width of rounds({ quick: [200], deep: [200, 1_400] })) {
        const { nodes, description } = drawSample(sample, { ...size, width });
        assert.ok(
          nodes.some(({ mark }) => mark),
          sample.name,
        );
        assert.ok(description.length > 20 && description.length < 2_000, sample.name);
      }
  });

  test("flows in a circle are left out, largest flows first", () => {
    const sample = sampleOf("sankey-diagram");
    const text = (id: string) => ({ id, name: { en: id } });
    const rows = [
      [text("a"), text("b"), 5],
      [text("b"), text("c"), 4],
      [text("c"), text("a"), 3],
      [text("a"), text("a"), 2],
    ];
    const { notes, nodes } = drawSample({ ...sample, rows }, size);
    assert.equal(notes, ["flows in a circle: 2 (c – a, a – a)"]);
    const flows = nodes.flatMap(({ mark }) => (mark?.row === undefined ? [] : mark.category));
    assert.equal(flows, ["a – b", "b – c"]);
  });

  test("circles of two sets have areas in proportion to their elements, and overlap by the common ones", () => {
    const sample = sampleOf("venn-diagram");
    const text = (id: string) => ({ id, name: { en: id } });
    const rows = [
      ...Array.from({ length: 40 }, (_, index) => [text("A"), text(`e${index}`)]),
      ...Array.from({ length: 10 }, (_, index) => [text("B"), text(`e${index + 35}`)]),
    ];
    const { nodes } = drawSample({ ...sample, rows }, size);
    const circles = nodes.flatMap((node) =>
      node.kind === "circle" && node.mark && node.opacity === 0.4 ? [node] : [],
    );
    assert.is(circles.length, 2);
    const [one, other] = circles;
    assert.ok(one && other);
    assert.ok(Math.abs((one.radius / other.radius) ** 2 - 4) < 0.05);
    assert.equal(
      nodes.flatMap(({ mark }) => (mark ? `${mark.category}: ${mark.value}` : [])),
      ["A: 40", "B: 10", "A: 35", "A + B: 5", "B: 5"],
    );
  });

  test("more than three sets are bars, one for each combination", () => {
    const sample = sampleOf("venn-diagram");
    const text = (id: string) => ({ id, name: { en: id } });
    const rows = ["A", "B", "C", "D"].flatMap((set, place) =>
      Array.from({ length: 6 }, (_, index) => [text(set), text(`e${index + place * 3}`)]),
    );
    const marks = drawSample({ ...sample, rows }, size).nodes.flatMap(({ mark }) => mark ?? []);
    assert.equal(marks.map(({ category, value }) => `${category}: ${value}`).toSorted(), [
      "A + B: 3",
      "A: 3",
      "B + C: 3",
      "C + D: 3",
      "D: 3",
    ]);
  });

  test("places that no map shows are counted and named", () => {
    const sample = sampleOf("choropleth-map");
    const text = (id: string) => ({ id, name: { en: id } });
    const rows = [
      [text("Belgium"), 3],
      [text("België"), 5],
      [text("France"), null],
      [text("Atlantis"), 1],
      [text("POINT(1 2"), 1],
    ];
    const { notes, nodes } = drawSample({ ...sample, rows }, size);
    assert.equal(notes, [
      "without a place on the map: 1 (Atlantis)",
      "with unreadable coordinates: 1 (POINT(1 2)",
      "behind a larger value of the same place: 1 (Belgium)",
      "without a value: 1 (France)",
    ]);
    const marks = nodes.flatMap(({ mark }) => mark ?? []);
    assert.equal(
      marks.map(({ row, category, value }) => [row, category, value]),
      [
        [1, "België", "5"],
        [2, "France", "–"],
      ],
    );
  });

  test.deep("shapes beyond the limit of a picture are left out and counted", () => {
    const sample = sampleOf("choropleth-map");
    const rows = Array.from({ length: 6 }, (_, index) => {
      const points = Array.from({ length: 40_000 }, (__, at) => `${at / 1_000} ${index}`);
      const id = `LINESTRING(${points.join(",")})`;
      return [{ id, name: { en: `Line ${index}` } }, 1];
    });
    const { notes, nodes } = drawSample({ ...sample, rows }, size);
    assert.equal(notes, ["with too detailed shapes: 2 (Line 4, Line 5)"]);
    assert.is(nodes.flatMap(({ mark }) => mark ?? []).length, 4);
  });

  test("a map of places around the 180th meridian shows them next to each other", () => {
    const sample = sampleOf("spike-map");
    const rows = [
      [-18, 178, null, 5],
      [-17, -179, null, 6],
      [-21, -175, null, 7],
    ];
    const { nodes } = drawSample({ ...sample, rows }, size);
    const tops = nodes.flatMap((node) =>
      node.kind === "path" && node.mark ? Number(/^M([\d.]+)/.exec(node.d)?.[1]) : [],
    );
    assert.is(tops.length, 3);
    const widest = Math.max(...tops) - Math.min(...tops);
    assert.ok(widest > 60 && widest < 400, String(widest));
  });
});
