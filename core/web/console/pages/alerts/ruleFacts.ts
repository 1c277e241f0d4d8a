import { html, type TemplateResult } from "lit";
import { writeNumber } from "../../language/index.ts";
import { draftOf } from "./alertDraft.ts";
import type { AlertRecord } from "./alertRecord.ts";
import { conditionOf } from "./condition.ts";
import type { QueriedColumns } from "./queriedColumns.ts";
import { words } from "./words.ts";

/** Describes in words when an alert fires and recovers. Settings at their defaults are left out. */
export function ruleFacts(
  alert: AlertRecord,
  { measures, dimensions }: QueriedColumns,
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
    [words.waitsFor, draft.waitsFor],
    [words.keepsFiringFor, draft.keepsFiringFor],
    [words.recovery, draft.recovery],
    [words.instanceBy, instances.join(", ")],
    [words.notifyWhen, notices[alert.notify] ?? alert.notify],
    [words.noData, policies[alert.no_data] ?? alert.no_data],
    [words.error, policies[alert.error] ?? alert.error],
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
