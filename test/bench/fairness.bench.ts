/**
 * Does one caller make other callers wait? The bench measures the longest time for which the main thread is blocked
 * while it answers a query over many distinct strings. It also measures how long a quiet caller's small query takes
 * while 48 heavy queries run. All work happens in one process, from the call to the last chunk of the answer, without
 * HTTP. The baseline is the quiet caller without other callers. The figures are wrong when another process runs,
 * because the scheduler may then stall this process.
 */
import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { jsonType, arrowType, type MediaType } from "../../core/base/contracts/index.ts";
import { streamBody } from "../../core/http/middleware/streamBody.ts";
import { principalOf } from "../support/plainHost.ts";
import { atMost, reportBars, type Bar } from "./bars.ts";
import { openStoredHost } from "./fairness/openStoredHost.ts";

const { values } = parseArgs({
  options: { rows: { type: "string" }, only: { type: "string" } },
  strict: false,
});
const wanted = String(values.rows ?? "3m");
const rowCount = Number.parseFloat(wanted) * (wanted.endsWith("m") ? 1e6 : 1);
const part = String(values.only ?? "").split(":")[1] ?? "";
const textCount = Math.min(1_000_000, rowCount);
const seconds = 5;
/** The limit on the longest block of the main thread, in milliseconds. */
const stallBarMs = 10;
/** The limit on the quiet caller's p99 while other callers are active, as a multiple of its p99 without them. */
const waitBar = 3;
const bars: Bar[] = [];

