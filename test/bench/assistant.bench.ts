/**
 * Do 50 open conversations with the assistant slow down dashboard users? A query over flights in the store is sent
 * every 50 ms, without the answer cache, with and without 50 conversations. In each conversation a model of usual speed
 * streams an answer, and a person reads it and asks again. The README names the sources of this pace. Every round
 * measures first one case and then the other. The last line of the report is only for information and has no limit: it
 * shows 50 conversations with a model that responds at once and with people who do not pause to read.
 *
 * The bench compares each query's answer with the first answer before it counts any time. `--rows n` sets the number of
 * flights (300k) and `--repeats n` the number of rounds (5). The figures are wrong when another process runs, although
 * the ratio is still accurate to within a tenth. The model and the conversing clients run on the same processors as the
 * host, so their processor time counts against the host.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { createClient, type Client } from "../../core/web/client/index.ts";
import { columnsOf } from "../../examples/support/columnsOf.ts";
import { type HostProcess, startHostProcess } from "../support/hostProcess.ts";
import type { Begin, ConversationPace, Held, Said, Told } from "./assistant/conversations.ts";
import { atMost, reportBars } from "./bars.ts";
import { fillFlights } from "./fillFlights.ts";
import { processorTime } from "./processorTime.ts";
import { quantile, spreadOf } from "./spread.ts";

const { values } = parseArgs({
  options: { rows: { type: "string" }, repeats: { type: "string" } },
  strict: false,
});
const [, digits, unit] = /^(\d+)([km]?)$/.exec(String(values.rows ?? "300k")) ?? [];
if (!digits)
  throw new Error(`--rows must be a number such as 300k or 3m, not ${String(values.rows)}`);
const rowCount = Number(digits) * (unit === "m" ? 1e6 : unit === "k" ? 1e3 : 1);
const roundCount = Number(values.repeats ?? 5);
const conversationCount = 50;
const userCount = 10;
const sendEachMs = 50;
const turnMs = 10_000;
/**
 * The pace of a usual model. Each part has 7 characters, which gives 70 tokens per second at 4 characters per token.
 */
const usual: ConversationPace = { firstPartMs: 500, partMs: 25, readMs: 15_000, turnMs: 19_000 };
const saturated: ConversationPace = { firstPartMs: 0, partMs: 0, readMs: 0, turnMs: 1_000 };

const print = (line: string) => process.stdout.write(`${line}\n`);
const row = (name: string, figures: string) => print(`  ${name.padEnd(48)} ${figures}`);

interface Turn {
  /** Response times of the dashboard queries, in milliseconds. */
  readonly times: readonly number[];
  /** Processor time of the host and its database during this turn, in milliseconds. */
  readonly usedMs: number;
  readonly tookMs: number;
}

const dataDir = mkdtempSync(join(tmpdir(), "manifold-bench-"));
const others = new Worker(new URL("./assistant/conversations.ts", import.meta.url));
others.on("error", (failure) => print(String(failure)));
const ended = once(others, "exit").then((): never => {
  throw new Error("the thread with the conversations has stopped");
});
ended.catch(() => undefined);
const heard = async () =>
  Promise.race([once(others, "message").then(([said]) => said as Said), ended]);
