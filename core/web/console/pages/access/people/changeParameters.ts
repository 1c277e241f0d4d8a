import { html, type TemplateResult } from "lit";
import { isList, isRecord, type Api } from "../../../api/index.ts";
import { elementOf, field, openForm, textField } from "../../../parts/index.ts";
import type { StandingPerson } from "./person.ts";
import { words } from "./words.ts";

/** The fields of one parameter in the dialog. */
interface Line {
  name: string;
  text: string;
  isNumber: boolean;
  /**
   * The parameter in the form in which the host returned it. It is sent back unchanged if the reader does not edit it.
   */
  readonly stored: unknown;
  isChanged: boolean;
}

const valueOf = (stored: unknown): unknown => (isRecord(stored) ? stored["value"] : stored);

/**
 * Returns the values of a parameter as strings; undefined for a sensitive parameter, which the host does not return.
 */
export function linesOf(stored: unknown): readonly string[] | undefined {
  const value = valueOf(stored);
  if (isRecord(stored) && stored["sensitive"] === true) return undefined;
  return isList(value)
    ? value.map(String)
    : value === null || value === undefined
      ? []
      : [String(value)];
}

function lineOf([name, stored]: readonly [string, unknown]): Line {
  const value = valueOf(stored);
  const values = isList(value) ? value : [value];
  return {
    name,
    text: (linesOf(stored) ?? []).join("\n"),
    isNumber: values.length > 0 && values.every((each) => typeof each === "number"),
    stored,
    isChanged: false,
  };
}

/** Returns the value of a line for the API. An unchanged sensitive parameter is null, so the host keeps its value. */
function storedOf(line: Line): unknown {
  if (!line.isChanged) return linesOf(line.stored) === undefined ? null : line.stored;
  const texts = line.text.split("\n").filter((each) => each.trim() !== "");
  const values = line.isNumber ? texts.map(readNumber) : texts;
  const value = values.length === 1 ? values[0] : values;
  const { stored } = line;
  return isRecord(stored) && stored["sticky"] === true ? { value, sticky: true } : value;
}

function readNumber(text: string): number {
  const value = Number(text.trim());
  if (Number.isFinite(value)) return value;
  throw new TypeError(words.noNumber(text.trim()));
}

/** Opens the form for the parameters of a person and stores the new values. Returns whether they were stored. */
export async function changeParameters(api: Api, person: StandingPerson): Promise<boolean> {
  const lines = Object.entries(person.parameter_overrides ?? {}).map(lineOf);
  if (lines.length === 0) lines.push(emptyLine());
  const isSaved = await openForm<true>({
    title: words.changeParameters,
    action: words.save,
    body: ({ wrong, redraw }) =>
      html`<p class="muted">${words.parametersText}</p>
        ${wrong === "" ? "" : html`<p class="failure" role="alert">${wrong}</p>`}
        ${lines.map((line, at) =>
          renderLine(line, at, () => {
            lines.splice(at, 1);
            redraw();
          }),
        )}
        <div class="row">
          <button
            type="button"
            class="button"
            @click=${() => {
              lines.push(emptyLine());
              redraw();
            }}
          >
            ${words.addParameter}
          </button>
        </div>`,
    async save() {
      const named = lines.filter(({ name }) => name.trim() !== "");
      const entries = named.map((line) => [line.name.trim(), storedOf(line)] as const);
      const twice = entries.find(
        ([name], at) => entries.findIndex(([each]) => each === name) !== at,
      );
      if (twice) throw new TypeError(words.twice(twice[0]));
      await api.update("user", person.id, { parameter_overrides: Object.fromEntries(entries) });
      return true;
    },
  });
  return isSaved === true;
}

const emptyLine = (): Line => ({
  name: "",
  text: "",
  isNumber: false,
  stored: undefined,
  isChanged: true,
});

function renderLine(line: Line, at: number, remove: () => void): TemplateResult {
  const isHidden = line.stored !== undefined && linesOf(line.stored) === undefined;
  return html`<div class="parameter">
    ${textField({
      id: `parameter-name-${at}`,
      label: words.parameter,
      value: line.name,
      onInput: (value) => (line.name = value),
    })}
    ${
      isHidden
        ? html`<p class="muted">${words.keptSensitive}</p>`
        : html`${field(
              { id: `parameter-values-${at}`, label: words.values },
              ({ id }) =>
                html`<textarea
                  class="input"
                  id=${id}
                  rows="2"
                  .value=${line.text}
                  @input=${(event: Event) => {
                    line.text = elementOf(event.target, HTMLTextAreaElement).value;
                    line.isChanged = true;
                  }}
                ></textarea>`,
            )}
            <label class="check"
              ><input
                type="checkbox"
                .checked=${line.isNumber}
                @change=${(event: Event) => {
                  line.isNumber = elementOf(event.target, HTMLInputElement).checked;
                  line.isChanged = true;
                }}
              />${words.numbers}</label
            >`
    }
    <button
      type="button"
      class="button quiet"
      aria-label=${words.removeParameter(line.name || String(at + 1))}
      @click=${remove}
    >
      ${words.remove}
    </button>
  </div>`;
}
