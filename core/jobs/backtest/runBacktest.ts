import { PluginError } from "../../../plugins/protocol/index.ts";
import { ApiError, type Principal, type Records } from "../../base/index.ts";
import type { Queries, QueryAnswer } from "../../queries/index.ts";
import {
  type SlotResult,
  evaluateAlert,
  type EvaluatedAlert,
  resultOf,
} from "../alerts/evaluateAlert.ts";
import { evaluateGrouped } from "./evaluateGrouped.ts";
import type { BacktestPlan } from "./planBacktest.ts";

export interface RunBacktestOptions {
  readonly queries: Pick<Queries, "evaluate">;
  readonly records: Records;
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/** The result of a past slot, with the slot in milliseconds since 1970. */
export type BacktestSlot = readonly [slotMs: number, result: SlotResult];

/**
 * Yields the results of a plan's slots, oldest first. Runs one query at a time, after people's queries. The queries
 * return the current rows, including rows that arrived or were corrected after the slot.
 * @throws {ApiError} as `evaluateGrouped`. A failed query of a single slot is returned as the slot's result
 */
export async function* runBacktest(
  alert: EvaluatedAlert,
  { slots, way, windowed }: BacktestPlan,
  options: RunBacktestOptions,
): AsyncGenerator<BacktestSlot> {
  const { principal, signal } = options;
  if (way === "slots") {
    for (const slotMs of slots)
      yield [slotMs, await evaluateAlert(alert, principal, { slotMs, signal }, options)];
    return;
  }
  const answers: ReadonlyMap<number, QueryAnswer>[] = [];
  try {
    for (const [index, each] of windowed.entries())
      answers.push(
        await evaluateGrouped(index === 0 ? alert.query : alert.recovery, each, slots, options),
      );
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof ApiError && failure.code === "CONFLICT") throw failure;
    if (!(failure instanceof ApiError) && !(failure instanceof PluginError)) throw failure;
    const result: SlotResult = {
      outcome: "failed",
      reason: failure.message,
      observation: { kind: "error" },
    };
    for (const slotMs of slots) yield [slotMs, result];
    return;
  }
  const [own, recovery] = answers;
  for (const slotMs of slots) {
    const answer = own?.get(slotMs);
    if (answer) yield [slotMs, resultOf(alert, answer, { recovery: recovery?.get(slotMs) })];
  }
}
