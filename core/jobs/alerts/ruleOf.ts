import type { ResourceRow } from "../../base/index.ts";
import { durationMs } from "../../resources/index.ts";
import type { AlertRule } from "./step.ts";

/** The members of an alert that determine how its answers are judged. */
export type RuledAlert = Pick<
  ResourceRow<"alert">,
  "notify" | "for" | "keep_firing_for" | "no_data" | "error" | "mute_until" | "quiet_hours"
>;

/** Returns the rule of an alert from its record. */
export function ruleOf(alert: RuledAlert): AlertRule {
  const { notify, no_data, error, mute_until, quiet_hours } = alert;
  return {
    notify,
    forMs: durationMs(alert.for),
    keepFiringForMs: durationMs(alert.keep_firing_for),
    noData: no_data,
    error,
    ...(mute_until && { mutedUntilMs: mute_until.getTime() }),
    ...(quiet_hours && { quietHours: quiet_hours }),
  };
}
