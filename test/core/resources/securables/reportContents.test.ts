import * as assert from "uvu/assert";
import { reference } from "../../../../core/base/index.ts";
import { inspectValue } from "../../../../core/resources/kernel/index.ts";
import { checkContents, emptyContents } from "../../../../core/resources/securables/contents.ts";
import { describingSchemas } from "../../../../core/resources/securables/describingSchemas.ts";
import { reportContents } from "../../../../core/resources/securables/reportContents.ts";
import {
  createColors,
  drawItem,
  itemTypes,
  isItemType,
  kindOfItem,
  lightTheme,
  loadKind,
  placeItem,
  queryOf,
  readView,
  undrawnTypes,
} from "../../../../core/web/charts/index.ts";
import { makeBoards } from "../../../../examples/demo/dashboards.ts";
import { flightsDashboard } from "../../../bench/dashboards/flightsDashboard.ts";
import { rounds } from "../../../support/layer.ts";
import { createPartRandom, withSeed } from "../../../support/random.ts";
import { mutated, randomOfSchema } from "../../../support/randomOfSchema.ts";
import { suite } from "../../../support/suite.ts";
import { samples } from "../../web/charts/samples.ts";

type Json = Readonly<Record<string, unknown>>;

const place = { col: 0, row: 0, sizeX: 24, sizeY: 16 };
const datasetId = "11111111-1111-4111-8111-111111111111";
const columnId = "22222222-2222-4222-8222-222222222222";
const field = { datasetId, columnId, type: "numeric" };
const bar = {
  id: "a",
  type: "bar-chart",
  position: place,
  slots: [{ name: "measure", content: [field] }],
};
const board = (...items: readonly unknown[]) => ({
  version: "0.1.99",
  views: [{ screenModus: "desktop", items }],
});
const said = (contents: unknown): string => reportContents(contents).warnings.join("\n");

