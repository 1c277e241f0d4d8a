import { code, kept, linked, searched, type MemberUses } from "./memberUse.ts";

const rule = (excerpt: string) => code("jobs/alerts/ruleOf.ts", excerpt);
const asked = (excerpt: string) => code("jobs/alerts/askAlert.ts", excerpt);
const ledger = (excerpt: string) => code("jobs/alerts/ledger.ts", excerpt);
const due = (excerpt: string) => code("resources/automation/dueAfter.ts", excerpt);
const delivered = (excerpt: string) => code("jobs/deliveries/deliver.ts", excerpt);

/** Records of work by the clock. */
export const automation: Readonly<Record<string, MemberUses>> = {
  alert: {
    name: searched,
    query: asked("ask(alert.query)"),
    chart_id: kept("the chart that an alert was made from, which clients show"),
    frequency: code("resources/automation/makeSchedule.ts", "frequency: { unit, quantity }, zone"),
    timezone_id: code("resources/automation/alert.ts", "row.timezone_id ??"),
    securable_id: linked,
    schedule_id: code("resources/automation/alert.ts", "{ schedule_id: schedule.id }"),
    user_id: code("resources/automation/alert.ts", "user_id: userId"),
    channels: code("resources/automation/alert.ts", "values.channels"),
    notify: rule("notify, no_data, error, mute_until"),
    for: rule("durationMs(alert.for)"),
    keep_firing_for: rule("durationMs(alert.keep_firing_for)"),
    instance_by: code("jobs/alerts/observe.ts", "const by = instance_by ?? []"),
    no_data: rule("noData: no_data"),
    error: rule("notify, no_data, error, mute_until"),
    recovery: asked("ask(alert.recovery)"),
    mute_until: rule("mutedUntilMs: mute_until.getTime()"),
    status: ledger("status: statusOf(moved.state)"),
    stopped_reason: ledger("stopped_reason = case"),
    evaluated_at: ledger("evaluated_at = :at"),
    instances: ledger("instances: [...moved.state]"),
    is_of_token: code("resources/automation/alert.ts", "is_of_token: restriction !== undefined"),
    sticky_parameters: code(
      "resources/automation/alert.ts",
      "sticky_parameters: Object.fromEntries",
    ),
  },
  alertevent: {
    alert_id: ledger("alert_id: alert.id"),
    slot_at: ledger("slot_at: new Date(evaluation.slotMs)"),
    started_at: ledger("started_at: new Date(evaluation.startedMs)"),
    completed_at: ledger("completed_at: completedAt"),
    outcome: ledger("outcome: evaluation.outcome"),
    reason: ledger("reason: evaluation.reason ?? null"),
    rows: ledger("rows: evaluation.rows ?? null"),
    status_before: ledger("status_before: before"),
    status_after: ledger("status_after: statusOf(evaluation.step.state)"),
    transitions: ledger("transitions: evaluation.step.transitions"),
    notices: ledger("notices: evaluation.step.notices"),
    user_id: ledger("user_id: alert.user_id"),
    observation: ledger("observation:"),
  },
  delivery: {
    alertevent_id: code("jobs/deliveries/addDeliveries.ts", "alertevent_id: alertEventId"),
    channel_id: code("jobs/deliveries/addDeliveries.ts", "channel_id: id"),
    user_id: code("jobs/deliveries/tellOwner.ts", "user_id: owner.id"),
    kind: code("jobs/deliveries/addDeliveries.ts", "kind: message.kind"),
    recipient: code("jobs/deliveries/sendTo.ts", "const { recipient } = message"),
    next_attempt_at: delivered("next_attempt_at: nextAt"),
    outcome: delivered("outcome:"),
    attempts: delivered("attempts,"),
    problem: delivered("problem,"),
    message: code("jobs/deliveries/addDeliveries.ts", "message: { ...message }"),
    completed_at: delivered("completed_at: new Date(now())"),
  },
  schedule: {
    frequency_quantity: due("schedule.frequency_quantity"),
    frequency_unit: due("frequency_unit: unit"),
    frequency: due("schedule.frequency :"),
    timezone: due('timezone ?? "UTC"'),
    active: due("schedule.active === false"),
    task: code("resources/automation/alert.ts", "made?.task === alertTask"),
    retries: kept("clients show it; a job that fails is tried again by the queue's own rule"),
    started_at: due("schedule.started_at ??"),
    completed_at: ledger("completed_at: completedAt"),
    scheduled_at: code("resources/automation/schedule.ts", "scheduled_at: dueAfter"),
    securable_id: linked,
    user_id: code("resources/automation/schedule.ts", "user_id: principal.userId"),
  },
};
