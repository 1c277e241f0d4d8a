import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import {
  aggregationDefinitions,
  aggregations,
  operators,
  columnOfCells,
  type Cell,
  type Plugin,
} from "../../../../plugins/protocol/index.ts";
import { relativeWords } from "../../../../core/queries/parsedQuery.ts";
import { rounds } from "../../../support/layer.ts";
import { legacyPushdown } from "../../../support/everySource.ts";
import { createPlainHost, isStored, type PlainColumn } from "../../../support/plainHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { randomCapabilities } from "../../../support/randomCapabilities.ts";
import { rounded } from "../../../support/rounded.ts";
import { suite } from "../../../support/suite.ts";

const seed = Number(process.env["SEED"] ?? 20260921);
const queryCount = Number(process.env["QUERIES"] ?? rounds({ quick: 4, deep: 60, soak: 150 }));

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "word", type: "hierarchy" },
  { id: "km", type: "numeric" },
  { id: "eur", type: "numeric" },
  { id: "at", type: "datetime" },
  { id: "day", type: "datetime", subtype: "date" },
  { id: "cost", type: "numeric", expression: "{D:km} * {D:eur} + 1" },
  { id: "large", type: "hierarchy", expression: "if({D:km} > {D:eur}, 'large', {D:city})" },
  { id: "weekday", type: "numeric", expression: "weekday({D:at})" },
];
const formulas = [
  "SUM({D:km}) / COUNTR()",
  "MEDIAN({D:eur}) - AVG({D:km} + {D:eur})",
  "MAX({D:city}) || cast(COUNTD({D:word}) as text)",
];
const texts = [
  "Ghent",
  "ghent",
  "Gh",
  "Lille",
  "Žilina",
  "日本",
  "𝒳",
  "\uffee",
  "É",
  "",
  "a%b",
  "' or 1=1",
  "constructor",
];
const zones = [
  "",
  "UTC",
  "Europe/Brussels",
  "America/New_York",
  "Asia/Kolkata",
  "America/Sao_Paulo",
  "Australia/Lord_Howe",
];
const instants = [
  "2024-03-31T00:30:00.000Z",
  "2024-03-31T01:00:00.000Z",
  "2024-10-27T00:30:00.000Z",
  "2024-10-27T01:30:00.000Z",
  "2024-02-29T23:59:59.999Z",
  "2018-11-04T02:59:59.000Z",
  "2018-11-04T03:00:00.000Z",
  "2023-12-31T23:30:00.000Z",
  "2024-04-06T15:15:00.000Z",
  "1969-12-31T23:59:59.500Z",
];

function randomRows(random: Random): Cell[][] {
  const cell = (column: PlainColumn): Cell => {
    if (random.chance(0.15)) return null;
    if (column.type === "hierarchy") return random.pick(texts);
    if (column.type === "numeric") return random.below(7) - 3;
    return column.subtype === "date"
      ? `${random.pick(instants).slice(0, 10)}T00:00:00.000Z`
      : random.pick(instants);
  };
  const stored = columns.filter(isStored);
  return Array.from({ length: random.pick([0, 1, 5, 40, 120]) }, () => stored.map(cell));
}

function randomValue(column: PlainColumn, random: Random): Cell {
  if (column.type === "numeric") return random.below(7) - 3;
  return column.type === "datetime" ? random.pick(instants) : random.pick(texts);
}

function randomTest(column: PlainColumn, reference: object, random: Random): object {
  const comparable = column.type !== "hierarchy";
  const operator = random.pick(
    [...operators, "between"].filter((word) =>
      /^(<|>|between)/.test(word) ? comparable : /like|with/.test(word) ? !comparable : true,
    ),
  );
  if (operator.endsWith("null")) return { expression: `? ${operator}`, parameters: [reference] };
  const list = Array.from({ length: random.below(4) }, () =>
    random.chance(0.2) ? null : randomValue(column, random),
  );
  const pair = [randomValue(column, random), randomValue(column, random)];
  const value = operator.endsWith("in")
    ? list
    : operator === "between"
      ? pair
      : randomValue(column, random);
  return { expression: `? ${operator} ?`, parameters: [reference, value] };
}

