import type { Cell } from "../../../../plugins/protocol/index.ts";
import type { PlainColumn } from "../../../support/plainHost.ts";
import type { Random } from "../../../support/random.ts";

/** Random rows of the dataset `D`, with time zones for the queries. */
export interface World {
  readonly rows: readonly (readonly Cell[])[];
  /** The time zones; the first is UTC. */
  readonly zones: readonly string[];
  /** The current time that relative dates use, in milliseconds. */
  readonly nowMs: number;
}

/**
 * The columns of `D`. Numbers of `n` and `m` are eighths, so that their sums are exact. `wild` contains decimals of
 * every magnitude, and `edge` contains the limits of doubles. `w` and `v` contain recent times, and `at` contains any
 * time. `cost`, `large` and `late` are derived.
 */
export const columns: readonly PlainColumn[] = [
  { id: "s", type: "hierarchy" },
  { id: "t", type: "hierarchy" },
  { id: "city", type: "hierarchy" },
  { id: "word", type: "hierarchy" },
  { id: "n", type: "numeric" },
  { id: "m", type: "numeric" },
  { id: "wild", type: "numeric" },
  { id: "edge", type: "numeric" },
  { id: "w", type: "datetime" },
  { id: "v", type: "datetime" },
  { id: "at", type: "datetime" },
  { id: "day", type: "datetime", subtype: "date" },
  { id: "cost", type: "numeric", expression: "{D:n} * {D:m} + 1" },
  { id: "large", type: "hierarchy", expression: "if({D:n} > {D:m}, 'large', {D:city})" },
  { id: "late", type: "numeric", expression: "coalesce(weekday({D:w}), 0) * 100 + hour({D:v})" },
];

/** The SQL of the derived columns. `zone` is the index of the query's time zone. */
export const derivedSql: Readonly<Record<string, (zone: number) => string>> = {
  cost: () => `finite(finite("n" * "m") + 1)`,
  large: () => `case when tested("n" > "m") then 'large' else "city" end`,
  late: (zone) =>
    `finite(coalesce(date_part('isodow', "w@local@${zone}")::double, 0) * 100 + date_part('hour', "v@local@${zone}")::double)`,
};

const tame = ["", "a", "A", "ab", "Ghent", "a,b", "𝒳a", "é", " a ", "it's", "b,a,c"];
const wildTexts = [
  ..."Ghent|ghent|GHENT|Lille|Žilina|žILINA|日本|日本語|𝒳|𝒳𝒴|\uFFEE|É|é|e\u0301|E\u0301cole|école".split(
    "|",
  ),
  ..."Σίσυφος|ΣΊΣΥΦΟΣ|ſtraße|STRASSE|straẞe|straße|K|K|k|Å|Å|å|İzmir|izmir|ırmak|IRMAK|𐐀|𐐨".split(
    "|",
  ),
  ..."|\u200B|x\uFEFF| x|a%b|a_b|100%|' or 1=1 --|constructor|__proto__|null|\n|\t|\\|\"|👩‍👩‍👧‍👦|🇧🇪|ﬁ|fi".split(
    "|",
  ),
];
const zones = [
  "Europe/Brussels",
  "America/New_York",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "America/Sao_Paulo",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "America/St_Johns",
  "Africa/Casablanca",
  "Pacific/Kiritimati",
  "Europe/Dublin",
  "Antarctica/Troll",
  "America/Caracas",
  "Asia/Tehran",
  "Etc/GMT+12",
];
/** Instants near clock changes, at the ends of periods, and before 1970. */
export const instants = [
  "2024-03-31T00:59:59.999Z",
  "2024-03-31T01:00:00.000Z",
  "2024-03-31T00:30:00.000Z",
  "2024-10-27T00:30:00.000Z",
  "2024-10-27T01:30:00.000Z",
  "2024-11-03T05:30:00.000Z",
  "2024-11-03T06:30:00.000Z",
  "2024-03-10T07:00:00.000Z",
  "2024-02-29T23:59:59.999Z",
  "2018-11-04T02:59:59.000Z",
  "2018-11-04T03:00:00.000Z",
  "2018-02-18T01:30:00.000Z",
  "2018-02-18T02:30:00.000Z",
  "2023-12-31T23:30:00.000Z",
  "2024-04-06T14:45:00.000Z",
  "2024-04-06T15:15:00.000Z",
  "2024-10-05T15:30:00.000Z",
  "2011-12-30T09:59:00.000Z",
  "2011-12-30T10:00:00.000Z",
  "2011-11-06T02:30:30.000Z",
  "2007-12-09T06:59:59.999Z",
  "2009-11-01T02:30:30.000Z",
  "2009-11-01T02:45:00.000Z",
  "1994-12-31T11:00:00.000Z",
  "1969-12-31T23:59:59.500Z",
  "1970-01-01T00:00:00.000Z",
  "1969-07-20T20:17:40.001Z",
];
const farInstants = [
  "1883-11-18T16:59:59.000Z",
  "1892-05-01T00:00:01.000Z",
  "1918-03-31T07:00:00.000Z",
  "0001-01-01T00:00:00.000Z",
  "0000-02-29T12:00:00.000Z",
  "-000001-12-31T23:59:59.999Z",
  "-004712-11-24T12:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "+010000-01-01T00:00:00.000Z",
  "2100-02-28T23:00:00.000Z",
];
const ends = ["+275760-09-13T00:00:00.000Z", "-271821-04-20T00:00:00.000Z"];
const wildNumbers = [
  0.1,
  0.2,
  0.3,
  -0.1,
  1e-300,
  1e-15,
  1e15 + 0.3,
  123456.789,
  -1e15,
  1e16,
  1 / 3,
];
const edges = [
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
  2.2250738585072014e-308,
  2 ** 53,
  2 ** 53 - 1,
  2 ** 53 - 2,
  -(2 ** 53),
  0,
  -0,
  1e21,
  1e-7,
];