const tell = (told: Told) => others.postMessage(told, []);
let host: HostProcess | undefined;
try {
  const said = await heard();
  if (said === "open" || !("modelUrl" in said)) throw new Error("the model did not start");
  host = await startHostProcess(dataDir, {
    MANIFOLD_WORKERS: "2",
    MANIFOLD_CACHE_MB: "0",
    MANIFOLD_EGRESS_ALLOW: "127.0.0.1",
    MANIFOLD_AI_URL: said.modelUrl,
    MANIFOLD_AI_MODEL: "stand-in",
    MANIFOLD_AI_SENDS: "samples",
    MANIFOLD_AI_TOKENS_PER_DAY: "1000000000000",
    MANIFOLD_AI_USER_TOKENS_PER_DAY: "1000000000000",
    MANIFOLD_AI_CALLS_PER_MINUTE: "1000000",
    MANIFOLD_AI_USER_CALLS_PER_MINUTE: "1000000",
  });
  const opened = host;
  const { client, url, pid } = opened;
  const { datasetId, filledCount } = await fillFlights(client, rowCount);
  const columns = await columnsOf(client, datasetId);
  const of = (name: string, more: object = {}) => ({
    dataset_id: datasetId,
    column_id: columns[name],
    ...more,
  });
  const sum = of("distance", { aggregation: { type: "sum" } });
  const dashboard = [
    { dimensions: [of("origin")], measures: [sum] },
    { dimensions: [of("hour")], measures: [of("delay", { aggregation: { type: "average" } })] },
    { dimensions: [of("date", { level: 2 })], measures: [sum] },
    {
      dimensions: [of("destination")],
      measures: [sum],
      where: [{ expression: "? in ?", parameters: [of("origin"), ["SFO"]] }],
    },
  ];
  const pairs = await addUsers(client, url, datasetId);
  row("flights, conversations, their users", `${filledCount}, ${conversationCount}, ${userCount}`);

  const answerTo = async (place: number) => {
    const query = dashboard[place % dashboard.length];
    const { data } = await client.get<{ data: unknown }>("data", { queries: [query] });
    return data;
  };
  const expected: string[] = [];
  for (const place of dashboard.keys()) expected.push(JSON.stringify(await answerTo(place)));
  if (expected.some((cells) => cells.length < 20)) throw new Error("a query returned no rows");

  /** Sends a query every 50 ms. An answer that differs from the first answer stops the bench. */
  const people = async (ms: number): Promise<Turn> => {
    const sent: Promise<number>[] = [];
    const begunAt = performance.now();
    const usedBeforeMs = processorTime(pid);
    const send = async (place: number) => {
      const startedAt = performance.now();
      const data = await answerTo(place);
      const tookMs = performance.now() - startedAt;
      if (JSON.stringify(data) !== expected[place % expected.length])
        throw new Error(`the cells differ: ${JSON.stringify(data).slice(0, 500)}`);
      return tookMs;
    };
    for (let place = 0; performance.now() - begunAt < ms; place++) {
      const sending = send(place);
      // The failure is thrown below, after all queries have been sent.
      sending.catch(() => undefined);
      sent.push(sending);
      await pause(sendEachMs);
    }
    const times = await Promise.all(sent);
    const tookMs = performance.now() - begunAt;
    return { times, usedMs: processorTime(pid) - usedBeforeMs, tookMs };
  };
  const begin: Omit<Begin, "pace"> = {
    url,
    pairs,
    datasetId,
    queries: dashboard,
    conversationCount,
  };
  const held: Held[] = [];
  /** Sends queries while conversations are open. */
  const beside = async (ms: number, pace: ConversationPace): Promise<Turn> => {
    tell({ ...begin, pace });
    if ((await heard()) !== "open") throw new Error("the conversations did not start");
    const turn = await people(ms);
    tell("end");
    const outcome = await heard();
    if (outcome === "open" || !("problems" in outcome))
      throw new Error("the conversations did not end");
    const [problem] = outcome.problems;
    if (problem !== undefined) throw new Error(`${problem}\n${opened.output().slice(-2_000)}`);
    held.push(outcome);
    return turn;
  };

  await people(3_000);
  await beside(turnMs, usual);
  held.length = 0;
  const quiet: Turn[] = [];
  const busy: Turn[] = [];
  for (let round = 0; round < roundCount; round++) {
    const measureQuiet = async () => quiet.push(await people(turnMs));
    const measureBusy = async () => busy.push(await beside(turnMs, usual));
    const turns = round % 2 === 0 ? [measureQuiet, measureBusy] : [measureBusy, measureQuiet];
    for (const measure of turns) {
      await pause(1_000);
      await measure();
    }
  }

  const totalOf = (of: (each: Held) => number) => held.reduce((total, each) => total + of(each), 0);
  const wholeCount = totalOf((each) => each.wholeCount);
  const modelCallCount = totalOf((each) => each.modelCallCount);
  row("conversations read completely, model calls", `${wholeCount}, ${modelCallCount}`);
  if (wholeCount === 0) throw new Error("no answer of the assistant was complete");
  const allOf = (turns: readonly Turn[]) => turns.flatMap(({ times }) => times);
  for (const [name, turns] of [
    ["quiet", quiet],
    [`with ${conversationCount} conversations`, busy],
  ] as const) {
    const all = allOf(turns);
    row(
      `people's queries ${name}, ms: p50, p99 of ${all.length}`,
      [0.5, 0.99].map((part) => quantile(all, part).toFixed(1)).join(", "),
    );
    row(
      "  the host's share of a core, %",
      turns.map(({ usedMs, tookMs }) => ((usedMs / tookMs) * 100).toFixed(0)).join(" "),
    );
  }
  const usedOf = (turns: readonly Turn[]) => turns.reduce((total, { usedMs }) => total + usedMs, 0);
  row(
    "processor time of one model call, ms",
    ((usedOf(busy) - usedOf(quiet)) / modelCallCount).toFixed(1),
  );
  const p99s = (turns: readonly Turn[]) => turns.map(({ times }) => quantile(times, 0.99));
  const besides = p99s(busy);
  const ratios = p99s(quiet).map((alone, round) => besides[round]! / alone);
  const { min, median, max } = spreadOf(ratios);
  row(
    "p99 with conversations, relative to quiet, by round",
    `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`,
  );
  const quietP99 = quantile(allOf(quiet), 0.99);
  const p99Ratio = quantile(allOf(busy), 0.99) / quietP99;
  held.length = 0;
  const full = await beside(turnMs, saturated);
  const fullP99 = quantile(full.times, 0.99);
  const fullCalls = totalOf((each) => each.modelCallCount);
  row(
    "saturated: model calls per second, p99 in ms",
    `${((fullCalls / full.tookMs) * 1000).toFixed(0)}, ${fullP99.toFixed(1)}`,
  );
  row("  relative to quiet, without a bar", (fullP99 / quietP99).toFixed(2));
  reportBars([
    atMost("p99 of people's queries with 50 conversations, relative to quiet", p99Ratio, 1.2),
  ]);
} finally {
  await others.terminate();
  await host?.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
}

/** Adds users who may query the dataset. Returns a key pair for each user. */
async function addUsers(
  owner: Client,
  url: string,
  datasetId: string,
): Promise<readonly { readonly key: string; readonly token: string }[]> {
  const pairs: { key: string; token: string }[] = [];
  for (let index = 0; index < userCount; index++) {
    const { id, key, token } = await owner.create<{ id: string; key: string; token: string }>(
      "user",
      { name: `user ${index}`, email: `user-${index}@example.org` },
    );
    await owner.associate(
      "securable",
      datasetId,
      { role: "Users", id },
      { flagRead: true, flagUse: true },
    );
    const login = createClient({ url, key, token });
    const pair = await login.create<{ id: string; token: string }>("authorization", {
      type: "api",
    });
    pairs.push({ key: pair.id, token: pair.token });
  }
  return pairs;
}
