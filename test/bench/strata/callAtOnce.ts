import { createRandom, type Random } from "../../support/random.ts";
import { mixed } from "./queries.ts";
import type { BenchQuery } from "./benchQuery.ts";
import type { System } from "./systems/system.ts";

export interface CallRequest {
  readonly callers: number;
  readonly seed: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface CallFigures {
  readonly answersPerSecond: number;
  readonly medianMs: number;
  /** The p99 of the response times in milliseconds. */
  readonly p99Ms: number;
  readonly answerCount: number;
}

/** Returns a random dashboard query: a tile, or a time series of three countries over a few months. */
export function drawMixed(random: Random): BenchQuery {
  if (random.chance(0.5)) return mixed.q2();
  const countries = new Set<string>();
  while (countries.size < 3) countries.add(`country_${String(random.below(50)).padStart(2, "0")}`);
  const month = random.below(18);
  const day = (at: number) => new Date(Date.UTC(2022, at, 1)).toISOString().slice(0, 10);
  return mixed.q5({
    countries: [...countries],
    from: day(month),
    to: day(month + 1 + random.below(12)),
  });
}

/**
 * Runs callers that send queries without pausing: each caller sends its next query as soon as it has an answer. Counts
 * only the answers after the warm-up.
 */
export async function callAtOnce(
  system: System,
  { callers, seed, warmUpMs, measureMs }: CallRequest,
): Promise<CallFigures> {
  const waits: number[] = [];
  const startsAt = performance.now() + warmUpMs;
  const endsAt = startsAt + measureMs;
  const call = async (caller: number) => {
    const random = createRandom(seed + caller);
    while (performance.now() < endsAt) {
      const query = drawMixed(random);
      const sentAt = performance.now();
      await system.query(query, caller);
      const answeredAt = performance.now();
      if (sentAt >= startsAt && answeredAt <= endsAt) waits.push(answeredAt - sentAt);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
  return {
    answersPerSecond: (waits.length / measureMs) * 1000,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    answerCount: waits.length,
  };
}
