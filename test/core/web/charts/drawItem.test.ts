// This file costs more than three seconds, because it draws every sample several times.
import { readFileSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import {
  itemTypes,
  kindOfItem,
  writeSvg,
  type ChartCell,
  type Scene,
} from "../../../../core/web/charts/index.ts";
import { itemKinds } from "../../../../core/web/charts/item/itemKinds.ts";
import { importsOf, readSources } from "../../../support/importGraph.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { between } from "./between.ts";
import { drawSample } from "./drawSample.ts";
import { samples, type Sample } from "./samples.ts";

const kept = (name: string) => new URL(`golden/${name.replaceAll(" ", "-")}.json`, import.meta.url);

/** Writes a scene with one node per line, so that a diff shows which nodes moved. */
function written({ nodes, ...members }: Scene): string {
  const lines = nodes.map((node) => JSON.stringify(node)).join(",\n");
  return `{"scene":${JSON.stringify(members)},\n"nodes":[\n${lines}\n]}\n`;
}

const types = [...Object.keys(itemTypes), "ai-summary", "constructor"];
const slots = Object.values(itemTypes).flatMap(({ dimensions, measures }) => [
  ...dimensions,
  ...measures,
]);
const hostile = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "]]><!--&amp;%00",
  "\u202egnp.exe\u2066",
  "\u0000\u0008\ud800",
  "a".repeat(5_000),
  "",
  "__proto__",
];

function randomCell(random: Random): ChartCell {
  const text = random.pick(hostile);
  const cells: ChartCell[] = [
    null,
    between(random, -1e6, 1e6) / 7,
    0,
    random.pick([1e300, -1e300, 5e-324, 1e15]),
    text,
    { id: text, name: { en: text }, color: random.pick(["#f00", "url(#x)", "red"]) },
    "2001-02-03T04:05:06.000Z",
    "[ 0 - 10 [",
    "9999-99-99",
  ];
  return random.pick(cells);
}

function randomSample(random: Random): Sample {
  const text = random.pick(hostile);
  const content = () => ({
    type: random.pick(["numeric", "hierarchy", "datetime", "spatial"]),
    label: random.pick([text, { en: text }, null, 7]),
    columnId: random.pick(["c1", "c2"]),
    datasetId: "d",
    format: random.pick([",.2f", "%", "", ".999999f", text, "%Y%Y%Y"]),
    level: random.pick([1, 3, 5, 9, 77, -1, undefined]),
    color: text,
    ...(between(random, 0, 3) === 0 && { bins: { enabled: true } }),
    ...(between(random, 0, 3) === 0 && { formula: text }),
    ...(between(random, 0, 2) === 0 && { currency: random.pick(["EUR", "XXXX", text]) }),
  });
  const stored = {
    type: random.pick(types),
    options: {
      title: { en: text },
      mode: random.pick(["stacked", "100", text]),
      axis: {
        y2: { active: true, measureIndexes: [1, 77, text] },
        y: { manualAxesRange: [5, text] },
      },
      html: { en: text.repeat(3) },
      totals: random.pick([true, text]),
      columns: random.pick([
        text,
        [
          {
            slotContentId: random.pick(["c1", text]),
            mode: random.pick(["conditionalBadge", "conditionalBackground", "categoryBadge", text]),
            conditional: [
              { val: random.pick([0, text, -1e300]), color: random.pick(["red", text]) },
            ],
          },
        ],
      ]),
    },
    slots: Array.from({ length: between(random, 0, 5) }, () => ({
      name: random.pick(slots),
      content: Array.from({ length: between(random, 0, 3) }, content),
    })),
  };
  const width = between(random, 0, 6);
  return {
    name: "random",
    stored,
    rows: Array.from({ length: between(random, 0, 30) }, () =>
      Array.from({ length: width }, () => randomCell(random)),
    ),
    ...(between(random, 0, 1) === 1 && {
      totals: Array.from({ length: width }, () => randomCell(random)),
    }),
    selected: [text],
  };
}

