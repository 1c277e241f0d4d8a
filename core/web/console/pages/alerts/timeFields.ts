import { html, type TemplateResult } from "lit";
import { readerZone } from "../../language/index.ts";
import { elementOf, field, textField, type FieldOptions } from "../../parts/index.ts";
import { words } from "./words.ts";

interface TimeFieldOptions extends FieldOptions {
  /** A local time such as `07:30`, or "". */
  readonly value: string;
  onChange(value: string): void;
}

/** A field for a time of day, which may stay empty. */
export function timeField(options: TimeFieldOptions): TemplateResult {
  const { value, onChange } = options;
  return field(
    options,
    ({ id, invalid, describedBy }) =>
      html`<input
        class="input"
        type="time"
        id=${id}
        aria-invalid=${invalid}
        aria-describedby=${describedBy}
        .value=${value}
        @change=${(event: Event) => onChange(elementOf(event.target, HTMLInputElement).value)}
      />`,
  );
}

/** Fields for the time of day at which something recurs, and for its time zone. */
export function timeOfDayFields(options: {
  readonly id: string;
  readonly time: string;
  readonly zone: string;
  readonly wrongTime: string | undefined;
  readonly wrongZone: string | undefined;
  onTime(time: string): void;
  onZone(zone: string): void;
}): TemplateResult {
  const { id, time, zone, wrongTime, wrongZone, onTime, onZone } = options;
  return html`<div class="two">
    ${timeField({ id: `${id}-time`, label: words.timeOfDay, value: time, wrong: wrongTime, onChange: onTime })}
    ${textField({
      id: `${id}-zone`,
      label: words.zone,
      value: zone,
      placeholder: readerZone,
      wrong: wrongZone,
      onInput: onZone,
    })}
  </div>`;
}
