/**
 * `npm run eval [-- --only pattern] [-- --language nl] [-- --flights n] [-- --prices in,out] [-- --record name]` sends
 * the questions to a model (MANIFOLD_AI_URL, MANIFOLD_AI_KEY, MANIFOLD_AI_MODEL, MANIFOLD_AI_SENDS) and reports the
 * results. `--prices` are prices per million tokens. `--record` stores the replies in `recordings`. `--write-answers`
 * calls no model. It has DuckDB compute the gold answers and stores them.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { evaluate, reportOf, type Judged } from "./evaluate.ts";
import { makeFlights } from "./models/flights.ts";
import { makeSales } from "./models/sales.ts";
import { openEvaluated } from "./openEvaluated.ts";
import { openGold } from "./openGold.ts";
import { openRelay, type RecordedReply } from "./openRelay.ts";
import { allQuestions, modelOf } from "./questions/allQuestions.ts";
import type { Question } from "./questions/question.ts";
import { withNames, type Recording } from "./recording.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    language: { type: "string" },
    flights: { type: "string" },
    prices: { type: "string" },
    record: { type: "string" },
    "write-answers": { type: "boolean", default: false },
  },
});

const say = (text: string) => process.stdout.write(`${text}\n`);
const flightCount = values.flights === undefined ? undefined : Number(values.flights);
if (flightCount !== undefined && !Number.isSafeInteger(flightCount))
  throw new Error(`--flights must be a whole number, not ${values.flights}`);
const models = [await makeFlights(flightCount), makeSales()];
const gold = await openGold(models);
try {
  if (values["write-answers"]) await writeAnswers();
  else await evaluateModel();
} finally {
  gold.close();
}

async function writeAnswers(): Promise<void> {
  const lines: string[] = [];
  for (const question of allQuestions)
    if (question.expect === "answer")
      lines.push(`  "${question.id}": ${JSON.stringify(await gold.query(question.sql))}`);
  const file = new URL("answers.json", import.meta.url);
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
  say(`${lines.length} answers are in ${file.pathname}`);
}

async function evaluateModel(): Promise<void> {
  const { MANIFOLD_AI_URL: url, MANIFOLD_AI_MODEL: name } = process.env;
  if (url === undefined || name === undefined)
    throw new Error("set MANIFOLD_AI_URL and MANIFOLD_AI_MODEL to the model to evaluate");
  const pattern = new RegExp(values.only);
  const questions = withEarlier(
    allQuestions.filter(
      ({ id, language }) =>
        pattern.test(id) && (values.language === undefined || language === values.language),
    ),
  );
  const relay = await openRelay(url);
  const evaluated = await openEvaluated(models, {
    aiUrl: relay.url,
    aiUserCallsPerMinute: 1_000_000,
    aiCallsPerMinute: 1_000_000,
    aiTokensPerDay: 1_000_000_000,
    aiUserTokensPerDay: 1_000_000_000,
  });
  const judged: Judged[] = [];
  const replies: Record<string, readonly RecordedReply[]> = {};
  const sqlOf = new Map(
    questions.flatMap((each) => (each.expect === "answer" ? [[each.id, each.sql]] : [])),
  );
  try {
    const goldOf = (id: string) => gold.query(sqlOf.get(id) ?? "");
    for await (const each of evaluate({ evaluated, relay, questions, modelOf, goldOf })) {
      judged.push(each);
      replies[each.id] = withNames(each.passed.replies, evaluated.ids);
      const tries = each.isFirstTry ? "" : `, ${each.passed.queryCalls} attempts`;
      const verdict = each.isRight ? "right" : "WRONG";
      say(`${verdict}  ${each.id}: ${each.outcome}${tries}  ${each.message.slice(0, 80)}`);
    }
  } finally {
    await evaluated.close();
    await relay.close();
  }
  const report = reportOf(judged);
  say(JSON.stringify({ model: name, ...report, cost: costOf(report) }, undefined, 2));
  if (values.record === undefined) return;
  const recording: Recording = { source: `a run with ${name}`, replies };
  const file = new URL(`recordings/${values.record}.json`, import.meta.url);
  writeFileSync(file, `${JSON.stringify(recording, undefined, 2)}\n`);
  say(`The replies are in ${file.pathname}`);
}

/** Adds the earlier questions of the same conversations. */
function withEarlier(chosen: readonly Question[]): readonly Question[] {
  const wanted = new Set<string>();
  const add = (id: string | undefined): void => {
    if (id === undefined || wanted.has(id)) return;
    wanted.add(id);
    add(allQuestions.find((each) => each.id === id)?.after);
  };
  for (const { id } of chosen) add(id);
  return allQuestions.filter(({ id }) => wanted.has(id));
}

/** Returns the cost in the currency of `--prices`, or null without prices. */
function costOf(tokens: {
  readonly promptTokens: number;
  readonly completionTokens: number;
}): number | null {
  if (values.prices === undefined) return null;
  const [input = Number.NaN, output = Number.NaN] = values.prices.split(",").map(Number);
  return (tokens.promptTokens * input + tokens.completionTokens * output) / 1e6;
}
