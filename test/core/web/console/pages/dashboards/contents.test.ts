import * as assert from "uvu/assert";
import {
  moved,
  viewOf,
  withItem,
  withoutItem,
  withoutView,
  withTitle,
  withView,
  type BoardItem,
  type Contents,
} from "../../../../../../core/web/console/pages/dashboards/contents.ts";
import {
  filtersIn,
  withFilter,
  withoutFilter,
} from "../../../../../../core/web/console/pages/dashboards/boardFilters.ts";
import { withNewItem } from "../../../../../../core/web/console/pages/dashboards/gridPlaces.ts";
import { rounds } from "../../../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../../../support/random.ts";
import { suite } from "../../../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;

/** Returns random members that the editor does not know. */
function unknownMembers(random: Random): Json {
  const members = [
    `{"__proto__":{"isOwner":true}}`,
    `{"constructor":{"prototype":[]},"toString":"x"}`,
    `{"<script>alert(1)</script>":"\u202egnp","nested":{"items":[{"id":"i0"}],"views":[null]}}`,
    `{"future":[[1e300,-0.5],null,false,""],"sub_title":"misspelt"}`,
    `{}`,
  ];
  return JSON.parse(random.pick(members)) as Json;
}

const texts = ["a", "", "datasetLinks", "__proto__"];

function randomContents(random: Random): Contents {
  const itemOf = (id: string): Json => ({
    ...unknownMembers(random),
    id,
    type: random.pick(["bar-chart", "sankey-diagram", "hologram"]),
    options: { ...unknownMembers(random), title: { en: "One", nl: "Een" } },
    content: random.pick([null, { html: "<b>" }]),
    ...(random.chance(0.8) && {
      position: { sizeX: 12, sizeY: 8, col: 12 * random.below(4), row: random.below(30), z: 3 },
    }),
    slots: [{ ...unknownMembers(random), name: "measure", content: [unknownMembers(random)] }],
  });
  const group = (more: Json): Json => ({
    ...unknownMembers(random),
    id: random.pick(texts),
    condition: "and",
    filters: [
      {
        expression: "? = ?",
        parameters: [{ column_id: "c", dataset_id: "d" }, 1],
        properties: { type: "where", color: "red" },
        ...unknownMembers(random),
      },
    ],
    subGroups: [],
    ...more,
  });
  const viewNamed = (screenModus: string, from: number): Json => ({
    ...unknownMembers(random),
    screenModus,
    options: { ...unknownMembers(random), columns: 48, share: { poweredBy: false } },
    items: [from, from + 1, from + 2].map((each) => itemOf(`i${each}`)),
    filterGroups: [group({ origin: "itemFilter", itemId: `i${from}` })],
  });
  const contents = {
    ...unknownMembers(random),
    version: "0.1.99",
    views: [viewNamed("desktop", 0), viewNamed("hologram", 3), viewNamed("mobile", 6)],
    parameters: [{ name: "p", value: unknownMembers(random) }],
    filterGroups: [group({ origin: "global" })],
    timezone: { type: "fixed", id: "Asia/Tokyo" },
    datasetLinks: { "11111111-0000-4000-8000-000000000000": [unknownMembers(random)] },
  };
  // The contents are parsed from JSON, as from the host, so that they can have own members such as __proto__.
  return JSON.parse(JSON.stringify(contents)) as Contents;
}

/** Returns contents as a string, so that members such as __proto__ are compared. */
const written = (value: unknown): string => JSON.stringify(value);

const places = ({ views = [] }: Contents) =>
  views.map(({ items = [] }) => items.map(({ position }) => position));

const unplaced = (contents: Contents): string => {
  const views = (contents.views ?? []).map((view) => ({
    ...view,
    items: (view.items ?? []).map((item) => ({ ...item, position: 0 })),
  }));
  return written({ ...contents, views });
};

suite("core/web/console/pages/dashboards/contents", (test) => {
  test("moving an item changes only positions in the item's view", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 50, deep: 2_000 }); round++) {
        const contents = randomContents(random);
        const before = written(contents);
        const view = viewOf(contents, "desktop");
        const item = random.pick(view.items ?? []);
        const next = withItem(contents, view, moved(item, { col: 3, sizeY: 2 }));
        assert.is(unplaced(next), unplaced(contents));
        assert.equal(places(next).slice(1), places(contents).slice(1));
        assert.is.not(written(next), before);
        assert.is(written(contents), before);
        const kept = next.views?.[0]?.items?.find(({ id }) => id === item.id)?.position;
        assert.is(Reflect.get(kept ?? {}, "z"), Reflect.get(item.position ?? {}, "z"));
      }
    });
  });

  test("changing a title, an item, a filter or a layout changes nothing else in a dashboard's contents", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 50, deep: 2_000 }); round++) {
        const contents = randomContents(random);
        const before = written(contents);
        const view = viewOf(contents, "desktop");
        const added: BoardItem = { id: "new", type: "text" };
        const grown = withNewItem(contents, view, added);
        assert.is(written(withoutItem(grown, viewOf(grown, "desktop"), "new")), before);
        const scope = { kind: "dashboard" } as const;
        const filter = { id: "c", test: "? = ?", value: 7 };
        const filtered = withFilter(contents, scope, "d", filter);
        const found = filtersIn(filtered, scope).find(({ value }) => value === 7);
        assert.ok(found);
        assert.is(written(withoutFilter(filtered, scope, found)), before);
        const tablet = withView(contents, { screenModus: "tablet", items: [added] });
        assert.is(written(withoutView(tablet, "tablet")), before);
        const [item] = view.items ?? [];
        const titled = withTitle(item!, "Two");
        assert.equal(Reflect.get(titled.options ?? {}, "title"), { en: "Two", nl: "Een" });
        const titleOf = {
          ...titled,
          options: { ...titled.options, title: item!.options?.["title"] },
        };
        assert.is(written(titleOf), written(item));
      }
    });
  });

  test("if views share a screen or items share an id, only one of them is edited", () => {
    const item = (text: string): BoardItem => ({ id: "i", type: "text", options: { text } });
    const view = { screenModus: "desktop", items: [item("one"), item("two")] } as const;
    const contents: Contents = { views: [view, { screenModus: "desktop", items: [] }] };
    const next = withItem(contents, view, { ...item("three") });
    assert.is(next.views?.length, 2);
    assert.equal(next.views?.[1], contents.views?.[1]);
    assert.equal(
      next.views?.[0]?.items?.map(({ options }) => options?.["text"]),
      ["three", "two"],
    );
  });
});
