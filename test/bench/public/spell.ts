import { planOf } from "./planOf.ts";
import type { PublicPart, PublicQuestion } from "./publicPart.ts";
import { sqlOf } from "./sqlOf.ts";
import type { SpelledQuestion } from "./systems/publicSystem.ts";

/** Writes a question in the languages of all systems except the API. */
export function spell(question: PublicQuestion, part: PublicPart): SpelledQuestion {
  const plan = planOf(question, part);
  return {
    ...(plan && { plan }),
    duckdb: sqlOf(question, part, "duckdb"),
    clickhouse: sqlOf(question, part, "clickhouse"),
  };
}
