import { html, nothing, type TemplateResult } from "lit";
import { elementOf, field, selectField, textField } from "../../../parts/index.ts";
import { controlsFor, type Control, type ControlId } from "./controls.ts";
import type { FileKind } from "./fileKind.ts";
import type { FileSettings } from "./fileSettings.ts";
import { words } from "./words.ts";

export interface ControlsOptions {
  readonly kind: FileKind;
  /** The settings that the reader chose. */
  readonly settings: FileSettings;
  /** The settings that the host used, with the detected ones; undefined before the first answer. */
  readonly found: Readonly<Record<string, unknown>> | undefined;
  readonly sheets: readonly string[];
  /** The controls that the reason of a refusal names. */
  readonly blamed: ReadonlySet<ControlId>;
  /** Changes a setting. Undefined lets the host detect it again. */
  onChange(id: ControlId, value: unknown): void;
}

type Shown = Control & { readonly id: ControlId };

const valueWords: Readonly<Record<string, string>> = words.values;
const examples: Readonly<Partial<Record<ControlId, string>>> = words.examples;
const labelOf = (value: string): string => valueWords[value] ?? value;
/** Returns a value of a setting in the words of its control. */
export const shownValue = (value: unknown): string => labelOf(textOf(value));

/** Renders the controls of the reading settings. A setting that the reader did not choose shows the detected value. */
export function renderControls(options: ControlsOptions): TemplateResult {
  return html`${controlsFor(options.kind).map((control) => renderControl(control, options))}`;
}

/** Returns the settings in force in a few words, for a dialog that does not show its controls. */
export function summaryOf(kind: FileKind, settings: Readonly<Record<string, unknown>>): string {
  return controlsFor(kind)
    .flatMap(({ id }) => {
      const value = shownValue(settings[id]);
      return value === "" ? [] : [`${words.labels[id]}: ${value}`];
    })
    .join(" · ");
}

function renderControl(control: Shown, options: ControlsOptions): TemplateResult | typeof nothing {
  const { id, form } = control;
  switch (form.kind) {
    case "choice":
      return renderChoice(control, form, options);
    case "flag":
      return renderSelect(control, ["true", "false"], options, (value) => value === "true");
    case "sheet":
      return options.sheets.length > 1 || options.settings.sheet !== undefined
        ? renderSelect(control, options.sheets, options)
        : nothing;
    case "count":
      return renderText(control, options, {
        type: "number",
        read: (text) => (/^\d+$/.test(text.trim()) ? Number(text) : undefined),
      });
    case "text":
      return renderText(control, options, {
        read: (text) => text.trim() || undefined,
      });
    case "list":
      return renderText(control, options, {
        read: (text) =>
          text.trim() === "" ? undefined : text.split(",").map((each) => each.trim()),
      });
    case "zone":
      return html`${renderZone(id, options)}`;
  }
}

const idOf = (id: ControlId): string => `import-${id}`;
const shared = (id: ControlId, { blamed }: ControlsOptions) => ({
  id: idOf(id),
  label: words.labels[id],
  hint: words.hints[id] || undefined,
  wrong: blamed.has(id) ? words.check : undefined,
});

/** Returns a stored or detected value as text; "" for none. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function renderSelect(
  { id }: Shown,
  values: readonly string[],
  options: ControlsOptions,
  read: (value: string) => unknown = (value) => value,
): TemplateResult {
  const chosen = textOf(options.settings[id]);
  const found = textOf(options.found?.[id]);
  const detected = found === "" || chosen !== "" ? words.detect : words.detected(labelOf(found));
  const listed = chosen === "" || values.includes(chosen) ? values : [...values, chosen];
  return selectField({
    ...shared(id, options),
    value: chosen,
    choices: [
      { value: "", label: detected },
      ...listed.map((value) => ({ value, label: labelOf(value) })),
    ],
    onSelect: (value) => options.onChange(id, value === "" ? undefined : read(value)),
  });
}

/** The value of a select field that stands for a character that the reader enters. */
const other = "other";

function renderChoice(
  control: Shown,
  form: Extract<Control["form"], { readonly kind: "choice" }>,
  options: ControlsOptions,
): TemplateResult {
  const { id } = control;
  if (!form.hasOther) return renderSelect(control, form.values, options);
  const chosen = textOf(options.settings[id]);
  const isOther = chosen !== "" && !form.values.includes(chosen);
  const found = textOf(options.found?.[id]);
  const detected = found === "" || chosen !== "" ? words.detect : words.detected(labelOf(found));
  return html`${selectField({
    ...shared(id, options),
    value: isOther ? other : chosen,
    choices: [
      { value: "", label: detected },
      ...form.values.map((value) => ({ value, label: labelOf(value) })),
      { value: other, label: words.other },
    ],
    onSelect: (value) =>
      options.onChange(id, value === "" ? undefined : value === other ? ":" : value),
  })}
  ${
    isOther
      ? textField({
          id: `${idOf(id)}-other`,
          label: words.otherLabel,
          value: chosen,
          onInput: (value) => {
            if (value !== "") options.onChange(id, [...value].at(-1));
          },
        })
      : nothing
  }`;
}

function renderText(
  { id }: Shown,
  options: ControlsOptions,
  {
    type = "text",
    read,
  }: {
    readonly type?: "text" | "number";
    read(text: string): unknown;
  },
): TemplateResult {
  const found = textOf(options.found?.[id]);
  const isDetected = options.settings[id] === undefined && found !== "";
  return textField({
    ...shared(id, options),
    type,
    value: textOf(options.settings[id]),
    placeholder: isDetected ? words.detected(found) : (examples[id] ?? ""),
    autocomplete: "off",
    onInput: (text) => options.onChange(id, read(text)),
  });
}

function renderZone(id: ControlId, options: ControlsOptions): TemplateResult {
  const found = textOf(options.found?.[id]) || "UTC";
  return field(
    shared(id, options),
    ({ id: own, describedBy, invalid }) =>
      html`<input
          class="input"
          id=${own}
          list="${own}-zones"
          autocomplete="off"
          aria-invalid=${invalid}
          aria-describedby=${describedBy || nothing}
          placeholder=${words.detected(found)}
          .value=${textOf(options.settings[id])}
          @change=${(event: Event) =>
            options.onChange(
              id,
              elementOf(event.target, HTMLInputElement).value.trim() || undefined,
            )}
        />
        <datalist id="${own}-zones">
          ${Intl.supportedValuesOf("timeZone").map((zone) => html`<option value=${zone}></option>`)}
        </datalist>`,
  );
}