const print = (line: string) => process.stdout.write(`${line}\n`);
const hash = (row: number, salt: number) => {
  let mixed = Math.imul(row ^ salt, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};
const words = Array.from(
  { length: textCount },
  (_, code) =>
    `${["Zoë", "åke", "Anna", "émile", "bo"][code % 5]} ${hash(code, 7).toString(36)} ${code}`,
);
const regions = Array.from({ length: 1000 }, (_, code) => `region ${code}`);

const host = await openStoredHost(
  rowCount,
  {
    id: { type: "numeric", at: (row) => row },
    km: { type: "numeric", at: (row) => (hash(row, 1) % 1_000_000) / 100 },
    day: { type: "datetime", at: (row) => 1.6e12 + (hash(row, 2) % 1000) * 864e5 },
    person: { type: "hierarchy", at: (row) => hash(row, 3) % textCount },
    region: { type: "hierarchy", at: (row) => hash(row, 4) % 1000 },
    zone: { type: "hierarchy", at: (row) => hash(row, 5) % 1000 },
  },
  (id) => (id === "person" ? words : regions),
);

const of = (column: string, more: object = {}) => ({ dataset_id: "D", column_id: column, ...more });
const sum = { ...of("km"), aggregation: { type: "sum" } };
const derived = (expression: string) => ({
  dataset_id: "D",
  expression: expression.replace(/\{(\w+)\}/g, "{D:$1}"),
});
const top = { limit: { by: 100 } };

async function runQuery(
  find: object,
  user = "ada",
  mediaType: MediaType = jsonType,
  signal = new AbortController().signal,
): Promise<number> {
  const written = await host.queries.write(find, principalOf(user), signal, mediaType);
  const body = await streamBody(written);
  if (typeof body === "string" || Buffer.isBuffer(body)) return body.length;
  let length = 0;
  for await (const chunk of body) length += (chunk as Buffer).length;
  return length;
}

const queries: Readonly<Record<string, readonly [object, MediaType?]>> = {
  "group by string, top 100": [
    { dimensions: [of("person")], measures: [sum], order: [{ ...sum, order: "desc" }], ...top },
  ],
  "group by string, all": [{ dimensions: [of("person")], measures: [sum] }],
  "order by string, top 100": [{ dimensions: [of("person")], measures: [sum], ...top }],
  "order in a language, top 100": [
    { dimensions: [of("person")], measures: [sum], ...top, options: { locale_id: "nl" } },
  ],
  "order in a language, all": [
    { dimensions: [of("person")], measures: [sum], options: { locale_id: "nl" } },
  ],
  "like, rare": [
    { measures: [sum], where: [{ expression: "? like ?", parameters: [of("person"), "zzq"] }] },
  ],
  "like beyond ASCII": [
    { measures: [sum], where: [{ expression: "? like ?", parameters: [of("person"), "ÅKE z"] }] },
  ],
  "starts with": [
    {
      measures: [sum],
      where: [{ expression: "? starts with ?", parameters: [of("person"), "émile a"] }],
    },
  ],
  ...Object.fromEntries(
    [
      "upper({person})",
      "concat({person}, ' of ', {region})",
      "substring({person}, 2, 5)",
      "replace({person}, 'a', 'bb')",
      "repeat({person}, 3)",
    ].map((text) => [
      `group by ${text}, top 100`,
      [{ dimensions: [derived(text)], measures: [sum], ...top }],
    ]),
  ),
  "sum of length({person})": [
    { measures: [{ ...derived("length({person})"), aggregation: { type: "sum" } }] },
  ],
  "filter upper({person}) = …": [
    {
      measures: [sum],
      where: [{ expression: "? = ?", parameters: [derived("upper({person})"), "BO 1 4"] }],
    },
  ],
  "distinct count of a string": [
    { measures: [{ ...of("person"), aggregation: { type: "distinctcount" } }] },
  ],
  "distinct count of a string by region": [
    {
      dimensions: [of("region")],
      measures: [{ ...of("person"), aggregation: { type: "distinctcount" } }],
    },
  ],
  "least and greatest string": [
    {
      measures: ["min", "max"].map((type) => ({ ...of("person"), aggregation: { type } })),
    },
  ],
  "a million raw rows": [
    {
      dimensions: [of("person"), of("id"), of("day")],
      limit: { by: 1_000_000 },
      options: { rollup_data: false },
    },
  ],
  "a million raw rows as Arrow": [
    {
      dimensions: [of("person"), of("id"), of("day")],
      limit: { by: 1_000_000 },
      options: { rollup_data: false },
    },
    arrowType,
  ],
  "a page of raw rows in order of a string": [
    {
      dimensions: [of("person"), of("id")],
      order: [{ ...of("person"), order: "asc" }],
      options: { rollup_data: false },
      ...top,
    },
  ],
  "a list of 100,000 values": [
    {
      measures: [sum],
      where: [{ expression: "? in ?", parameters: [of("person"), words.slice(0, 100_000)] }],
    },
  ],
  "two complete dimensions of 1,000 values": [
    {
      dimensions: [
        of("region", { include_nonoccurring: true }),
        of("zone", { include_nonoccurring: true }),
      ],
      measures: [sum],
      where: [{ expression: "? < ?", parameters: [of("id"), 1000] }],
      ...top,
    },
  ],
  "a complete dimension of many values": [
    {
      dimensions: [of("person", { include_nonoccurring: true })],
      measures: [sum],
      where: [{ expression: "? < ?", parameters: [of("id"), 1000] }],
      ...top,
    },
  ],
  "a ratio for each string": [
    {
      dimensions: [of("person")],
      measures: [sum, { formula: "sum({D:km}) / count({D:km})" }],
      ...top,
    },
  ],
};

async function measureStalls(): Promise<void> {
  print(
    "  milliseconds                                        took     stall  collection (the longest of each)",
  );
  let collectionMs = 0;
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collectionMs = Math.max(collectionMs, duration);
  });
  collections.observe({ entryTypes: ["gc"] });
  for (const [name, [find, mediaType]] of Object.entries(queries)) {
    globalThis.gc?.();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await new Promise((resolve) => setTimeout(resolve, 20));
    delay.reset();
    // The histogram ignores everything before its first sample.
    await new Promise((resolve) => setTimeout(resolve, 10));
    collectionMs = 0;
    const startedAt = performance.now();
    let outcome = "";
    try {
      await runQuery(find, "ada", mediaType);
    } catch (error) {
      outcome = error instanceof Error ? error.message.slice(0, 100) : String(error);
    }
    const tookMs = performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, 5));
    delay.disable();
    const stallMs = delay.max / 1e6;
    print(
      `  ${name.padEnd(45)} ${tookMs.toFixed(0).padStart(9)} ${stallMs.toFixed(0).padStart(9)} ${collectionMs.toFixed(0).padStart(11)}  ${outcome}`,
    );
    bars.push(atMost(`longest stall: ${name}`, stallMs, stallBarMs, "ms"));
  }
  collections.disconnect();
}

