import { html, type TemplateResult } from "lit";
import { textOf } from "../../language/index.ts";
import { choicesOf, elementOf, field, selectField, textField } from "../../parts/index.ts";
import { newDraft, weekdays, type AlertDraft } from "./alertDraft.ts";
import type { ChannelRecord } from "./alertRecord.ts";
import { checkbox } from "./checkbox.ts";
import { timeField, timeOfDayFields } from "./timeFields.ts";
import { weekdayName } from "./weekdayName.ts";
import { words } from "./words.ts";

export interface AlertFormOptions {
  readonly draft: AlertDraft;
  /** Names of the measures that can be compared; empty if the form cannot show the condition. */
  readonly measures: readonly string[];
  /** Columns by which the answer is grouped. */
  readonly dimensions: readonly { readonly id: string; readonly label: string }[];
  readonly channels: readonly ChannelRecord[];
  /** The name of the alert if the reader enters none. */
  readonly usualName: string;
  /** The host's error messages by member. */
  readonly wrong: Readonly<Record<string, string>>;
  /** Whether the threshold is shown on a chart, where it can be dragged. */
  readonly hasChart: boolean;
  readonly isSaving: boolean;
  readonly action: string;
  /** The filters of the query as sentences, which say what each run looks at. */
  readonly filters: readonly string[];
  onChange(changes: Partial<AlertDraft>): void;
  onNewChannel(): void;
  onSave(): void;
}

/** Members that are rarely changed. Their section is open if any of them differs from its default or has an error. */
const rareMembers = [
  "for",
  "keep_firing_for",
  "recovery",
  "instance_by",
  "no_data",
  "error",
  "quiet_hours",
];

/** The form of an alert: condition, frequency, rule and channels. */
export function alertForm(options: AlertFormOptions): TemplateResult {
  const { draft, usualName, wrong, isSaving, action, onChange, onSave } = options;
  return html`<form
    class="surface"
    @submit=${(event: Event) => {
      event.preventDefault();
      onSave();
    }}
  >
    <h2>${words.condition}</h2>
    ${conditionFields(options)}
    ${
      options.filters.length === 0
        ? ""
        : html`<p class="muted small">${words.looksAt} ${options.filters.join("; ")}</p>`
    }
    <div class="two">
      ${textField({
        id: "alert-quantity",
        label: words.unit,
        value: draft.quantity,
        wrong: wrong["frequency"],
        onInput: (quantity) => onChange({ quantity }),
      })}
      ${selectField({
        id: "alert-unit",
        label: words.period,
        value: draft.unit,
        choices: choicesOf(words.units),
        onSelect: (unit) => onChange({ unit }),
      })}
    </div>
    ${timeOfDayFields({
      id: "alert",
      time: draft.timeOfDay,
      zone: draft.zone,
      wrongTime: wrong["time_of_day"],
      wrongZone: wrong["timezone_id"],
      onTime: (timeOfDay) => onChange({ timeOfDay }),
      onZone: (zone) => onChange({ zone }),
    })}
    ${ruleFields(options)} ${channelFields(options)}
    ${textField({
      id: "alert-name",
      label: words.name,
      value: draft.name,
      placeholder: usualName,
      wrong: wrong["name"],
      onInput: (name) => onChange({ name }),
    })}
    <button class="button primary" ?disabled=${isSaving}>${action}</button>
  </form>`;
}

function conditionFields({
  draft,
  measures,
  hasChart,
  wrong,
  onChange,
}: AlertFormOptions): TemplateResult {
  if (measures.length === 0) return html`<p class="muted">${words.otherCondition}</p>`;
  return html`${
    measures.length > 1
      ? selectField({
          id: "alert-measure",
          label: words.measure,
          value: String(draft.measure),
          choices: measures.map((label, index) => ({ value: String(index), label })),
          onSelect: (value) => onChange({ measure: Number(value) }),
        })
      : html`<p>${measures[0]}</p>`
  }
  ${selectField({
    id: "alert-operator",
    label: words.operator,
    value: draft.operator,
    choices: choicesOf(words.operators),
    onSelect: (operator) => onChange({ operator }),
  })}
  ${textField({
    id: "alert-threshold",
    label: words.threshold,
    hint: hasChart ? words.thresholdHint : undefined,
    value: String(draft.threshold),
    wrong: wrong["query"],
    onInput: (value) => {
      if (Number.isFinite(Number(value)) && value.trim() !== "")
        onChange({ threshold: Number(value) });
    },
  })}`;
}