export function randomWorld(random: Random): World {
  const nullShare = random.pick([0, 0.1, 0.3]);
  const spread = random.pick([3, 8, 60]);
  const isFar = random.chance(0.5);
  const isAtEnds = isFar && random.chance(0.4);
  const eighths = () => (random.below(spread * 2) - spread) / random.pick([1, 1, 2, 8]);
  const near = () =>
    random.chance(0.6)
      ? random.pick(instants)
      : instantText(Date.UTC(1971, 0, 1) + random.below(2 ** 30) * 1600);
  const cells: Readonly<Record<string, () => Cell>> = {
    s: () => random.pick(tame),
    t: () => random.pick(tame),
    city: () => random.pick(wildTexts),
    word: () => (random.chance(0.02) ? "ü".repeat(5000) : `w${random.below(40)}`),
    n: () => (random.chance(0.05) ? -0 : eighths()),
    m: () => eighths(),
    wild: () => (random.chance(0.8) ? random.pick(wildNumbers) : (random.below(1e6) - 5e5) / 1000),
    edge: () => random.pick(edges),
    w: near,
    v: near,
    at: () => {
      if (isAtEnds && random.chance(0.1)) return random.pick(ends);
      return isFar && random.chance(0.4) ? random.pick(farInstants) : near();
    },
    day: () => instantText(Date.UTC(2023, 10, 1) + random.below(400) * 86_400_000),
  };
  const stored = columns.filter(({ expression }) => expression === undefined);
  const rowCount = random.pick([0, 1, 3, 12, 40, 40, 120, 120, 250, 250]);
  return {
    rows: Array.from({ length: rowCount }, () =>
      stored.map(({ id }) => (random.chance(nullShare) ? null : (cells[id]?.() ?? null))),
    ),
    zones: ["UTC", random.pick(zones), random.pick(zones)],
    nowMs: Date.parse(random.pick(instants)) + random.pick([0, 0, 0, 1, 86_400_000]),
  };
}

/** Returns a random value that a row of the column may contain. */
export function randomValue(column: string, random: Random): string | number {
  switch (column) {
    case "s":
    case "t":
    case "large":
      return random.pick(tame);
    case "city":
      return random.pick(wildTexts);
    case "word":
      return `w${random.below(40)}`;
    case "wild":
      return random.pick(wildNumbers);
    case "edge":
      return random.pick(edges);
    case "w":
    case "v":
      return random.pick(instants);
    case "at":
      return random.pick([...instants, ...farInstants, ...ends]);
    case "day":
      return instantText(Date.UTC(2023, 10, 1) + random.below(400) * 86_400_000);
    default:
      return (random.below(40) - 20) / random.pick([1, 2, 8]);
  }
}

function instantText(at: number): string {
  return new Date(at).toISOString();
}