function randomCondition(random: Random, depth = 0): unknown {
  if (depth < 3 && random.chance(0.35)) {
    const members = Array.from({ length: 1 + random.below(3) }, () =>
      randomCondition(random, depth + 1),
    );
    return random.pick([{ and: members }, { or: members }, members]);
  }
  const column = random.pick(columns);
  if (column.type === "datetime" && random.chance(0.5)) return randomRelative(column, random);
  const level = column.id === "at" && random.chance(0.3) ? 1 + random.below(9) : undefined;
  const discretization =
    column.type === "numeric" && random.chance(0.3)
      ? { type: "linear", size: random.pick([0.5, 2, 3]) }
      : undefined;
  return randomTest(
    column,
    { column_id: column.id, dataset_id: "D", level, discretization },
    random,
  );
}

const nowMs = Date.parse("2024-04-02T01:30:00.000Z");

function randomRelative(column: PlainColumn, random: Random): object {
  const unit = 1 + random.below(column.subtype === "date" ? 5 : 9);
  const quantity = random.pick([undefined, 0, 1, 3, -2]);
  return {
    expression: random.pick(relativeWords),
    parameters: [
      { column_id: column.id, dataset_id: "D" },
      { unit, quantity },
    ],
  };
}

function randomBins(random: Random): object {
  if (random.chance(0.3)) return { type: "linear", bins: 1 + random.below(5) };
  if (random.chance(0.3)) return { type: "linear", bins: 1 + random.below(5), over: [-2, 3] };
  return { type: "linear", size: random.pick([0.5, 2, 3]) };
}

function randomMeasure(random: Random): { reference: Record<string, unknown>; type: PlainColumn } {
  if (random.chance(0.1)) {
    const formula = random.pick(formulas);
    const type = formula.startsWith("MAX") ? "hierarchy" : "numeric";
    return { reference: { formula, dataset_id: "D" }, type: { id: formula, type } };
  }
  if (random.chance(0.2))
    return {
      reference: { column_id: "*", dataset_id: "D", aggregation: { type: "count" } },
      type: { id: "*", type: "numeric" },
    };
  const column = random.pick(columns);
  const type = random.pick(
    aggregations.filter(
      (name) => column.type === "numeric" || aggregationDefinitions[name].argument === "any",
    ),
  );
  const { takes, result } = aggregationDefinitions[type];
  const more = {
    ...(takes === "fraction" && { fraction: random.pick([0, 0.1, 0.5, 0.95, 1]) }),
    ...((takes === "weight" || takes === "other") && {
      dataset_id: "D",
      ...random.pick([
        { column_id: "km" },
        { column_id: "eur", discretization: randomBins(random) },
        { expression: "{D:km} + {D:eur}" },
      ]),
    }),
  };
  const discretization =
    column.type === "numeric" && random.chance(0.2) ? randomBins(random) : undefined;
  const level = column.id === "at" && random.chance(0.3) ? 1 + random.below(9) : undefined;
  return {
    reference: {
      column_id: column.id,
      dataset_id: "D",
      level,
      discretization,
      aggregation: random.chance(0.5) && Object.keys(more).length === 0 ? type : { type, ...more },
    },
    type: result === "T" ? column : { id: column.id, type: "numeric" },
  };
}

function isRunning(reference: object): boolean {
  return JSON.stringify(reference).includes("cumulativesum");
}

