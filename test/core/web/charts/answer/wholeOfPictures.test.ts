import * as assert from "uvu/assert";
import {
  createColors,
  drawItem,
  fetchItem,
  kindOfItem,
  lightTheme,
  loadKind,
  queryOf,
  readItem,
  type ChartCell,
  type ChartItem,
  type ItemAnswer,
  type ItemQuery,
  type Scene,
  type SendQueries,
} from "../../../../../core/web/charts/index.ts";
import { createRandom, withSeed, type Random } from "../../../../support/random.ts";
import { rounds } from "../../../../support/layer.ts";
import { suite } from "../../../../support/suite.ts";
import { openPeople, type People } from "../../../openPeople.ts";
import { answerNaively, type DataRow } from "./answerNaively.ts";

const sharing = ["donut-chart", "treemap-chart", "bubble-chart", "funnel-chart"];
const charting = ["bar-chart", "column-chart", "line-chart", "area-chart"];
const listing = ["regular-table", "pivot-table", "heat-table"];
const aggregations = ["sum", "count", "average", "median", "distinctcount", "min", "max"];

/** Sums and counts are parts of a whole. */
const isAdditive = (aggregation: string) => ["sum", "count"].includes(aggregation);

interface Case {
  readonly rows: readonly DataRow[];
  readonly item: ChartItem;
  readonly aggregation: string;
  readonly mostRows: number | undefined;
}

const columns = ["city", "kind", "at", "km"] as const;
const datasetId = "d";

function randomRows(random: Random): DataRow[] {
  const cityCount = random.pick([1, 3, 8, 30]);
  const kindCount = random.pick([1, 3, 15]);
  const hasNegatives = random.below(3) === 0;
  const nameIn = (count: number) => {
    const at = random.below(count + 2);
    return at === 0 ? null : at === 1 ? random.pick(["", " "]) : `c${at}`;
  };
  return Array.from({ length: random.pick([0, 1, 20, 120]) }, () => ({
    city: nameIn(cityCount),
    kind: nameIn(kindCount),
    at:
      random.below(10) === 0
        ? null
        : new Date(Date.UTC(2024, random.below(20), 1 + random.below(28))).toISOString(),
    km: random.below(9) === 0 ? null : random.below(1_000) - (hasNegatives ? 300 : 0),
  }));
}

function randomCase(random: Random): Case {
  const type = random.pick([...sharing, ...charting, ...listing]);
  const aggregation = random.pick(aggregations);
  const field = (columnId: string, more: object) => ({
    datasetId,
    columnId,
    label: { en: columnId },
    ...more,
  });
  const city = field("city", { type: "hierarchy" });
  const kind = field("kind", { type: "hierarchy" });
  const month = field("at", { type: "datetime", level: random.pick([1, 3, 5]) });
  const measure = field("km", { type: "numeric", format: ".6f", aggregationFunc: aggregation });
  const isVertical = type !== "bar-chart" && charting.includes(type);
  const category = isVertical && random.below(2) === 0 ? month : city;
  const legend = random.below(2) === 0 ? [kind] : [];
  const slots: Readonly<Record<string, readonly object[]>> = sharing.includes(type)
    ? { category: [city], measure: [measure] }
    : type === "regular-table"
      ? { columns: [city, ...legend, measure] }
      : type === "pivot-table"
        ? { row: [city], column: legend, measure: [measure] }
        : type === "heat-table"
          ? { "y-axis": [city], "x-axis": [kind], measure: [measure] }
          : { [isVertical ? "x-axis" : "y-axis"]: [category], legend, measure: [measure] };
  const limit = random.below(3) === 0 ? { limit: { number: 1 + random.below(9) } } : {};
  return {
    rows: randomRows(random),
    aggregation,
    item: readItem({
      type,
      options: { ...limit },
      slots: Object.entries(slots).map(([name, content]) => ({ name, content })),
    }),
    mostRows: random.below(2) === 0 ? undefined : 1 + random.below(40),
  };
}

/** Returns the single answer to a query. */
type AskOne = (query: ItemQuery) => Promise<readonly (readonly ChartCell[])[]>;