suite("core/resources/securables/reportContents", (test) => {
  test("contents without views, and views without an item that can be drawn, are not drawable", () => {
    for (const contents of [
      {},
      { items: [] },
      { views: [] },
      { views: [{ items: [{ type: "bar" }] }] },
      board({ id: "a", type: "pie", position: place }),
      board({ ...bar, slots: [] }),
      board({ id: "f", type: "slicer-filter", position: place, slots: [] }),
    ]) {
      const { isDrawable, warnings } = reportContents(contents);
      assert.is(isDrawable, false, JSON.stringify(contents));
      assert.ok(warnings.length > 0, JSON.stringify(contents));
    }
    for (const contents of [emptyContents(), board(), board(bar)])
      assert.equal(reportContents(contents), { isDrawable: true, warnings: [] });
  });

  test("a warning names the path, the unknown name and the nearest known name", () => {
    const cases: readonly (readonly [contents: unknown, warning: RegExp])[] = [
      [
        board(bar, { ...bar, id: "b", type: "bar-chrt" }),
        /items\[1\]\.type "bar-chrt" is unknown; did you mean bar-chart\?/,
      ],
      [
        board(bar, { ...bar, id: "b", type: "pie" }),
        /items\[1\]\.type "pie" is unknown; did you mean donut-chart\?/,
      ],
      [
        board(bar, { ...bar, id: "b", type: undefined }),
        /items\[1\]\.type is missing; types: column-chart, /,
      ],
      [
        board({ ...bar, slots: [{ name: "measures", content: [field] }, ...bar.slots] }),
        /slots\[0\]\.name must be one of y-axis, legend, measure, not "measures" \(did you mean measure\?\)/,
      ],
      [
        board({ ...bar, options: { tittle: "x" } }),
        /items\[0\]\.options\.tittle is unknown and has no effect; did you mean title\?/,
      ],
      [
        board({ ...bar, options: { mode: "stack" } }),
        /options\.mode must be one of grouped, stacked, 100, not "stack" \(did you mean stacked\?\)/,
      ],
      [
        board({ ...bar, options: { limit: { number: 0 } } }),
        /options\.limit\.number must be at least 1, not 0/,
      ],
      [
        board({ ...bar, slot: [] }),
        /items\[0\]\.slot is unknown and has no effect; did you mean slots\?/,
      ],
      [
        { ...board(bar), view: [] },
        /contents\.view is unknown and has no effect; did you mean views\?/,
      ],
      [
        board({
          ...bar,
          slots: [{ name: "measure", content: [{ ...field, aggregationFunc: "avg" }] }],
        }),
        /aggregationFunc must be one of sum, .* \(did you mean average\?\)/,
      ],
      [
        board({ ...bar, position: { ...place, sizeX: -4 } }),
        /position\.sizeX must be at least 1, not -4/,
      ],
      [
        board({ ...bar, position: { ...place, col: 40 } }),
        /position must end within the 48 columns of the grid, not at 64/,
      ],
      [board({ ...bar, position: { col: 0 } }), /position must also have row, sizeX, sizeY/],
      [board({ ...bar, position: undefined }), /items\[0\]\.position is missing/],
      [board(bar, bar), /items\[1\]\.id must be unique in its view; a occurs twice/],
      [board({ ...bar, id: undefined }), /items\[0\]\.id is missing/],
      [
        board(bar, { id: "f", type: "date-filter", position: place, slots: [] }),
        /items\[1\]\.slots must have a column; without it, the control filters nothing/,
      ],
      [
        board(bar, { id: "t", type: "text", position: place }),
        /items\[1\]\.options\.html is missing/,
      ],
      [
        board(bar, { id: "c", type: "custom-chart", position: place }),
        /options\.customChartId is missing/,
      ],
      [
        { ...board(bar), views: [...board(bar).views, ...board(bar).views] },
        /views\[1\]\.screenModus must be different in each view/,
      ],
      [{ ...board(bar), views: [{ items: [bar] }] }, /views\[0\]\.screenModus is missing/],
      [
        { ...board(bar), filterGroups: [{ condition: "and", filters: [{ expression: "? = ?" }] }] },
        /filters\[0\]\.parameters is missing/,
      ],
      [
        { ...board(bar), filterGroups: [{ origin: "globl", filters: [] }] },
        /origin must be one of global, .* \(did you mean global\?\)/,
      ],
    ];
    for (const [contents, warning] of cases) {
      assert.match(said(contents), warning);
      assert.is(
        checkContents(JSON.parse(JSON.stringify(contents))),
        undefined,
        "a create accepts it",
      );
    }
  });

  test("item types without a picture are reported by name, and their slots are checked", () => {
    for (const [type, { title }] of Object.entries(undrawnTypes)) {
      const text = said(board(bar, { ...bar, id: "b", type, slots: [] }));
      assert.match(text, `${type} (${title}) is not drawn by this version yet`);
    }
    const map = { ...bar, type: "hexbin-map", slots: [{ name: "geos", content: [field] }] };
    assert.match(
      said(board(map)),
      /slots\[0\]\.name must be one of geo, measure, not "geos" \(did you mean geo\?\)/,
    );
    assert.ok(reportContents(board(map)).isDrawable, "its data is a table");
  });

  test("images, videos and web pages without an address that is loaded are reported", () => {
    const media = (type: string, options: object) =>
      said(board({ ...bar, type, slots: [], options }));
    for (const url of ["http://example.org/a.png", "javascript:alert(1)", undefined]) {
      assert.match(
        media("image", { url }),
        /options\.url must be an address that begins with https/,
      );
      assert.match(media("iframeobject", { url }), /options\.url must be an address/);
    }
    assert.match(media("video", {}), /options\.sources is missing/);
    assert.match(media("video", { type: "youtube" }), /options\.youtube is missing/);
    assert.is(media("image", { url: { nl: "https://example.org/a.png" } }), "");
  });

  test("options and members of columns without an effect are reported with their paths", () => {
    const content = { ...field, periodOverPeriod: { type: "past" }, duration: null };
    const items = [
      { ...bar, slots: [{ name: "measure", content: [content] }], options: { ranking: {} } },
      { ...bar, id: "b", type: "ai-summary", slots: [], options: { opacity: 0.5, title: {} } },
    ];
    const text = said(board(...items));
    assert.match(text, /items\[0\]\.options\.ranking is unknown and has no effect/);
    assert.match(
      text,
      /items\[0\]\.slots\[0\]\.content\[0\]\.periodOverPeriod has no effect in this version/,
    );
    assert.match(text, /items\[1\]\.options of a type that is not drawn have no effect: opacity/);
    assert.not.match(text, /duration/);
  });

  test("columns are looked up in the datasets that the caller sees, and a warning about a column's name contains its id", () => {
    const columns = new Map([[datasetId, [{ id: columnId, names: ["Km"] }]]]);
    const of = (each: Json) =>
      reportContents(
        board({ ...bar, slots: [{ name: "measure", content: [each] }] }),
        columns,
      ).warnings.join("\n");
    assert.is(of(field), "");
    assert.is(of({ datasetId: datasetId.toUpperCase(), columnId: columnId.toUpperCase() }), "");
    assert.is(of({ datasetId, columnId: "*" }), "");
    assert.match(
      of({ datasetId, columnId: "km" }),
      `content[0].columnId "km" is not the id of a column or formula of the dataset "${datasetId}"; the id of Km is ${columnId}`,
    );
    assert.match(of({ set: datasetId, column: datasetId }), "content[0].column ");
    assert.match(
      of({ datasetId: columnId, columnId }),
      "does not exist or cannot be seen by the caller",
    );
  });

  test("repeated problems are reported in one sentence, and at most 100 problems are listed", () => {
    const items = Array.from({ length: 3 }, (_, index) => ({
      ...bar,
      id: `${index}`,
      options: { own: 1 },
    }));
    assert.match(said(board(...items)), /^.*options\.own is unknown.* \(and in 2 other places\)$/);
    const many = Array.from({ length: 300 }, (_, index) => [`x${index}`, 1]);
    const { warnings } = reportContents(board({ ...bar, options: Object.fromEntries(many) }));
    assert.is(warnings.length, 101);
    assert.is(warnings.at(-1), "200 further problems are not listed");
  });

  test("the samples of charts and the dashboards of benches validate without warnings", () => {
    const stored = samples
      .filter(({ stored: { type } }) => isItemType(String(type)))
      .map(({ stored }, index) => ({ ...stored, id: `${index}`, position: place }));
    const found = reportContents(board(...stored)).warnings;
    assert.equal(found, []);
    const placed = placeItem(
      {},
      {
        item: bar,
        where: [
          { expression: "? > ?", parameters: [{ column_id: columnId, dataset_id: datasetId }, 1] },
        ],
      },
    );
    assert.equal(reportContents(JSON.parse(JSON.stringify(placed))).warnings, []);
    const columns = new Proxy<Record<string, string>>({}, { get: () => columnId });
    assert.equal(reportContents(board(...flightsDashboard(datasetId, columns))).warnings, []);
  });

  test("the dashboards of the demo validate without warnings", async () => {
    const boards: unknown[] = [];
    const keep = (_resource: string, given: Json) => {
      if (given["contents"] !== undefined) boards.push(given["contents"]);
      return Promise.resolve({ id: datasetId, rows: [] });
    };
    const nothing = () => Promise.resolve({ rows: [], id: datasetId });
    const client = { get: nothing, associate: nothing, update: nothing, create: keep };
    const ids = new Proxy<Record<string, string>>({}, { get: () => columnId });
    const dataset = { datasetId, columns: ids };
    await makeBoards(client as never, { flights: dataset, airports: dataset } as never);
    assert.is(boards.length, 3);
    const columns = new Map([[datasetId, [{ id: columnId, names: [] }]]]);
    for (const contents of boards)
      assert.equal(reportContents(contents, columns), { isDrawable: true, warnings: [] });
  });

  test("random contents that match the schema are accepted, drawn and returned unchanged", async () => {
    const kinds = new Set(Object.values(itemTypes).map(({ kind }) => kind));
    for (const kind of kinds) await loadKind(kind, "en");
    const colors = createColors(lightTheme);
    for (let round = 0; round < rounds({ quick: 150, deep: 5_000 }); round++) {
      const random = createPartRandom(round);
      await withSeed(random, async () => {
        const contents = randomOfSchema(
          reference("DashboardContents"),
          describingSchemas,
          random,
        ) as Json;
        assert.is(checkContents(contents), undefined);
        const inspection = { schemas: describingSchemas, isStrict: true };
        const schema = reference("DashboardContents");
        assert.equal([...inspectValue(contents, schema, "contents", inspection)], []);
        assert.equal(JSON.parse(JSON.stringify(contents)), contents);
        reportContents(contents, new Map());
        for (const { item, position } of readView(contents, "desktop").items) {
          const draw = await loadKind(kindOfItem(item.type)?.kind ?? "table", "en");
          const { fields = [] } = queryOf(item) ?? {};
          const cell = (type: string) =>
            type === "numeric"
              ? random.below(99)
              : type === "datetime"
                ? "2001-02-03T00:00:00.000Z"
                : { id: "x", name: { en: "x" } };
          const rows = Array.from({ length: random.below(4) }, () =>
            fields.map(({ type }) => cell(type)),
          );
          const request = {
            item,
            fields,
            rows,
            theme: lightTheme,
            colors,
            width: 40 + position.sizeX * 8,
            height: 40 + position.sizeY,
            localeId: "en",
            timezoneId: "UTC",
          };
          assert.ok(drawItem(request, draw).nodes.length >= 0);
        }
      });
    }
  });

  test("randomly changed contents are refused, reported or harmless, and never cause any other failure", async () => {
    let [refusedCount, reportedCount] = [0, 0];
    for (let round = 0; round < rounds({ quick: 400, deep: 20_000 }); round++) {
      const random = createPartRandom(round);
      await withSeed(random, async () => {
        const contents = randomOfSchema(reference("DashboardContents"), describingSchemas, random);
        const changed = mutated(contents, random);
        const problem = checkContents(changed);
        const { warnings } = reportContents(changed);
        if (problem !== undefined) {
          refusedCount++;
          assert.match(problem, /^be the definition of a dashboard: contents/);
          assert.ok(warnings.length > 0, "whatever is refused is also reported");
        } else if (warnings.length > 0) reportedCount++;
        readView(changed as Json, "desktop");
      });
    }
    assert.ok(refusedCount > 20 && reportedCount > 20, `${refusedCount} ${reportedCount}`);
  });
});
