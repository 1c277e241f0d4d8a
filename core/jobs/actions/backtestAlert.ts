import { millisecondsOf } from "../../../plugins/protocol/index.ts";
import { type ApiCall, ApiError, isObject } from "../../base/index.ts";
import { statusOf } from "../alerts/ledger.ts";
import { ruleOf } from "../alerts/ruleOf.ts";
import { type AlertState, type Observation, step } from "../alerts/step.ts";
import { planBacktest } from "../backtest/planBacktest.ts";
import { replayLedger, type Threshold, thresholdOperators } from "../backtest/replayLedger.ts";
import { runBacktest } from "../backtest/runBacktest.ts";
import type { ActionOptions } from "./actionOptions.ts";
import { type Draft, readDraft } from "./readDraft.ts";
import { option, readOptions } from "./readOptions.ts";

const known = {
  from: option.instant,
  to: option.instant,
  run: option.flag,
  source: option.oneOf("query", "ledger"),
  way: option.oneOf("grouped", "slots"),
  list: option.oneOf("changes", "all"),
  thresholds: {
    expects: "a list of {measure, operator, value}",
    isAllowed: (value: unknown) => Array.isArray(value) && value.every(isThreshold),
  },
};

/** Maximum number of rows shown per slot. */
const shownRows = 20;
/** Maximum number of slots in an answer. */
const listedSlots = 2_000;
const note =
  "a backtest queries today's rows, including rows that arrived or were corrected after the slot";

/**
 * Lists the past slots at which an alert would have notified people, with their rows. Changes nothing. Without
 * `options.run`, returns only how many slots and queries the backtest needs. If `options.source` is `query`, the
 * backtest queries each slot. If `options.source` is `ledger`, the backtest steps through recorded observations with
 * another rule or other thresholds, without any query.
 * @throws {ApiError} as `readDraft` and `planBacktest`
 */
export async function backtestAlert(call: ApiCall, options: ActionOptions): Promise<object> {
  const given = readOptions(call.body.options, known);
  const draft = await readDraft(call, options);
  if (typeof given.from !== "string")
    throw new ApiError("MEMBER_MISSING", ["options.from", option.instant.expects]);
  const toMs = Math.min(
    options.now(),
    typeof given.to === "string" ? Number(millisecondsOf(given.to)) : Infinity,
  );
  const window = { fromMs: Number(millisecondsOf(given.from)), toMs };
  if (window.fromMs > toMs)
    throw new ApiError("MEMBER_INVALID", ["options.from", "must be before options.to and now"]);
  const listing = createListing(draft, given.list === "all");
  if (given.source === "ledger") return replay(draft, window, given, listing, options);
  if (given.thresholds)
    throw new ApiError("MEMBER_INVALID", [
      "options.thresholds",
      'must be used with options.source "ledger"; for a query, send properties.query',
    ]);
  const { alert, principal, recurrence, evaluatedAs } = draft;
  if (!principal)
    throw new ApiError("CONFLICT", ["the alert's user no longer has a token; create one first"]);
  const way = given.way === "slots" || given.way === "grouped" ? given.way : undefined;
  const plan = await planBacktest(
    { alert, principal, recurrence, ...window, way },
    options.records,
  );
  const cost = {
    evaluated_as: evaluatedAs,
    source: "query",
    way: plan.way,
    slot_count: plan.slots.length,
    query_count: plan.queryCount,
    note,
  };
  if (given.run !== true) return { ...cost, ran: false };
  const { signal } = call;
  for await (const [slotMs, result] of runBacktest(alert, plan, {
    ...options,
    principal,
    signal,
  })) {
    const answer = result.outcome === "answered" ? result.answer : undefined;
    listing.add(slotMs, result.observation, {
      outcome: result.outcome,
      reason: result.reason ?? null,
      rows: answer ? answer.data.length : null,
      data: answer?.data.slice(0, shownRows) ?? [],
    });
  }
  return { ...cost, ran: true, ...listing.present() };
}

async function replay(
  { stored, alert, given }: Draft,
  window: { readonly fromMs: number; readonly toMs: number },
  { thresholds, run }: Readonly<Partial<Record<keyof typeof known, unknown>>>,
  listing: Listing,
  options: ActionOptions,
): Promise<object> {
  if (!stored) throw new ApiError("MEMBER_MISSING", ["id", "the id of an alert with a ledger"]);
  const unwanted = ["query", "recovery", "instance_by"].find((member) => given.includes(member));
  if (unwanted !== undefined)
    throw new ApiError("MEMBER_INVALID", [
      `properties.${unwanted}`,
      "must be left out: a replay runs no query",
    ]);
  const wanted = Array.isArray(thresholds) ? thresholds.filter(isThreshold) : [];
  const slots = await replayLedger(alert, window, wanted, options);
  const cost = { source: "ledger", slot_count: slots.length, query_count: 0 };
  if (run !== true) return { ...cost, ran: false };
  let unknownCount = 0;
  for (const { slotMs, observation, outcome, rows, reason } of slots) {
    if (!observation) unknownCount++;
    else listing.add(slotMs, observation, { outcome, rows, reason });
  }
  return { ...cost, unknown_count: unknownCount, ran: true, ...listing.present() };
}

function isThreshold(value: unknown): value is Threshold {
  if (!isObject(value)) return false;
  const { measure, operator, value: wanted } = value;
  return (
    Number.isInteger(measure) &&
    Number(measure) >= 0 &&
    thresholdOperators.some((each) => each === operator) &&
    typeof wanted === "number"
  );
}

interface Listing {
  add(slotMs: number, observation: Observation, found: object): void;
  present(): object;
}

/**
 * Creates a listing that steps through slots, starting without any state. It contains the slots that change something,
 * or all slots if `isAll` is set.
 */
function createListing({ alert }: Draft, isAll: boolean): Listing {
  const rule = ruleOf(alert);
  let state: AlertState = new Map();
  let notifiedCount = 0;
  let listedCount = 0;
  const slots: object[] = [];
  return {
    add(slotMs, observation, found) {
      const before = statusOf(state);
      const { state: after, transitions, notices } = step(state, observation, rule, slotMs);
      state = after;
      if (notices.length > 0) notifiedCount++;
      const isListed = isAll || notices.length > 0 || transitions.length > 0;
      if (!isListed) return;
      listedCount++;
      if (slots.length === listedSlots) return;
      slots.push({
        slot_at: new Date(slotMs),
        ...found,
        status_before: before,
        status_after: statusOf(after),
        transitions,
        notices,
      });
    },
    present: () => ({ notified_count: notifiedCount, listed_count: listedCount, slots }),
  };
}
