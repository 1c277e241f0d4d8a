import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { reportContents } from "../../core/resources/securables/reportContents.ts";
import {
  isItemType,
  itemMeanings,
  type ItemType,
  itemTypes,
  queryOf,
  readItem,
  type SlotMeaning,
  slotsOf,
} from "../../core/web/charts/index.ts";
import { root } from "../../docs/.vitepress/pages.ts";
import { suite } from "../support/suite.ts";
import { chartExamples, type ChartExample } from "./charts/chartExamples.ts";
import { chartsPage, defaultOf, leavesOf } from "./charts/chartsPage.ts";
import { chartPictures, drawExample } from "./charts/drawExample.ts";
import { kindDefaults, optionDefaults } from "./charts/optionDefaults.ts";
import { blocksFor } from "./readBlocks.ts";

const page = "docs/reference/charts.md";
const again = "run node --conditions=manifold-source test/documentation/charts/writeCharts.ts";
const types: readonly ItemType[] = Object.keys(itemTypes).filter(isItemType);

/** Returns an option in which the member at a path has the given value, such as `{sort: {direction: "desc"}}`. */
function optionAt(path: string, value: unknown): Readonly<Record<string, unknown>> {
  return path
    .split(".")
    .toReversed()
    .reduce<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
}

const withOptions = (example: ChartExample, options: object): ChartExample => ({
  ...example,
  stored: { ...example.stored, options: { ...example.stored.options, ...options } },
});
const withoutOptions = ({ stored, ...rest }: ChartExample): ChartExample => ({
  ...rest,
  stored: { ...stored, options: {} },
});
/** The query that an item sends, and the picture that it draws. */
const seen = (example: ChartExample) => ({
  query: queryOf(readItem(example.stored))?.query,
  scene: drawExample(example),
});

/**
 * Returns an example with one more column in a slot, and with a value of this column in every row. If `isVaried` is
 * true, the values differ.
 */
function withAnother(example: ChartExample, slotName: string, isVaried: boolean): ChartExample {
  const { stored } = example;
  const { dimensions, measures }: { dimensions: readonly string[]; measures: readonly string[] } =
    itemTypes[stored.type];
  const isMeasure = measures.includes(slotName);
  const added = {
    datasetId: "d",
    columnId: "added",
    label: { en: "Added" },
    ...(isMeasure ? { type: "numeric", aggregationFunc: "sum" } : { type: "hierarchy" }),
  };
  const slots = (stored.slots ?? []).map((slot) =>
    slot.name === slotName ? { ...slot, content: [...slot.content, added] } : slot,
  );
  // The cells of an answer are in the order of the type's slots.
  const order = isMeasure ? [...dimensions, ...measures] : dimensions;
  const at = order
    .slice(0, order.indexOf(slotName) + 1)
    .flatMap((name) => stored.slots?.find((each) => each.name === name)?.content ?? []).length;
  const rows = example.rows.map((row, index) => {
    const value = isVaried ? index % 3 : 1;
    return row.toSpliced(
      at,
      0,
      isMeasure ? value * 100 : { id: `${value}`, name: { en: `${value}` } },
    );
  });
  return {
    ...example,
    rows,
    stored: { ...stored, slots, options: { ...stored.options, title: { en: "Title" } } },
  };
}

suite("documentation/charts", (test) => {
  test("the page about charts matches the code's tables of item types, slots and options", () => {
    assert.is(readFileSync(join(root, page), "utf8"), chartsPage(), again);
    assert.is(
      blocksFor(page, "charts").length,
      new Set(types.map((type) => itemTypes[type].kind)).size,
    );
  });

  test("the check of dashboards accepts every example on the page about charts", () => {
    for (const type of types) {
      const { stored } = chartExamples[type];
      const contents = { views: [{ screenModus: "desktop", items: [stored] }] };
      const { warnings, isDrawable } = reportContents(contents);
      assert.equal(warnings, [], type);
      assert.ok(isDrawable || type === "spacer", type);
    }
  });

  test("each slot of an item type has a meaning, and each member of an option a default", () => {
    for (const type of types)
      assert.equal(
        Object.keys(itemMeanings[type].slots).toSorted(),
        slotsOf(type).toSorted(),
        type,
      );
    const paths = new Set(types.flatMap((type) => leavesOf(type).map(({ path }) => path)));
    assert.equal(Object.keys(optionDefaults).toSorted(), [...paths].toSorted());
    for (const [kind, defaults] of Object.entries(kindDefaults)) {
      const type = types.find((each) => itemTypes[each].kind === kind);
      assert.ok(type, kind);
      const own = leavesOf(type).map(({ path }) => path);
      for (const path of Object.keys(defaults)) assert.ok(own.includes(path), `${kind} ${path}`);
    }
  });

  test.deep("the pictures on the page about charts equal the pictures that the charts draw", () => {
    for (const [name, svg] of chartPictures()) {
      assert.is(readFileSync(join(root, "docs/reference/charts", name), "utf8"), svg, again);
      // Outlines of countries are longer than other shapes.
      const most = name.endsWith("-map.svg") ? 20_000 : 10_000;
      assert.ok(svg.length < most, `${name}: ${svg.length}`);
    }
  });

  test.deep(
    "setting an option to its default value changes neither an item's queries nor its picture",
    () => {
      let count = 0;
      for (const type of types) {
        const example = withoutOptions(chartExamples[type]);
        for (const { path } of leavesOf(type)) {
          const found = defaultOf(itemTypes[type].kind, path);
          if (!found || !("value" in found) || path.includes("[]")) continue;
          count += 1;
          assert.equal(
            seen(withOptions(example, optionAt(path, found.value))),
            seen(example),
            path,
          );
        }
      }
      assert.ok(count > 50, String(count));
    },
  );

  test.deep("a slot draws as many columns as the page about charts says", () => {
    const titled = (example: ChartExample) => withOptions(example, { title: { en: "Title" } });
    for (const type of types) {
      const example = titled(chartExamples[type]);
      // Measures are slices only without a category.
      if (type === "donut-chart") continue;
      if (itemTypes[type].kind === "filter") continue;
      for (const { name, content } of example.stored.slots ?? []) {
        const meanings: Readonly<Record<string, SlotMeaning>> = itemMeanings[type].slots;
        const { most } = meanings[name] ?? { most: 1 };
        if (most !== undefined && content.length < most) continue;
        const isMore = JSON.stringify(
          drawExample(withAnother(example, name, most === undefined)).nodes,
        );
        const shown = JSON.stringify(drawExample(example).nodes);
        assert.is(isMore !== shown, most === undefined, `${type} ${name}`);
      }
    }
  });
});
