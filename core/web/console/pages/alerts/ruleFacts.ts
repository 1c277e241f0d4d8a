import { html, type TemplateResult } from "lit";
import { writeNumber } from "../../language/index.ts";
import { draftOf, weekdays } from "./alertDraft.ts";
import type { AlertRecord } from "./alertRecord.ts";
import { conditionOf } from "./condition.ts";
import type { QueriedColumns } from "./queriedColumns.ts";
import { weekdayName } from "./weekdayName.ts";
import { words } from "./words.ts";

/** Describes in words when an alert fires and recovers. Settings at their defaults are left out. */
export function ruleFacts(
  alert: AlertRecord,
  { measures, dimensions, filters }: QueriedColumns,
): TemplateResult {
  const draft = draftOf(alert, "");
  const condition = conditionOf(alert.query);
  const operators: Readonly<Record<string, string>> = words.operators;
  const policies: Readonly<Record<string, string>> = words.policies;
  const notices: Readonly<Record<string, string>> = words.notifyChoices;
  const instances = draft.instanceBy.map(
    (id) => dimensions.find((each) => each.id === id)?.label ?? id,
  );
  const facts: readonly (readonly [string, string])[] = [
    [
      words.condition,
      condition
        ? words.alertOf(
            measures[condition.measure] ?? "",
            operators[condition.operator] ?? "",
            writeNumber(condition.threshold),
          )
        : words.anyRows,
    ],
    [words.rowsAsked, filters.join("; ") || words.allRows],
    [words.waitsFor, draft.waitsFor],
    [words.keepsFiringFor, draft.keepsFiringFor],
    [words.recovery, draft.recovery],
    [words.instanceBy, instances.join(", ")],
    [words.notifyWhen, notices[alert.notify] ?? alert.notify],
    [words.noData, policies[alert.no_data] ?? alert.no_data],
    [words.error, policies[alert.error] ?? alert.error],
    [words.timeOfDay, draft.timeOfDay === "" ? "" : `${draft.timeOfDay} (${draft.zone})`],
    [words.quietHours, quietText(alert)],
  ];
  return html`<dl class="rule-facts">
    ${facts.map(([name, value]) =>
      value === ""
        ? ""
        : html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
    )}
  </dl>`;
}

/** Describes recurring quiet hours; "" for an alert without them. */
function quietText({ quiet_hours: hours }: AlertRecord): string {
  const periods = (hours?.periods ?? []).map(({ from, to, weekdays: days = weekdays }) =>
    words.quietText(from, to, days.map(weekdayName).join(", ")),
  );
  return periods.length === 0 ? "" : `${periods.join("; ")} ${hours?.timezone_id ?? ""}`;
}