/** Checks that a picture shows the whole answer to its query, or says what it leaves out. */
async function checkWhole({ item, aggregation, mostRows }: Case, send: SendQueries, ask: AskOne) {
  const options = mostRows === undefined ? {} : { mostRows };
  const answer = await fetchItem(item, options, send);
  assert.ok(answer);
  const scene = drawItem(
    {
      ...answer,
      item,
      theme: lightTheme,
      colors: createColors(lightTheme),
      width: 900,
      height: 1_400,
      localeId: "en",
      timezoneId: "UTC",
    },
    await loadKind(kindOfItem(item.type)?.kind ?? "table", "en"),
  );
  const { query } = queryOf(item) ?? {};
  assert.ok(query);
  const { limit: _, order: __, ...whole } = query;
  const groups = await ask(whole);
  if (groups.length === 0) return;
  const texts = scene.nodes.flatMap((node) => (node.kind === "text" ? [node.text] : []));
  const said = [...scene.notes, ...texts.filter((text) => text.startsWith("Other ("))].join(" · ");
  const { leftOut } = answer;
  if (leftOut) {
    assert.match(said, / of [\d,]+|more rows|Other|above 0/, `nothing is said: ${said}`);
    // Only the host knows what it left out.
    assert.ok(leftOut.all, "the rest is not known");
    if (!answer.folded && leftOut.slot === undefined)
      assert.is(answer.rows.length + leftOut.all.count, groups.length);
  } else if (!answer.folded) assert.is(answer.rows.length, groups.length);
  if (sharing.includes(item.type)) await checkShares(item, aggregation, { answer, scene, ask });
  else if (charting.includes(item.type))
    await checkChart(item, aggregation, { answer, scene, ask });
  for (const note of scene.notes) assert.not.match(note, /undefined|NaN|\{/);
}

interface Drawn {
  readonly answer: ItemAnswer;
  readonly scene: Scene;
  readonly ask: AskOne;
}

/** Returns the numbers of marks, of slices and parts, with the sums that notes name. */
function drawnSum(scene: Scene): number {
  const marks = scene.nodes.flatMap(({ mark }) => (mark ? [numberIn(mark.value)] : []));
  return marks.reduce((sum, value) => sum + value, 0);
}

function numberIn(text: string): number {
  const found = /[-−]?[\d,]*\.?\d+/.exec(text)?.[0] ?? "0";
  return Number(found.replaceAll(",", "").replace("−", "-"));
}

const isNear = (one: number, other: number) =>
  Math.abs(one - other) <= 1e-5 * Math.max(1, Math.abs(one), Math.abs(other));

async function totalOf(item: ChartItem, ask: AskOne): Promise<number | null> {
  const { query } = queryOf(item) ?? {};
  const [row] = await ask({ dimensions: [], measures: query?.measures ?? [] });
  const [value = null] = row ?? [];
  return typeof value === "number" ? value : null;
}

async function checkShares(item: ChartItem, aggregation: string, { answer, scene, ask }: Drawn) {
  const notDrawn = scene.notes.find((note) => note.includes("not above 0"));
  const undrawn = /Total: (.*)\)/.exec(notDrawn ?? "")?.[1];
  const total = await totalOf(item, ask);
  if (isAdditive(aggregation)) {
    // A funnel says its rest as a share, because the rest is not a step.
    if (item.type === "funnel-chart" && answer.leftOut) return;
    const shown = drawnSum(scene) + numberIn(undrawn ?? "0");
    assert.ok(isNear(shown, total ?? 0), `shows ${shown} of ${total}; ${scene.notes.join("; ")}`);
    return;
  }
  if (item.type !== "donut-chart") return;
  const other = scene.nodes.find(({ mark }) => mark?.category.startsWith("Other ("));
  const { query } = queryOf(item) ?? {};
  if (answer.folded && other?.mark) {
    const kept = [...answer.folded.kept].map((key) => (key === "\0" ? null : key));
    const [dimension] = query?.dimensions ?? [];
    const [row] = await ask({
      dimensions: [],
      measures: query?.measures ?? [],
      where: [{ expression: "? not in ?", parameters: [dimension, kept] }],
    });
    assert.ok(
      isNear(numberIn(other.mark.value), Number(row?.[0])),
      "Other is not that of the rest",
    );
  }
  if (answer.whole) assert.ok(isNear(Number(answer.whole.at(-1)), total ?? 0));
}

async function checkChart(item: ChartItem, aggregation: string, { answer, scene, ask }: Drawn) {
  if (!isAdditive(aggregation)) return checkOthers(item, answer, ask);
  const total = (await totalOf(item, ask)) ?? 0;
  const rest = answer.leftOut?.all?.cells.at(-1);
  const left = typeof rest === "number" ? rest : 0;
  const rows = [...answer.rows, ...(answer.folded?.rows ?? [])];
  const shown = rows.reduce((sum, row) => sum + Number(row.at(-1)), 0);
  assert.ok(isNear(shown + left, total), `${shown} + ${left} is not ${total}`);
  // Values without a time have no place on an axis of time. Without a single time, there is no such axis.
  const isTimed =
    kindOfItem(item.type)?.kind === "lines" &&
    item.fields[0]?.type === "datetime" &&
    rows.some(([time]) => time !== null);
  const unplaced = rows.filter(([time]) => isTimed && time === null);
  const noPlace = unplaced.reduce((sum, row) => sum + Number(row.at(-1)), 0);
  const isCutByHeight = scene.notes.some((note) => / of /.test(note)) && !answer.leftOut;
  const drawn = drawnSum(scene) + noPlace;
  if (!isCutByHeight || isNear(drawn, total))
    assert.ok(isNear(drawn + left, total), `draws ${drawn} + ${left} of ${total}`);
}

