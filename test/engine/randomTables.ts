import type { ColumnDefinition, Scalar } from "../../engine/index.ts";
import type { Random } from "../support/random.ts";
import type { Row, Tables } from "./referenceEngine.ts";

/** The magnitude of a column's numbers. Sums of whole numbers must stay exact; `extreme` doubles are not summed. */
export type Size = "small" | "whole" | "decimal" | "extreme";

export interface RandomColumn extends ColumnDefinition {
  readonly size?: Size;
  readonly make: (random: Random, row: number) => Scalar;
}

export interface RandomTable {
  readonly name: string;
  readonly columns: readonly RandomColumn[];
}

export interface RandomTableOptions {
  /** Number of distinct values in the column `word`. */
  readonly wordCount: number;
  /**
   * Whether to include values that DuckDB treats differently or lacks: -0, lone surrogates, doubles of every magnitude,
   * and the limits of ECMAScript time.
   */
  readonly hasExtremes: boolean;
}

const dayMs = 86_400_000;
const cities = [
  "Antwerpen",
  "antwerpen",
  "Gent",
  "Liège",
  "",
  "\u{1F600}",
  "\uFF5E",
  "a.*",
  "it's",
];
const oddities = ["__proto__", "lone \uD800", "\u0000", "constructor"];
const extremes = [-0, 0, 2 ** 53, -(2 ** 53), 1e300, -1e300, 1e-300, Number.MIN_VALUE, 0.1, 1 / 3];
const bounds = [-8.64e15, 8.64e15, 0, -1, 1, dayMs - 1, -dayMs];

/** Returns the tables of random plans: `t`, which has a column of every kind, and the tables to which it is joined. */
export function makeTables({ wordCount, hasExtremes }: RandomTableOptions): readonly RandomTable[] {
  const names = hasExtremes ? [...cities, ...oddities] : cities;
  const orNull =
    (share: number, make: (random: Random, row: number) => Scalar) =>
    (random: Random, row: number) =>
      random.chance(share) ? null : make(random, row);
  const columns: RandomColumn[] = [
    {
      name: "small",
      type: "number",
      size: "small",
      make: orNull(0.1, (random) => random.below(20) - 10),
    },
    {
      name: "whole",
      type: "number",
      size: "whole",
      make: (random) => random.below(2 ** 31) - 2 ** 30,
    },
    { name: "serial", type: "number", size: "whole", make: (_, row) => row },
    {
      name: "price",
      type: "number",
      size: "decimal",
      make: orNull(0.05, (random) => (random.below(200_000) - 50_000) / 100),
    },
    {
      name: "real",
      type: "number",
      size: "decimal",
      make: orNull(0.05, (random) => (random.below(2 ** 31) - 2 ** 30) / 7),
    },
    { name: "constant", type: "number", size: "small", make: () => 5 },
    { name: "empty", type: "number", size: "small", make: () => null },
    {
      name: "when",
      type: "datetime",
      make: orNull(0.1, (random) => {
        const instant = Date.UTC(1955, 0, 1) + Math.floor(share(random) * 80 * 365.25 * dayMs);
        if (random.chance(0.5)) return instant;
        const { year, month } =
          Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO("UTC");
        const start = Date.UTC(year, month - 1, random.pick([1, 1, 15]));
        return start + random.pick(offsetsMs) + random.pick([0, 0, -1, 1]);
      }),
    },
    {
      name: "day",
      type: "datetime",
      make: orNull(0.02, (random) => (random.below(3000) - 1000) * dayMs),
    },
    { name: "city", type: "text", make: orNull(0.1, (random) => random.pick(names)) },
    { name: "word", type: "text", make: orNull(0.02, (random) => `w${random.below(wordCount)}`) },
    { name: "blank", type: "text", make: () => null },
    { name: "personId", type: "number", make: orNull(0.05, (random) => random.below(60)) },
    { name: "accountId", type: "number", make: (random) => random.below(50) * 1e9 + 0.5 },
  ];
  if (hasExtremes)
    columns.push(
      {
        name: "extreme",
        type: "number",
        size: "extreme",
        make: orNull(0.1, (random) => random.pick(extremes)),
      },
      { name: "bound", type: "datetime", make: orNull(0.1, (random) => random.pick(bounds)) },
    );
  const key = (names: readonly Scalar[]) => (_: Random, row: number) => names[row];
  return [
    { name: "t", columns },
    {
      name: "cities",
      columns: [
        { name: "id", type: "text", make: key(names) },
        {
          name: "population",
          type: "number",
          size: "small",
          make: orNull(0.2, (random) => random.below(1000)),
        },
        {
          name: "region",
          type: "text",
          make: orNull(0.2, (random) => random.pick(["north", "south", "west"])),
        },
      ],
    },
    {
      name: "regions",
      columns: [
        { name: "id", type: "text", make: key(["south", "north", "east", null, null]) },
        { name: "label", type: "text", make: orNull(0.2, (random) => `region ${random.below(2)}`) },
      ],
    },
    {
      name: "people",
      columns: [
        { name: "id", type: "number", make: key(Array.from({ length: 40 }, (_, row) => 55 - row)) },
        { name: "name", type: "text", make: orNull(0.1, (random) => `p${random.below(9)}`) },
        {
          name: "born",
          type: "datetime",
          make: orNull(0.1, (random) => (random.below(30_000) - 15_000) * dayMs),
        },
      ],
    },
    {
      name: "accounts",
      columns: [
        { name: "id", type: "number", make: (_, row) => row * 1e9 + 0.5 },
        {
          name: "limit",
          type: "number",
          size: "small",
          make: orNull(0.2, (random) => random.below(7)),
        },
      ],
    },
    {
      name: "days",
      columns: [
        { name: "id", type: "datetime", make: (_, row) => (row * 2 - 500) * dayMs },
        { name: "kind", type: "text", make: (random) => random.pick(["work", "rest"]) },
      ],
    },
  ];
}

/**
 * Offsets from UTC midnight at which days start in the zones of random plans. Because of these offsets, many generated
 * instants are at the edge of a period.
 */
const offsetsMs = [0, 0, -1, -2, 4, 5, -5.75, -5.5, -10, -11].map((hours) => hours * 3_600_000);

const joinedCounts: Readonly<Record<string, number>> = {
  cities: cities.length - 2,
  regions: 5,
  people: 40,
  accounts: 30,
  days: 400,
};

/** Returns the rows of the tables; `t` has `rowCount` rows. */
export function makeRows(random: Random, tables: readonly RandomTable[], rowCount: number): Tables {
  return Object.fromEntries(
    tables.map(({ name, columns }) => [
      name,
      Array.from({ length: joinedCounts[name] ?? rowCount }, (_, row): Row =>
        Object.fromEntries(columns.map((column) => [column.name, column.make(random, row)])),
      ),
    ]),
  );
}

const share = (random: Random) => random.below(2 ** 30) / 2 ** 30;
