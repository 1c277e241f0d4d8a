import * as assert from "uvu/assert";
import {
  itemTypes,
  offeredTypes,
  readItem,
  slotsOf,
} from "../../../../../core/web/charts/index.ts";
import {
  readStoredQuestion,
  questionWords,
  withQuestion,
  type ExploredColumn,
  type ExploredDataset,
  type StoredQuestion,
} from "../../../../../core/web/console/questions/index.ts";
import { words as german } from "../../../../../core/web/console/questions/questionWords/de.ts";
import { samples } from "../../charts/samples.ts";
import { suite } from "../../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;

interface Stored {
  readonly id: string;
  readonly type: string;
  readonly options?: Json;
  readonly slots?: readonly { readonly name?: string; readonly content?: readonly Json[] }[];
}

/** Members of an item, of its slots and of their contents that no question knows. */
const unknown: Json = JSON.parse(`{"__proto__":{"isOwner":true},"future":[null,{"x":1e300}]}`);

/** The items of all kinds, as an API client may have stored them. */
const items: readonly Stored[] = samples
  .map(({ stored }) => stored as unknown as Stored)
  .map((stored, at) => ({
    ...unknown,
    ...stored,
    id: `item ${at}`,
    slots: [
      ...(stored.slots ?? []).map((slot) => ({
        ...unknown,
        ...slot,
        content: (slot.content ?? []).map((each, index) => ({
          ...unknown,
          ...each,
          id: `c${index}`,
        })),
      })),
      { name: "a slot of the future", content: [unknown] },
    ],
  }));

const column = (id: string, type: ExploredColumn["type"]): ExploredColumn => ({
  id,
  name: { en: id },
  description: null,
  type,
  subtype: null,
  format: null,
  expression: null,
  lowestLevel: 0,
  minimum: null,
  maximum: null,
  aggregation_type: null,
  order: 0,
});
const dataset: ExploredDataset = {
  id: "d",
  name: { en: "D" },
  rows: 1,
  storage: null,
  columns: [column("new", "hierarchy"), column("number", "numeric"), column("day", "datetime")],
};

const expressible = items.flatMap((item) => {
  const stored = readStoredQuestion(item);
  return typeof stored === "string" ? [] : [{ item, stored }];
});
const contentsOf = ({ slots = [] }: Stored) => slots.flatMap(({ content = [] }) => content);
const again = (item: Stored): StoredQuestion => {
  const stored = readStoredQuestion(item);
  if (typeof stored === "string") throw new TypeError(stored);
  return stored;
};

