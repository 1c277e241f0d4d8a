import * as assert from "uvu/assert";
import type {
  BoardItem,
  Contents,
  Position,
} from "../../../../../../core/web/console/pages/dashboards/contents.ts";
import {
  copyOf,
  withCopy,
} from "../../../../../../core/web/console/pages/dashboards/copiedItem.ts";
import {
  filtersInBar,
  withNewFilter,
} from "../../../../../../core/web/console/pages/dashboards/filterBar.ts";
import {
  overlaps,
  withNewItem,
} from "../../../../../../core/web/console/pages/dashboards/gridPlaces.ts";
import { phoneView } from "../../../../../../core/web/console/pages/dashboards/phoneView.ts";
import { suite } from "../../../../../support/suite.ts";

const empty: Contents = { views: [{ screenModus: "desktop", items: [] }] };
const viewIn = (contents: Contents) => contents.views![0]!;
const placesIn = (contents: Contents) =>
  (viewIn(contents).items ?? []).map(({ position }) => position as Position);
const withItems = (...types: readonly string[]): Contents =>
  types.reduce<Contents>(
    (contents, type, at) => withNewItem(contents, viewIn(contents), { id: `${type} ${at}`, type }),
    empty,
  );
const withFilters = (contents: Contents, ...types: readonly string[]): Contents =>
  types.reduce<Contents>(
    (before, type, at) => withNewFilter(before, viewIn(before), { id: `filter ${at}`, type }),
    contents,
  );
const haveNoOverlap = (contents: Contents): boolean =>
  placesIn(contents).every((one, at, all) =>
    all.slice(at + 1).every((other) => !overlaps(one, other)),
  );

suite("core/web/console/pages/dashboards: places of items", (test) => {
  test("new numbers stand in a line, and charts begin a line below them", () => {
    const contents = withItems(
      "evolution-number",
      "evolution-number",
      "bar-chart",
      "line-chart",
      "bar-chart",
    );
    assert.equal(
      placesIn(contents).map(({ col, row }) => [col, row]),
      [
        [0, 0],
        [12, 0],
        [0, 8],
        [24, 8],
        [0, 26],
      ],
    );
  });

  test("a new filter goes to the bar above all other items, which move down once", () => {
    const contents = withFilters(withItems("bar-chart"), "dropdown-filter", "date-filter");
    assert.equal(
      placesIn(contents).map(({ col, row }) => [col, row]),
      [
        [0, 6],
        [0, 0],
        [12, 0],
      ],
    );
    assert.equal(
      filtersInBar(viewIn(contents)).map(({ id }) => id),
      ["filter 0", "filter 1"],
    );
  });

  test("the bar grows with its highest filter, and a fifth filter begins another line", () => {
    const many = ["dropdown-filter", "slider-filter", "date-filter", "date-filter", "date-filter"];
    const contents = withFilters(withItems("bar-chart"), ...many);
    assert.ok(haveNoOverlap(contents));
    assert.equal(placesIn(contents)[0], { col: 0, row: 15, sizeX: 24, sizeY: 18 });
    assert.equal(placesIn(contents)[5], { col: 0, row: 9, sizeX: 12, sizeY: 6 });
    assert.is(filtersInBar(viewIn(contents)).length, 5);
  });

  test("filters that an author placed among the charts stay where they are", () => {
    const placed: BoardItem = {
      id: "placed",
      type: "slicer-filter",
      position: { col: 24, row: 0, sizeX: 12, sizeY: 18 },
    };
    const [chart] = viewIn(withItems("bar-chart")).items ?? [];
    const before: Contents = { views: [{ screenModus: "desktop", items: [chart!, placed] }] };
    const contents = withFilters(before, "date-filter");
    assert.equal(placesIn(contents)[1], { col: 24, row: 6, sizeX: 12, sizeY: 18 });
    assert.equal(
      filtersInBar(viewIn(contents)).map(({ id }) => id),
      ["filter 0"],
    );
  });

  test("a copy has a new id, its own filters, and every member of the original", () => {
    const group = (itemId: string, origin: string) => ({
      id: `of ${itemId}`,
      origin,
      itemId,
      condition: "and",
      unknown: 1,
      filters: [{ expression: "? is null", parameters: [], properties: { itemId, type: "where" } }],
      subGroups: [{ itemId, filters: [] }],
    });
    const [item] = viewIn(withItems("bar-chart")).items ?? [];
    const strange = { ...item!, future: { a: [1] } };
    const contents: Contents = {
      views: [
        {
          screenModus: "desktop",
          items: [strange],
          filterGroups: [group(strange.id, "itemFilter"), group("other", "itemFilter")],
        },
      ],
    };
    const copied = copyOf(viewIn(contents), strange.id);
    const next = withCopy(contents, viewIn(contents), copied!, "copy");
    const [, made] = viewIn(next).items ?? [];
    assert.equal({ ...made, id: "", position: 0 }, { ...strange, id: "", position: 0 });
    assert.ok(haveNoOverlap(next));
    const groups = viewIn(next).filterGroups ?? [];
    assert.is(groups.length, 3);
    assert.is.not(groups[2]?.id, groups[0]?.id);
    assert.equal({ ...groups[2], id: "" }, { ...group("copy", "itemFilter"), id: "" });
  });

  test("phones show the items of another screen below each other, from left to right", () => {
    const contents = withItems("evolution-number", "evolution-number", "bar-chart");
    const { items = [] } = phoneView(viewIn(contents));
    assert.equal(
      items.map(({ position }) => position),
      [
        { col: 0, row: 0, sizeX: 48, sizeY: 8 },
        { col: 0, row: 8, sizeX: 48, sizeY: 8 },
        { col: 0, row: 16, sizeX: 48, sizeY: 18 },
      ],
    );
  });
});