/** Checks that the combined series has what the host computes for its values. */
async function checkOthers(item: ChartItem, { folded }: ItemAnswer, ask: AskOne) {
  if (!folded?.rows || item.type.endsWith("table")) return;
  const { query } = queryOf(item) ?? {};
  const [category, legend] = query?.dimensions ?? [];
  const kept = [...folded.kept].map((key) => (key === "\0" ? null : key));
  const expected = await ask({
    dimensions: [category ?? {}],
    measures: query?.measures ?? [],
    where: [{ expression: "? not in ?", parameters: [legend, kept] }],
  });
  const valueBy = new Map(expected.map(([cell, value]) => [JSON.stringify(cell), value]));
  for (const [cell, , value] of folded.rows)
    assert.equal(valueBy.get(JSON.stringify(cell ?? null)), value);
}

suite("core/web/charts/answer: the whole of pictures", (test) => {
  const checkNaively = async (random: Random) => {
    const made = randomCase(random);
    const { item, mostRows, rows } = made;
    const ask: AskOne = async (query) => answerNaively(made.rows, query);
    const send: SendQueries = async (queries) =>
      queries.map((query) => ({ rows: answerNaively(made.rows, query) }));
    try {
      await checkWhole(made, send, ask);
    } catch (cause) {
      const found = { type: item.type, options: item.options, mostRows, rowCount: rows.length };
      const slots = item.fields.map(({ slot, columnId, aggregation }) => [
        slot,
        columnId,
        aggregation,
      ]);
      throw new Error(`${JSON.stringify({ ...found, slots })}: ${String(cause)}`, { cause });
    }
  };

  test("a random picture shows its whole answer or says what it leaves out", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let count = 0; count < rounds({ quick: 60, deep: 150 }); count++)
        await checkNaively(random);
    });
  });

  test.deep(
    "10,000 random pictures show their whole answer or say what they leave out",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        for (let count = 0; count < 10_000; count++) await checkNaively(random);
      });
    },
  );
});

suite("core/web/charts/answer: the whole of pictures on a host", (test) => {
  let people: People;
  test.before(async () => {
    people = await openPeople();
  });
  test.after(async () => {
    await people.close();
  });

  test("pictures of a random dataset show the whole answer of a host or say what they leave out", async () => {
    const random = createRandom();
    // The first row decides the types of the columns.
    const typed = { city: "c2", kind: "c2", at: "2024-05-06T00:00:00.000Z", km: 5 };
    const rows = [typed, ...randomRows(random), ...randomRows(random)];
    const pushed = await people.owner.create<{
      rows: { id: string; columns: { id: string; source_name: string }[] }[];
    }>("data", {
      type: "create",
      data: rows.map((row) => columns.map((column) => row[column] ?? null)),
      options: { header: columns },
    });
    const [dataset] = pushed.rows;
    const ids = new Map(dataset?.columns.map(({ source_name: name, id }) => [name, id]));
    const send: SendQueries = async (queries) => {
      const find = { queries };
      const { pair } = people.owner;
      const { body } = await people.call("data", {
        action: "get",
        version: "0.1.0",
        ...pair,
        find,
      });
      if (!Array.isArray(body) && body["data"] === undefined)
        throw new Error(JSON.stringify([body, find]));
      return [body].flat().map((each) => ({
        rows: each["data"] as readonly (readonly ChartCell[])[],
        ...(each["error"] !== undefined && { failure: new Error(JSON.stringify(each["error"])) }),
      }));
    };
    const ask: AskOne = async (query) => {
      const [answer] = await send([query]);
      if (answer?.failure) throw answer.failure;
      return answer?.rows ?? [];
    };
    await withSeed(random, async () => {
      for (let count = 0; count < rounds({ quick: 12, deep: 25 }); count++) {
        const each = randomCase(random);
        const fields = each.item.fields.map((field) => ({
          ...field,
          ...(dataset && { datasetId: dataset.id }),
          columnId: ids.get(field.columnId ?? "") ?? "",
        }));
        await checkWhole({ ...each, item: { ...each.item, fields } }, send, ask);
      }
    });
  });
});
