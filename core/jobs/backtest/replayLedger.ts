import { isList, isObject, type Records, type ResourceRow } from "../../base/index.ts";
import { readObservation } from "../alerts/observe.ts";
import type { Observation } from "../alerts/step.ts";

/** A slot in the ledger, with its observation. The observation is undefined if nothing was observed. */
export interface LedgerSlot {
  readonly slotMs: number;
  readonly outcome: string;
  readonly rows: number | null;
  readonly reason: string | null;
  readonly observation: Observation | undefined;
}

export const thresholdOperators = [">", ">=", "<", "<=", "=", "!="] as const;

/** A test on the numbers that the ledger stores for each row. */
export interface Threshold {
  /** Index of the measure among the measures of the query. */
  readonly measure: number;
  readonly operator: (typeof thresholdOperators)[number];
  readonly value: number;
}

const tests: Readonly<Record<Threshold["operator"], (value: number, wanted: number) => boolean>> = {
  ">": (value, wanted) => value > wanted,
  ">=": (value, wanted) => value >= wanted,
  "<": (value, wanted) => value < wanted,
  "<=": (value, wanted) => value <= wanted,
  "=": (value, wanted) => value === wanted,
  "!=": (value, wanted) => value !== wanted,
};

/** Maximum number of ledger slots that one replay reads. */
const mostSlots = 10_000;

/**
 * Reads the slots of an alert from the ledger, oldest first, with the observations that the alert's user was shown.
 * Queries no source. With thresholds, an instance matches if one of its rows passes all thresholds. A slot with more
 * rows than the ledger stores has no observation.
 */
export async function replayLedger(
  alert: Pick<ResourceRow<"alert">, "id" | "user_id">,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  thresholds: readonly Threshold[],
  { records }: { readonly records: Records },
): Promise<readonly LedgerSlot[]> {
  const events = await records.transaction(async (transaction) => {
    const ids: { id: string }[] = await transaction("alertevent")
      .where({ alert_id: alert.id, user_id: alert.user_id })
      .where("slot_at", ">=", new Date(fromMs))
      .where("slot_at", "<=", new Date(toMs))
      .orderBy("slot_at")
      .limit(mostSlots)
      .select("id");
    return records.find("alertevent", { id: ids.map(({ id }) => id) }, transaction);
  });
  return events
    .toSorted((one, other) => Number(one.slot_at) - Number(other.slot_at))
    .map(({ slot_at, outcome, rows, reason, observation }) => ({
      slotMs: slot_at.getTime(),
      outcome,
      rows,
      reason,
      observation: narrowed(observation, thresholds),
    }));
}

function narrowed(stored: unknown, thresholds: readonly Threshold[]): Observation | undefined {
  const observation = readObservation(stored);
  if (thresholds.length === 0 || observation?.kind !== "answer") return observation;
  const values = isObject<"values">(stored) ? stored.values : undefined;
  if (!Array.isArray(values)) return undefined;
  const passing = values.flatMap((entry: unknown): string[] => {
    const [key, ...measures] = isList(entry) ? entry : [];
    const passes = thresholds.every(({ measure, operator, value }) => {
      const found = measures[measure];
      return typeof found === "number" && tests[operator](found, value);
    });
    return passes ? [String(key)] : [];
  });
  return { ...observation, matching: new Set(passing) };
}