function randomQuery(random: Random) {
  const rollup = random.chance(0.75);
  const dimensions = random.some(columns, 0.3).map((column) => ({
    column_id: column.id,
    dataset_id: "D",
    level: column.id === "at" && random.chance(0.7) ? 1 + random.below(9) : undefined,
    discretization:
      column.type === "numeric" && random.chance(0.5) ? randomBins(random) : undefined,
  }));
  const made = Array.from({ length: random.below(3) + (dimensions.length === 0 ? 1 : 0) }, () =>
    randomMeasure(random),
  );
  const isRaw = ({ column_id, formula }: Record<string, unknown>) =>
    column_id !== "*" && formula === undefined;
  const measures = made.filter(({ reference }) => rollup || isRaw(reference));
  const items = [...dimensions, ...measures.map(({ reference }) => reference)];
  if (items.length === 0)
    dimensions.push({
      column_id: "city",
      dataset_id: "D",
      level: undefined,
      discretization: undefined,
    });
  const hidden = random.chance(0.3) ? [randomMeasure(random)] : [];
  return {
    dimensions,
    measures: measures.map(({ reference }) => reference),
    where: random.chance(0.6)
      ? Array.from({ length: 1 + random.below(2) }, () => randomCondition(random))
      : [],
    having:
      rollup && random.chance(0.3)
        ? [...measures, ...hidden]
            .filter(({ reference }) => !isRunning(reference))
            .map(({ reference, type }) => randomTest(type, reference, random))
        : [],
    order: random
      .some(items, 0.4)
      .filter((item) => !rollup || !isRunning(item))
      .map((item) => Object.assign({ order: random.pick(["asc", "desc"]) }, item)),
    limit: random.chance(0.4) ? { by: random.below(12), offset: random.below(4) } : undefined,
    options: {
      rollup_data: rollup,
      timezone_id: random.pick(zones),
      locale_id: random.chance(0.2) ? random.pick(["en", "sv", "tr"]) : undefined,
    },
  };
}

async function agree(name: string, scratch: () => Plugin): Promise<void> {
  for (let index = 0; index < queryCount; index++) {
    const random = createRandom(seed + index);
    const rows = randomRows(random);
    const query = randomQuery(random);
    const oracle = await createPlainHost({ columns, rows, now: () => nowMs });
    const capable = randomCapabilities(random);
    const most = { ...everyCapability, ...capable };
    const kinds = [
      ...[capable, {}, legacyPushdown, most].map((each) => [each, true] as const),
      ...[legacyPushdown, most].map((each) => [each, false] as const),
    ];
    const hosts = await Promise.all(
      kinds.map(
        async ([capabilities, isTrusted]) =>
          [
            { ...capabilities, isTrusted },
            await createPlainHost({
              isTrusted,
              columns,
              rows,
              now: () => nowMs,
              source: createPlainPlugin(capabilities),
              scratch: scratch(),
            }),
          ] as const,
      ),
    );
    const about = (capabilities: unknown) =>
      `SEED=${seed + index} QUERIES=1, ${name}\n${JSON.stringify(query)}\n${JSON.stringify(capabilities)}`;
    const expected = rounded((await oracle.sendQuery(query)).data);
    for (const [capabilities, host] of hosts) {
      const answer = await host.sendQuery(query).catch((failure: unknown) => {
        throw new Error(`${String(failure)}\n${about(capabilities)}`, { cause: failure });
      });
      assert.equal(rounded(answer.data), expected, about(capabilities));
    }
  }
}

/** Pushes the rows to a writable plugin, as the dataset `sheet`. */
async function fill(plugin: Plugin, rows: readonly (readonly Cell[])[]): Promise<void> {
  const call = { credentials: { properties: {} }, signal: new AbortController().signal };
  const stored = columns.filter(isStored).map(({ id, type }) => ({
    id: `source.${id}`,
    type: type === "spatial" ? ("hierarchy" as const) : type,
  }));
  const known = (await plugin.datasets(call)).find(({ id }) => id === "sheet");
  if (known) await plugin.write?.({ ...call, write: { action: "drop", id: "sheet" } });
  await plugin.write?.({ ...call, write: { action: "create", id: "sheet", columns: stored } });
  const vectors = stored.map((column, index) =>
    columnOfCells(
      column,
      rows.map((row) => row[index] ?? null),
    ),
  );
  const batch = { rowCount: rows.length, columns: vectors };
  await plugin.write?.({
    ...call,
    write: {
      action: "append",
      id: "sheet",
      rows: { columnIds: stored.map(({ id }) => id), batch },
    },
  });
}

