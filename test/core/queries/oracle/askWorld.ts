import type { PlainHost } from "../../../support/plainHost.ts";
import { createRandom } from "../../../support/random.ts";
import { embedOf } from "../../../support/restricted.ts";
import { comparePlain } from "./comparePlain.ts";
import type { Oracle } from "./openOracle.ts";
import { oracleAnswer } from "./oracleAnswer.ts";
import type { Question } from "./question.ts";
import { randomQuestion } from "./randomQuestion.ts";
import type { World } from "./world.ts";

/** How many questions were compared, and how many of them had rows in their answer. */
export interface Tally {
  asked: number;
  compared: number;
  withRows: number;
  otherKinds: number;
}

export interface AskOptions {
  readonly oracle: Oracle;
  readonly seed: number;
  readonly world: World;
  readonly questionCount: number;
  readonly host: PlainHost;
  /** Asked too, one of them in each of so many questions. */
  readonly others: readonly (readonly [string, PlainHost])[];
  readonly otherShare: number;
  readonly tally: Tally;
}

/** Asks random questions about a loaded world, and holds every cell of the answers against the oracle's. */
export async function askWorld(options: AskOptions): Promise<void> {
  const { oracle, seed, world, questionCount, host, others, otherShare, tally } = options;
  for (let index = 0; index < questionCount; index++) {
    const random = createRandom(seed * 1000 + index);
    const question = randomQuestion(random, world);
    const about = (name: string) =>
      `ORACLE_SEED=${seed}, question ${index}, ${name}, ${world.rows.length} rows, now ${new Date(world.nowMs).toISOString()}
${JSON.stringify(question.query)}
parameters ${JSON.stringify([...question.parameters])}`;
    const expected = await oracleAnswer(oracle, question, world).catch((cause: unknown) => {
      throw new Error(`the oracle: ${String(cause)}\n${about("DuckDB")}`, { cause });
    });
    tally.asked++;
    if (expected.isDoubtful) continue;
    tally.compared++;
    if (expected.rows.length > 0) tally.withRows++;
    const other = others.length > 0 && random.chance(otherShare) ? [random.pick(others)] : [];
    tally.otherKinds += other.length;
    for (const [name, each] of [["strata", host] as const, ...other]) {
      const answer = await askAs(each, question).catch((cause: unknown) => {
        throw new Error(`${String(cause)}\n${about(name)}`, { cause });
      });
      const difference = comparePlain(answer.data, expected);
      if (difference !== undefined) throw new Error(`${difference}\n${about(name)}`);
    }
  }
}

function askAs(host: PlainHost, { query, parameters }: Question) {
  return host.askAs(embedOf({ parameters }), query);
}
