import {
  openStore,
  type ColumnDefinition,
  type Expression,
  type Join,
  type Output,
  type Plan,
  type Predicate,
  type Scalar,
  type Store,
} from "../../../../engine/index.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { checkAnswer } from "../../checkAnswer.ts";
import { referenceBounds, type Row } from "../../referenceEngine.ts";
import { makeFolder, toBatch, toCells } from "../../tables.ts";

/** How the keys of a dimension are spread. The kinds are stored, indexed and looked up in different ways. */
const spreads: Readonly<Record<string, (index: number) => number>> = {
  dense: (index) => index,
  negative: (index) => index - 40,
  steps: (index) => 1000 + index * 10,
  days: (index) => 20_240_101 + Math.floor(index / 28) * 100 + (index % 28),
  sparse: (index) => index * 7_919_013,
  far: (index) => (index % 2 === 0 ? -1 : 1) * 2 ** 33 * index,
  fractions: (index) => index / 4 - 3,
  rare: (index) => index * 1500,
};
const kinds = Object.keys(spreads);

const number = (name: string) => ({ name, type: "number" }) as const;
const text = (name: string) => ({ name, type: "text" }) as const;

/** A dimension that links itself to the groups of the dimension `groups` by number and by text. */
const dimension: readonly ColumnDefinition[] = [
  number("id"),
  number("size"),
  text("city"),
  { name: "since", type: "datetime" },
  number("groupId"),
  text("groupName"),
];
const groups: readonly ColumnDefinition[] = [number("id"), text("name"), number("rank")];

const column = (name: string, join?: string): Expression => ({
  kind: "column",
  name,
  ...(join !== undefined && { join }),
});

interface World {
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  readonly definitions: Readonly<Record<string, readonly ColumnDefinition[]>>;
}

function makeWorld(random: Random, rowCount: number): World {
  const orNull = (value: Scalar, chance = 0.05): Scalar => (random.chance(chance) ? null : value);
  const groupCount = 12;
  const tables: Record<string, readonly Row[]> = {
    groups: Array.from({ length: groupCount }, (_, index) => ({
      id: index === 3 ? null : index * 5,
      name: orNull(`group ${index}`),
      rank: orNull(random.below(4)),
    })),
  };
  const definitions: Record<string, readonly ColumnDefinition[]> = { groups };
  const keysOf = new Map<string, number[]>();
  for (const kind of kinds) {
    const keys = Array.from({ length: random.pick([0, 1, 90]) }, (_, index) =>
      spreads[kind](index),
    ).map((key) => key + 0);
    keysOf.set(kind, keys);
    const shuffled = keys
      .map((key) => ({ key, at: random.below(1e6) }))
      .toSorted((one, other) => one.at - other.at);
    tables[kind] = [...shuffled.map(({ key }) => key), null, null].map((id) => ({
      id,
      size: orNull(random.pick([random.below(50), -0, 0.5 + random.below(3)])),
      city: orNull(random.pick(["Ghent", "Liège", "Mons", "Namur"])),
      since: orNull(Date.UTC(2020, random.below(30), 1)),
      groupId: orNull(random.below(groupCount + 2) * 5),
      groupName: orNull(`group ${random.below(groupCount + 2)}`),
    }));
    definitions[kind] = dimension;
  }
  const missing = [0, -1, 17.5, 1e15, 20_240_131];
  // Runs of equal keys let zone maps exclude and include whole row groups.
  let run = 0;
  let from: Record<string, number | null> = {};
  tables["facts"] = Array.from({ length: rowCount }, (_, row): Row => {
    const isSorted = row < rowCount / 3;
    if (!isSorted || --run < 0) {
      run = random.below(4000);
      from = {};
      for (const kind of kinds) {
        const keys = keysOf.get(kind) ?? [];
        const key = keys.length > 0 ? random.pick(keys) : null;
        from[kind] = isSorted || !random.chance(0.1) ? key : random.pick([null, ...missing]);
      }
    }
    return { ...from, amount: orNull(random.below(1000)), label: orNull(random.pick(["x", "y"])) };
  });
  definitions["facts"] = [...kinds.map(number), number("amount"), text("label")];
  return { tables, definitions };
}

