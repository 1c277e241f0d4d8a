import * as assert from "uvu/assert";
import type {
  BoardItem,
  BoardView,
  Contents,
} from "../../../../../../core/web/console/pages/dashboards/contents.ts";
import { createHistory } from "../../../../../../core/web/console/pages/dashboards/createHistory.ts";
import {
  readItemQuestion,
  withItemQuestion,
  type ItemQuestion,
} from "../../../../../../core/web/console/pages/dashboards/itemQuestion.ts";
import {
  valueAt,
  withValueAt,
} from "../../../../../../core/web/console/pages/dashboards/optionPath.ts";
import type { ExploredDataset } from "../../../../../../core/web/console/questions/index.ts";
import { suite } from "../../../../../support/suite.ts";

const dataset: ExploredDataset = { id: "d", name: "D", rows: 1, storage: null, columns: [] };
const item: BoardItem = {
  id: "i",
  type: "bar-chart",
  slots: [
    { name: "y-axis", content: [{ datasetId: "d", columnId: "city", type: "hierarchy" }] },
    { name: "measure", content: [{ datasetId: "d", columnId: "km", type: "numeric" }] },
  ],
};
const group = (columnId: string, value: unknown) => ({
  id: columnId,
  origin: "itemFilter",
  itemId: "i",
  condition: "and",
  filters: [
    {
      expression: "? = ?",
      parameters: [{ dataset_id: "d", column_id: columnId }, value],
      properties: { type: "where", origin: "itemFilter", itemId: "i", color: "red" },
    },
  ],
});
const view: BoardView = {
  screenModus: "desktop",
  items: [item],
  filterGroups: [group("a", 1), { id: "x", origin: "filterFromVizItem" }, group("b", 2)],
};
const contents: Contents = { views: [view] };

const read = (of: Contents): ItemQuestion => {
  const found = readItemQuestion(of, of.views![0]!, item);
  if (typeof found === "string") throw new TypeError(found);
  return found;
};
const changeOf = (of: Contents) => ({
  contents: of,
  view: of.views![0]!,
  item,
  before: read(of),
  dataset,
  isAutomatic: false,
});

suite("core/web/console/pages/dashboards: the question of an item", (test) => {
  test("the filters of an item are changed, removed and added one by one, and other groups stay", () => {
    const { question } = read(contents);
    assert.equal(
      question.filters.map(({ id, value }) => [id, value]),
      [
        ["a", 1],
        ["b", 2],
      ],
    );
    const [one, two] = question.filters;
    const changed = withItemQuestion(changeOf(contents), {
      ...question,
      filters: [one!, { ...two!, value: 3 }],
    });
    const groups = changed.views?.[0]?.filterGroups ?? [];
    assert.equal(groups.slice(0, 2), view.filterGroups!.slice(0, 2));
    assert.equal(groups[2], group("b", 3));
    const removed = withItemQuestion(changeOf(contents), { ...question, filters: [two!] });
    assert.equal(removed.views?.[0]?.filterGroups, view.filterGroups!.slice(1));
    const added = withItemQuestion(changeOf(contents), {
      ...question,
      filters: [one!, two!, { id: "c", test: "? is null" }],
    });
    assert.equal(added.views?.[0]?.filterGroups?.slice(0, 3), view.filterGroups);
    assert.is(read(added).question.filters.length, 3);
  });

  test("a question that did not change returns the same contents", () => {
    assert.is(
      withItemQuestion(changeOf(contents), changeOf(contents).before.question).views?.[0]
        ?.items?.[0],
      item,
    );
  });

  test("a chart whose type follows its columns also gets the size of this type", () => {
    const { question } = read(contents);
    const sized = (sizeX: number) => ({
      ...item,
      position: { col: 0, row: 4, sizeX, sizeY: 18 },
    });
    const made = (of: BoardItem) => {
      const change = { ...changeOf(contents), item: of, isAutomatic: true };
      const next = withItemQuestion(change, { ...question, rows: [] });
      return next.views?.[0]?.items?.[0];
    };
    assert.is(made(sized(24))?.type, "evolution-number");
    assert.equal(made(sized(24))?.position, { col: 0, row: 0, sizeX: 12, sizeY: 8 });
    assert.equal(made(sized(30))?.position, sized(30).position);
  });

  test("an option is set and removed without a trace, and its neighbours stay", () => {
    const styled: BoardItem = { ...item, options: { bars: { roundedCorners: 3 }, other: 1 } };
    const labelled = withValueAt(styled, "bars.label", "absolute");
    assert.is(valueAt(labelled, "bars.label"), "absolute");
    assert.is(valueAt(labelled, "bars.roundedCorners"), 3);
    assert.equal(withValueAt(labelled, "bars.label", undefined), styled);
    const legend = withValueAt(styled, "display.legend", false);
    assert.equal(withValueAt(legend, "display.legend", undefined), styled);
  });

  test("consecutive changes with one step are undone together", () => {
    const history = createHistory(0, () => {});
    history.change(1, "title");
    history.change(2, "title");
    history.change(3);
    history.undo();
    assert.is(history.current, 2);
    history.undo();
    assert.is(history.current, 0);
    history.redo();
    history.change(4, "title");
    history.undo();
    assert.is(history.current, 2);
    history.change(5, "title");
    history.endStep();
    history.change(6, "title");
    history.undo();
    assert.is(history.current, 5);
  });
});