suite("core/queries/plan/equivalence", (test) => {
  test.deep(
    "plugins with any capabilities give the same cells, with the residual computed in plain JavaScript",
    () => agree("plain scratch", () => createPlainPlugin()),
  );

  const strata = join(import.meta.dirname, "../../../../plugins/strata/index.ts");
  if (existsSync(strata)) {
    let dir = "";
    let plugin: Plugin | undefined;
    test.before(async () => {
      dir = await mkdtemp(join(tmpdir(), "manifold-equivalence-"));
      const { openStrata } = (await import(strata)) as {
        openStrata: (options: {
          dir: string;
          workers: number;
          memoryBytes: number;
          warmUp: boolean;
        }) => Promise<Plugin>;
      };
      plugin = await openStrata({
        dir,
        workers: 1,
        memoryBytes: 2 ** 28,
        warmUp: false,
      });
    });
    test.after(async () => {
      await plugin?.close?.();
      await rm(dir, { recursive: true, force: true });
    });
    test("plugins with any capabilities give the same cells, with the residual computed in strata", () =>
      agree("strata scratch", () => plugin ?? createPlainPlugin()));

    test("strata as the source gives the same cells as a plain plugin", async () => {
      if (!plugin) throw new Error("strata must be open");
      const strata = plugin;
      for (let index = 0; index < queryCount; index++) {
        const random = createRandom(seed + index);
        const rows = randomRows(random);
        const query = randomQuery(random);
        await fill(strata, rows);
        const host = await createPlainHost({
          columns,
          rows,
          now: () => nowMs,
          scratch: strata,
          wrap: () => strata,
        });
        const oracle = await createPlainHost({ columns, rows, now: () => nowMs });
        const about = `SEED=${seed + index} QUERIES=1\n${JSON.stringify(query)}`;
        const answer = await host.sendQuery(query).catch((failure: unknown) => {
          throw new Error(`${String(failure)}\n${about}`, { cause: failure });
        });
        assert.equal(rounded(answer.data), rounded((await oracle.sendQuery(query)).data), about);
      }
    });
  }

  test("every row passes either a test or its negation, but never both", async () => {
    for (let index = 0; index < rounds({ quick: 8, deep: 60 }); index++) {
      const random = createRandom(seed + index);
      const rows = randomRows(random);
      const host = await createPlainHost({
        columns,
        rows,
        source: createPlainPlugin(randomCapabilities(random)),
      });
      const column = random.pick(columns);
      const reference = { column_id: column.id, dataset_id: "D" };
      const [word, negative] = random.pick([
        ["=", "!="],
        ["in", "not in"],
        ["is null", "is not null"],
      ] as const);
      const value =
        word === "in" ? [randomValue(column, random), null] : randomValue(column, random);
      const parameters = word === "is null" ? [reference] : [reference, value];
      const marks = word === "is null" ? "" : " ?";
      const count = async (expression: string) => {
        const answer = await host.sendQuery({
          measures: [{ column_id: "*", dataset_id: "D", aggregation: { type: "count" } }],
          where: [{ expression: `? ${expression}${marks}`, parameters }],
        });
        return Number(answer.data[0]?.[0]);
      };
      assert.is(
        (await count(word)) + (await count(negative)),
        rows.length,
        `SEED=${seed + index} ${word}`,
      );
    }
  });

  test("the sums of groups add up to the total, and a limit returns the first rows", async () => {
    for (let index = 0; index < rounds({ quick: 6, deep: 40 }); index++) {
      const random = createRandom(seed + index);
      const rows = randomRows(random);
      const host = await createPlainHost({
        columns,
        rows,
        source: createPlainPlugin(randomCapabilities(random)),
      });
      const dimensions = [{ column_id: random.pick(columns).id, dataset_id: "D" }];
      const measures = [{ column_id: "km", dataset_id: "D" }];
      const all = (await host.sendQuery({ dimensions, measures })).data;
      const total = (await host.sendQuery({ measures })).data[0]?.[0];
      const sums = all.map((row) => row[1]).filter((sum) => sum !== null);
      assert.is(
        sums.length > 0 ? sums.reduce((sum: number, each) => sum + Number(each), 0) : null,
        total,
        `SEED=${seed + index}`,
      );
      const page = (await host.sendQuery({ dimensions, measures, limit: { by: 3, offset: 1 } }))
        .data;
      assert.equal(page, all.slice(1, 4), `SEED=${seed + index}`);
    }
  });
});