function makePlan(random: Random): Plan {
  const chosen = random.some(kinds, 0.4);
  const filterOf = (): Predicate => testOf(random, undefined);
  const joins = chosen.flatMap((kind): Join[] => {
    const name = kind;
    const own: Join = { name, table: kind, left: { name: kind }, right: "id" };
    const byNumber: Join = {
      name: `${kind} n`,
      table: "groups",
      left: { name: "groupId", join: name },
      right: "id",
    };
    const filtered = random.chance(0.3) ? { ...own, filter: filterOf() } : own;
    return random.chance(0.5) ? [filtered, byNumber] : [filtered];
  });
  const names = joins.map(({ name }) => name);
  const attribute = (): Expression => {
    if (names.length === 0) return column("label");
    const name = random.pick(names);
    if (name.endsWith(" n")) return column(random.pick(["name", "rank"]), name);
    const chosenName = random.pick(["id", "size", "city", "since", "groupName"]);
    const of = column(chosenName, name);
    return chosenName === "since" && random.chance(0.7)
      ? { kind: "period", of, period: random.pick(["year", "quarter"]), timezone: "UTC" }
      : of;
  };
  // Keys of the facts, and ids of dimensions, determine other keys.
  const keyOf = (): Expression =>
    chosen.length > 0 && random.chance(0.3) ? column(random.pick(chosen)) : attribute();
  const keys = Array.from({ length: random.below(4) }, (): Output => ({
    kind: "key",
    of: keyOf(),
  }));
  const tests = names.flatMap((name) =>
    random.chance(0.6)
      ? [testOf(random, name), ...(random.chance(0.3) ? [testOf(random, name)] : [])]
      : [],
  );
  const aggregates: Output[] = [
    { kind: "aggregate", function: "rows" },
    { kind: "aggregate", function: "sum", of: column("amount") },
  ];
  for (const name of names.filter((each) => !each.endsWith(" n")))
    if (random.chance(0.3))
      aggregates.push({
        kind: "aggregate",
        function: random.pick(["sum", "min", "max", "distinctcount", "count"] as const),
        of: column("size", name),
      });
  return {
    table: "facts",
    joins,
    grouped: true,
    outputs: [...keys, ...aggregates],
    filter: {
      kind: random.chance(0.8) ? "and" : "or",
      of: tests.length > 0 ? tests : [{ kind: "and", of: [] }],
    },
  };
}

/** Returns a test of a dimension that is joined as `name`, or of the table's own columns. */
function testOf(random: Random, name: string | undefined): Predicate {
  const isGroup = name?.endsWith(" n") ?? false;
  const numbers = column(isGroup ? "rank" : "size", name);
  const texts = column(isGroup ? "name" : "city", name);
  const operator = random.pick(["=", "<", "<=", ">", ">="] as const);
  const leaf = random.pick<() => Predicate>([
    () => ({ kind: "compare", left: numbers, operator, value: random.below(isGroup ? 4 : 40) }),
    () => ({ kind: "in", left: numbers, values: [0, 1, 2, random.pick([3, null])] }),
    () => ({ kind: "isNull", left: random.pick([numbers, texts]) }),
    () => ({ kind: "match", left: texts, match: "contains", text: random.pick(["n", "1"]) }),
    () => ({
      kind: "in",
      left: texts,
      values: [random.pick(["Ghent", "group 1", null]), "Mons", "group 7"],
    }),
    () => ({
      kind: "compare",
      left: {
        kind: "call",
        function: "add",
        of: [numbers, { kind: "literal", type: "number", value: 1 }],
      },
      operator,
      value: 3,
    }),
  ])();
  return random.chance(0.3) ? { kind: "not", of: leaf } : leaf;
}

suite("engine/store/queries/starJoins", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let store: Store;
  test.before(async () => {
    folder = await makeFolder();
    store = await openStore({
      dir: folder.path,
      workers: rounds({ quick: 1, deep: 2 }),
      memoryBytes: 2 ** 28,
    });
  });
  test.after(async () => {
    await store.close();
    await folder.remove();
  });

  test("random star and snowflake joins return the reference engine's answers, before and after changes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const { tables, definitions } = makeWorld(
        random,
        rounds({ quick: 3_000, deep: 100_000, soak: 200_000 }),
      );
      const current = { ...tables };
      for (const [name, columns] of Object.entries(definitions)) {
        await store.create({ name, columns });
        await store.append({ table: name, rows: toBatch(columns, tables[name]) });
      }
      for (let round = 0; round < rounds({ quick: 8, deep: 40 }); round++) {
        const plan = makePlan(random);
        const answer = toCells(await store.query(plan));
        const bounds = referenceBounds(plan, current["facts"], current);
        checkAnswer(answer, plan, bounds, JSON.stringify(plan));
        const changed = random.pick(kinds);
        if (random.chance(0.5)) {
          current[changed] = current[changed].filter(() => random.chance(0.9));
          await store.replace({ table: changed, rows: toBatch(dimension, current[changed]) });
        }
      }
    });
  });
});