const quiet = { dimensions: [of("region")], measures: [sum] };
const heavy = [
  {
    dimensions: [of("region")],
    measures: [{ ...of("person"), aggregation: { type: "distinctcount" } }],
  },
  { dimensions: [of("person")], measures: [sum], order: [{ ...sum, order: "desc" }], ...top },
  { dimensions: [of("person"), of("region")], measures: [sum], ...top },
  {
    measures: [
      { ...of("km"), aggregation: { type: "median" } },
      { ...of("id"), aggregation: { type: "median" } },
    ],
  },
  {
    dimensions: [of("id")],
    order: [{ ...of("km"), order: "desc" }],
    measures: [of("km")],
    options: { rollup_data: false },
    ...top,
  },
];

/**
 * Measures a caller who pauses between queries. With 48 active callers, this caller uses less than an equal share only
 * if its pauses are long.
 */
async function measureQuiet(
  name: string,
  userOf: ((client: number) => string) | undefined,
  { pauseMs = 20, forSeconds = seconds } = {},
) {
  const leaving = new AbortController();
  let heavyCount = 0;
  const clients = userOf
    ? Array.from({ length: 48 }, async (_, client) => {
        for (let turn = client; !leaving.signal.aborted; turn++) {
          try {
            await runQuery(
              heavy[turn % heavy.length] ?? quiet,
              userOf(client),
              jsonType,
              leaving.signal,
            );
            heavyCount++;
          } catch (error) {
            if (!leaving.signal.aborted) throw error;
          }
        }
      })
    : [];
  await new Promise((resolve) => setTimeout(resolve, 500));
  const durations: number[] = [];
  const endAt = performance.now() + forSeconds * 1000;
  while (performance.now() < endAt) {
    const startedAt = performance.now();
    await runQuery(quiet, "quiet");
    durations.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  leaving.abort();
  await Promise.all(clients);
  durations.sort((one, other) => one - other);
  const at = (share: number) => durations[Math.floor(share * durations.length)] ?? NaN;
  const [medianMs, slowMs] = [0.5, 0.99].map(at) as [number, number];
  const shown = [medianMs, slowMs].map((ms) => ms.toFixed(1).padStart(9)).join(" ");
  print(`  ${name.padEnd(45)} ${shown} ${String(heavyCount).padStart(9)}`);
  return slowMs;
}

async function measureEqual(name: string, userOf: (client: number) => string): Promise<void> {
  const lightQueries = [
    quiet,
    { dimensions: [of("zone")], measures: [sum] },
    { dimensions: [of("day", { level: 3 })], measures: [sum] },
  ];
  let count = 0;
  const endAt = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: 32 }, async (_, client) => {
      for (let turn = client; performance.now() < endAt; turn++) {
        await runQuery(lightQueries[turn % lightQueries.length] ?? quiet, userOf(client));
        count++;
      }
    }),
  );
  print(`  ${name.padEnd(45)} ${(count / seconds).toFixed(0).padStart(9)} per second`);
}

for (const user of ["quiet", "busy", "one"]) host.admit(user);
for (let client = 0; client < 48; client++)
  for (const name of ["busy", "user"]) host.admit(`${name} ${client}`);
try {
  print(`  ${rowCount} rows, ${textCount} distinct strings`);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  if (part !== "quiet") await measureStalls();
  if (part !== "stalls") {
    print(
      "\n  a small query, milliseconds                        median       p99   heavy answers",
    );
    const aloneMs = await measureQuiet("alone", undefined);
    const wait = (name: string, slowMs: number) =>
      bars.push(
        atMost(`p99 of a small query, relative to alone: ${name}`, slowMs / aloneMs, waitBar),
      );
    const oneCaller = "with 48 heavy queries of one caller";
    wait(oneCaller, await measureQuiet(oneCaller, () => "busy"));
    const busy = (client: number) => `busy ${client}`;
    await measureQuiet("with 48 heavy callers", busy);
    const rested = "with 48 heavy callers, after pauses";
    wait(rested, await measureQuiet(rested, busy, { pauseMs: 500, forSeconds: 4 * seconds }));
    await measureEqual("32 clients of one caller", () => "one");
    await measureEqual("32 equal callers", (client) => `user ${client}`);
  }
  reportBars(bars);
} finally {
  await host.close();
}