/** Fields for when the alert fires and recovers, and for missing data. */
function ruleFields({
  draft,
  measures,
  dimensions,
  wrong,
  onChange,
}: AlertFormOptions): TemplateResult {
  const isOpen =
    rareMembers.some((member) => wrong[member] !== undefined) ||
    (
      [
        "waitsFor",
        "keepsFiringFor",
        "recovery",
        "noData",
        "error",
        "muteUntil",
        "quietFrom",
        "otherQuietHours",
      ] as const
    ).some((member) => draft[member] !== newDraft[member]) ||
    draft.instanceBy.length > 0;
  return html`${selectField({
      id: "alert-notify",
      label: words.notifyWhen,
      value: draft.notify,
      choices: choicesOf(words.notifyChoices),
      wrong: wrong["notify"],
      onSelect: (notify) => onChange({ notify }),
    })}
    <details class="rule" ?open=${isOpen}>
      <summary>${words.rule}</summary>
      <div class="stack">
        ${textField({
          id: "alert-for",
          label: words.waitsFor,
          hint: words.waitsForHint,
          placeholder: words.durationExample,
          value: draft.waitsFor,
          wrong: wrong["for"],
          onInput: (waitsFor) => onChange({ waitsFor }),
        })}
        ${textField({
          id: "alert-keep-firing-for",
          label: words.keepsFiringFor,
          hint: words.keepsFiringForHint,
          placeholder: words.durationExample,
          value: draft.keepsFiringFor,
          wrong: wrong["keep_firing_for"],
          onInput: (keepsFiringFor) => onChange({ keepsFiringFor }),
        })}
        ${
          measures.length === 0
            ? ""
            : textField({
                id: "alert-recovery",
                label: words.recovery,
                hint: words.recoveryHint,
                value: draft.recovery,
                wrong: wrong["recovery"],
                onInput: (recovery) => onChange({ recovery }),
              })
        }
        ${dimensions.length === 0 ? "" : instanceFields(draft, dimensions, wrong, onChange)}
        ${selectField({
          id: "alert-no-data",
          label: words.noData,
          value: draft.noData,
          choices: choicesOf(words.policies),
          wrong: wrong["no_data"],
          onSelect: (noData) => onChange({ noData }),
        })}
        ${selectField({
          id: "alert-error",
          label: words.error,
          value: draft.error,
          choices: choicesOf(words.policies),
          wrong: wrong["error"],
          onSelect: (error) => onChange({ error }),
        })}
        ${field(
          { id: "alert-mute", label: words.muteUntil, wrong: wrong["mute_until"] },
          ({ id, invalid }) =>
            html`<input
              class="input"
              type="datetime-local"
              id=${id}
              aria-invalid=${invalid}
              .value=${draft.muteUntil}
              @change=${(event: Event) =>
                onChange({ muteUntil: elementOf(event.target, HTMLInputElement).value })}
            />`,
        )}
        ${quietFields(draft, wrong["quiet_hours"], onChange)}
      </div>
    </details>`;
}

/** Fields for recurring quiet hours: a start, an end, and weekdays. */
function quietFields(
  { quietFrom, quietTo, quietDays, otherQuietHours, zone }: AlertDraft,
  wrong: string | undefined,
  onChange: AlertFormOptions["onChange"],
): TemplateResult {
  return html`<fieldset class="channels">
    <legend>${words.quietHours}</legend>
    ${
      otherQuietHours
        ? html`<p class="muted small">${words.otherQuietHours}</p>
            <button
              type="button"
              class="button"
              @click=${() => onChange({ otherQuietHours: undefined })}
            >
              ${words.replaceQuietHours}
            </button>`
        : html`<div class="two">
              ${timeField({
                id: "alert-quiet-from",
                label: words.quietFrom,
                value: quietFrom,
                onChange: (from) => onChange({ quietFrom: from }),
              })}
              ${timeField({
                id: "alert-quiet-to",
                label: words.quietTo,
                value: quietTo,
                onChange: (to) => onChange({ quietTo: to }),
              })}
            </div>
            <div class="row wrap" role="group" aria-label=${words.quietDays}>
              ${weekdays.map((day) =>
                checkbox(weekdayName(day), quietDays.has(day), (isChosen) => {
                  const next = new Set(quietDays);
                  if (isChosen) next.add(day);
                  else next.delete(day);
                  onChange({ quietDays: next });
                }),
              )}
            </div>`
    }
    <span class="hint">${words.quietHint(zone)}</span>
    ${wrong ? html`<span class="wrong" role="alert">${wrong}</span>` : ""}
  </fieldset>`;
}

function instanceFields(
  { instanceBy }: AlertDraft,
  dimensions: AlertFormOptions["dimensions"],
  wrong: AlertFormOptions["wrong"],
  onChange: AlertFormOptions["onChange"],
): TemplateResult {
  return html`<fieldset class="channels">
    <legend>${words.instanceBy}</legend>
    ${dimensions.map(({ id, label }) =>
      checkbox(label, instanceBy.includes(id), (isChosen) =>
        onChange({
          instanceBy: isChosen ? [...instanceBy, id] : instanceBy.filter((each) => each !== id),
        }),
      ),
    )}
    <span class="hint">${words.instanceByHint}</span>
    ${wrong["instance_by"] ? html`<span class="wrong" role="alert">${wrong["instance_by"]}</span>` : ""}
  </fieldset>`;
}

function channelFields({
  draft: { channels: chosen },
  channels,
  onChange,
  onNewChannel,
}: AlertFormOptions): TemplateResult {
  return html`<fieldset class="channels">
    <legend>${words.channels}</legend>
    ${channels.length === 0 ? html`<p class="muted small">${words.noChannels}</p>` : ""}
    ${channels.map(({ id, name, type }) =>
      checkbox(textOf(name) || type, chosen.has(id), (isChosen) => {
        const next = new Set(chosen);
        if (isChosen) next.add(id);
        else next.delete(id);
        onChange({ channels: next });
      }),
    )}
    <button type="button" class="button" @click=${onNewChannel}>${words.newChannel}</button>
  </fieldset>`;
}