/** Asserts that every number of a scene is finite, and that no string is too long. */
function checkScene(scene: Scene): void {
  const svg = writeSvg(scene);
  assert.not.match(svg, /NaN|Infinity|undefined|\[object/);
  // The tags with their attribute names, but without text or attribute values.
  const tags = svg.replaceAll(/>[^<]*</g, "><").replaceAll(/"[^"]*"/g, "");
  assert.not.match(tags, /[^\w\s<>/=:-]|<(?!\/?(svg|title|desc|rect|circle|path|text)\b)/);
  assert.not.match(tags, / (on\w+|style|href|xlink:\w+|class|id)=/);
  for (const [, color] of svg.matchAll(/ (?:fill|stroke)="([^"]*)"/g))
    assert.match(color ?? "", /^(none|#[\da-f]{3,6})$/i);
  for (const node of scene.nodes) {
    for (const [member, value] of Object.entries(node))
      if (typeof value === "number")
        assert.ok(Number.isFinite(value), `${node.kind} ${member} ${value}`);
    if (node.kind === "text") assert.ok(node.text.length <= 300);
  }
  assert.equal(JSON.parse(JSON.stringify(scene)), scene);
}

suite("core/web/charts/drawItem", (test) => {
  test("every kind of picture except the empty picture has a sample", () => {
    const sampled = new Set<string | undefined>(
      samples.map(({ stored }) => kindOfItem(String(stored["type"]))?.kind),
    );
    assert.equal(
      Object.keys(itemKinds).filter((kind) => !sampled.has(kind)),
      ["empty"],
    );
  });

  for (const sample of samples)
    test(`${sample.name}: the drawn scene equals its golden file`, () => {
      const scene = drawSample(sample, { width: 480, height: 320, theme: "light" });
      const now = written(scene);
      if (process.env["KEEP_SCENES"] === "1") writeFileSync(kept(sample.name), now);
      assert.is(now, readFileSync(kept(sample.name), "utf8"));
    });

  test("drawing the same request twice gives equal scenes in both themes", () => {
    // Other tests draw all samples.
    const some = samples.filter((_, index) => index % 4 === 0);
    for (const sample of rounds({ quick: some, deep: samples })) {
      const [light, dark, again] = (["light", "dark", "light"] as const).map((theme) =>
        drawSample(sample, { width: 360, height: 240, theme }),
      );
      assert.equal(again, light);
      assert.is(dark!.nodes.length, light!.nodes.length, sample.name);
      assert.equal(dark!.description, light!.description);
    }
  });

  test("all marks and strings stay inside the picture at widths from 200 to 1,400 pixels", () => {
    for (const sample of samples)
      for (const width of rounds({ quick: [200, 1_400], deep: [200, 360, 900, 1_400] })) {
        const scene = drawSample(sample, { width, height: 320, theme: "light" });
        checkScene(scene);
        for (const node of scene.nodes) {
          if (node.kind === "rect") {
            assert.ok(
              node.x >= -1 && node.x + node.width <= width + 1,
              `${sample.name} ${width}: ${JSON.stringify(node)}`,
            );
            assert.ok(
              node.y >= -1 && node.y + node.height <= 321,
              `${sample.name} ${width}: ${JSON.stringify(node)}`,
            );
          }
          if (node.kind === "text")
            assert.ok(
              node.x >= 0 && node.x <= width && node.y <= 320,
              `${sample.name} ${width}: ${JSON.stringify(node)}`,
            );
        }
      }
  });

  test("every bar, slice and point carries its row, category and value", () => {
    const marks = (name: string) =>
      drawSample(
        samples.find((sample) => sample.name === name)!,
        { width: 480, height: 320, theme: "light" },
      ).nodes.flatMap((node) => node.mark ?? []);
    assert.equal(marks("bars")[0], { row: 0, category: "Atlanta", series: "", value: "19.0" });
    assert.is(marks("columns by month").length, 18);
    assert.is(marks("lines with a gap").length, 51);
    assert.ok(
      marks("donut").some(({ row, category }) => row === undefined && category === "Other (3)"),
    );
  });

  test("hostile strings in items and answers are drawn as text of limited length", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 80, deep: 3_000, soak: 30_000 }); round++) {
        const sample = randomSample(random);
        const width = random.pick([0, 20, 200, 600]);
        const localeId = random.pick(["en", "fr", "nl-BE", "ar", "hi-IN"]);
        const theme = random.pick(["light", "dark"] as const);
        try {
          checkScene(
            drawSample(sample, {
              width,
              height: random.pick([0, 40, 300]),
              theme,
              localeId,
              timezoneId: "Asia/Tokyo",
            }),
          );
        } catch (cause) {
          throw new Error(`round ${round}: ${JSON.stringify(sample.stored).slice(0, 1_500)}`, {
            cause,
          });
        }
      }
    });
  });

  test("drawing a name of 10 MB reads only its first 300 characters", () => {
    const huge = "<b>".repeat(3_500_000);
    const [bars] = samples.filter(({ name }) => name === "bars");
    const scene = drawSample(
      { ...bars!, rows: [[{ id: huge, name: { en: huge } }, 5]] },
      { width: 480, height: 320, theme: "light" },
    );
    assert.ok(writeSvg(scene).length < 10_000);
  });

  test("instants are drawn in the requested time zone, and dates are never shifted", () => {
    const stored = (subtype: string) => ({
      type: "regular-table",
      slots: [
        {
          name: "columns",
          content: [{ type: "datetime", subtype, columnId: "c", datasetId: "d", level: 6 }],
        },
      ],
    });
    const shown = (subtype: string) => {
      const sample = { name: "", stored: stored(subtype), rows: [["2001-06-30T23:00:00.000Z"]] };
      const { nodes } = drawSample(sample, {
        width: 480,
        height: 200,
        theme: "light",
        timezoneId: "Asia/Tokyo",
      });
      return nodes.flatMap((node) => (node.kind === "text" && node.mark ? node.text : []));
    };
    assert.equal(shown("datetime"), ["Jul 1, 2001, 8:00 AM"]);
    assert.equal(shown("date"), ["Jun 30, 2001, 11:00 PM"]);
  });

  test("the largest and smallest double-precision numbers are drawn at finite positions", () => {
    for (const sample of samples)
      for (const extreme of [1e308, 5e-324]) {
        const both = (row: number) => (row % 2 === 0 ? extreme : -extreme);
        for (const of of rounds({ quick: [both], deep: [() => extreme, () => -extreme, both] })) {
          const rows = sample.rows.map((row, index) =>
            row.map((cell) => (typeof cell === "number" ? of(index) : cell)),
          );
          const size = { width: 480, height: 300, theme: "light" } as const;
          const svg = writeSvg(drawSample({ ...sample, rows }, size));
          assert.not.match(svg.replaceAll(/>[^<]*</g, "><"), /NaN|Infinity/, sample.name);
        }
      }
  });

  test("warnings of an answer stand below the picture, and in its notes and description", () => {
    const sample = samples.find(({ name }) => name === "bars")!;
    const size = { width: 480, height: 300, theme: "light" } as const;
    const warnings = ["1 of 4 rows of dataset S match no row of dataset T"];
    const warned = drawSample({ ...sample, warnings }, size);
    const shown = warned.nodes.flatMap((node) => (node.kind === "text" ? [node] : []));
    const foot = shown.find(({ text }) => text.startsWith("1 of 4 rows"));
    assert.ok(foot && foot.y > 270 && foot.y <= 300);
    assert.equal(warned.notes.slice(-1), warnings);
    assert.match(warned.description, "1 of 4 rows");
    const marks = (scene: typeof warned) => scene.nodes.filter(({ mark }) => mark).length;
    assert.is(marks(warned), marks(drawSample(sample, size)));
  });

  test("an item of an unknown type, even one such as constructor, is drawn as a table with a note", () => {
    const scene = drawSample(
      samples.find(({ name }) => name === "unknown type")!,
      { width: 480, height: 320, theme: "light" },
    );
    assert.match(scene.notes.join(), "not supported (ribbon-diagram)");
    assert.match(JSON.stringify(scene.nodes), "Chicago");
    assert.is(kindOfItem("constructor"), undefined);
  });

  test("charts import only d3 and topojson, and use nothing that exists only in Node or only in browsers", () => {
    const sources = new Map(
      [...readSources(["core/web/charts"])].filter(([file]) => file.startsWith("core/web/charts/")),
    );
    assert.ok(sources.size > 40);
    for (const { file, specifier } of importsOf(sources))
      assert.match(
        specifier,
        /^(\.|d3-|topojson-(client|specification)$)/,
        `${file} imports ${specifier}`,
      );
    for (const [file, text] of sources)
      assert.not.match(
        text,
        /\b(process|Buffer|document|window|globalThis|require|__dirname)(\.\w|\()/,
        file,
      );
  });
});