suite("core/web/console/questions/storedQuestion", (test) => {
  test("an item of every kind comes back from its question unchanged", () => {
    const kinds = new Set(expressible.map(({ item }) => item.type));
    assert.ok(kinds.size > 25, [...kinds].join());
    for (const { item, stored } of expressible) {
      const { question } = stored;
      assert.is(withQuestion(item, stored, question, dataset), item);
      const copy = structuredClone(question);
      assert.equal(withQuestion(item, stored, copy, dataset), item, item.type);
    }
  });

  test("a changed aggregation or level changes only that member, and the name that it made", () => {
    for (const { item, stored } of expressible) {
      const { question } = stored;
      for (const [index, measure] of question.measures.entries()) {
        if (measure.aggregation === "") continue;
        const measures = question.measures.with(index, { ...measure, aggregation: "max" });
        const next = withQuestion(item, stored, { ...question, measures }, dataset);
        const changed = contentsOf(next).filter((each) => !contentsOf(item).includes(each));
        assert.is(changed.length, measure.aggregation === "max" ? 0 : 1, item.type);
        const [only] = changed;
        if (!only) continue;
        const before = contentsOf(item).find((each) => each["columnId"] === only["columnId"]);
        assert.equal(
          { ...only, aggregationFunc: before?.["aggregationFunc"], label: before?.["label"] },
          { ...before, aggregationFunc: before?.["aggregationFunc"] },
        );
        assert.is(again(next).question.measures[index]?.aggregation, "max");
      }
    }
  });

  test("a name made in English or in the reader's language follows the aggregation", () => {
    const english = { ...questionWords };
    const labels = ["Total number", "Summe von number", "Sum of what we sold"];
    const changed = (label: string) => {
      const content = { datasetId: "d", columnId: "number", type: "numeric", label: { en: label } };
      const item = {
        id: "i",
        type: "bar-chart",
        slots: [{ name: "measure", content: [{ ...content, aggregationFunc: "sum" }] }],
      };
      const stored = again(item);
      const measures = [{ id: "number", aggregation: "max" }];
      return contentsOf(withQuestion(item, stored, { ...stored.question, measures }, dataset))[0];
    };
    try {
      Object.assign(questionWords, german);
      assert.equal(
        labels.map((label) => changed(label)?.["label"]),
        [{ en: "Maximum von number" }, { en: "Maximum von number" }, { en: labels[2] }],
      );
    } finally {
      Object.assign(questionWords, english);
    }
  });

  test("a column can be added to an item of every kind and removed again, and every other member stays", () => {
    for (const { item, stored } of expressible) {
      const { question } = stored;
      const more = { ...question, rows: [...question.rows, { id: "new" }] };
      const added = withQuestion(item, stored, more, dataset);
      assert.is(contentsOf(added).length, contentsOf(item).length + 1, item.type);
      for (const content of contentsOf(item)) assert.ok(contentsOf(added).includes(content));
      const { question: after, ...read } = again(added);
      const without = {
        ...after,
        rows: after.rows.filter(({ id }) => id !== "new"),
        color: after.color?.id === "new" ? undefined : after.color,
        measures: after.measures.filter(({ id }) => id !== "new"),
      };
      const removed = withQuestion(added, { question: after, ...read }, without, dataset);
      assert.equal(contentsOf(removed), contentsOf(item), item.type);
      assert.equal({ ...removed, slots: [] }, { ...item, slots: [] });
    }
  });

  test("a change of the type moves every column to a slot of the new type, with all its members", () => {
    for (const { item, stored } of expressible)
      for (const type of offeredTypes("dashboards")) {
        const next = withQuestion(item, stored, { ...stored.question, chart: type }, dataset);
        const strip = (content: Json) => JSON.stringify({ ...content, bins: undefined });
        assert.equal(
          contentsOf(next).map(strip).toSorted(),
          contentsOf(item).map(strip).toSorted(),
          `${item.type} to ${type}`,
        );
        const names = (next.slots ?? []).filter(({ content = [] }) => content.length > 0);
        const strange = names.filter(({ name = "" }) => !slotsOf(type).includes(name));
        const before = (item.slots ?? []).map(({ name }) => name);
        for (const { name = "" } of strange)
          assert.ok(
            before.includes(name) && !slotsOf(item.type as typeof type).includes(name),
            name,
          );
      }
  });

  test("the colour of a bar chart is the column of its legend, and rows and colour go to their own slots", () => {
    const field = (id: string, more: Json = {}): Json => ({
      datasetId: "d",
      columnId: id,
      type: "hierarchy",
      ...more,
    });
    const bars: Stored = {
      id: "b",
      type: "bar-chart",
      slots: [
        { name: "measure", content: [field("km", { type: "numeric" })] },
        { name: "legend", content: [field("kind")] },
        { name: "y-axis", content: [field("city")] },
      ],
    };
    const stored = again(bars);
    assert.equal(stored.question, {
      rows: [{ id: "city" }],
      color: { id: "kind" },
      measures: [{ id: "km", aggregation: "sum" }],
      filters: [],
      chart: "bar-chart",
    });
    const columns = withQuestion(
      bars,
      stored,
      { ...stored.question, chart: "column-chart" },
      dataset,
    );
    assert.equal(
      readItem(columns).fields.map(({ slot, columnId }) => `${slot} ${columnId}`),
      ["measure km", "legend kind", "x-axis city"],
    );
    const uncolored = withQuestion(
      bars,
      stored,
      { ...stored.question, color: undefined, rows: [{ id: "city" }, { id: "new" }] },
      dataset,
    );
    assert.equal(again(uncolored).question.color, { id: "new" });
  });

  test("items with columns of several datasets, and items of unknown types, have no question", () => {
    const from = (datasetId: string): Json => ({ datasetId, columnId: "x", type: "numeric" });
    const two = {
      type: "bar-chart",
      slots: [{ name: "measure", content: [from("a"), from("b")] }],
    };
    assert.is(readStoredQuestion(two), "datasets");
    assert.is(readStoredQuestion({ type: "hologram", slots: [] }), "type");
  });

  test("a formula is a value whose aggregation cannot be chosen", () => {
    const formula = { formula: "sum({d:a}) / 2", label: { en: "Half" }, datasetId: "d" };
    const stored = again({
      id: "f",
      type: "evolution-number",
      slots: [{ name: "measure", content: [formula] }],
    });
    const [measure] = stored.question.measures;
    assert.is(measure?.aggregation, "");
    assert.equal(stored.named.get(measure?.id ?? "")?.name, { en: "Half" });
  });

  test("every offered type has a slot for rows", () => {
    for (const type of offeredTypes("dashboards"))
      assert.ok(itemTypes[type].dimensions.length > 0, type);
  });
});
