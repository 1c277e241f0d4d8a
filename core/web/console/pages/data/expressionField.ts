import { html, LitElement, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { elementOf } from "../../parts/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { completionsAt, type Completion } from "./expressionText.ts";
import { words } from "./words.ts";

/**
 * An input for expressions that completes columns and functions. Arrow keys select, Enter or Tab inserts, and Escape
 * closes the list. Properties: `value`, `columns`, `signatures`, `wrong`, `onInput`.
 */
export class ExpressionField extends LitElement {
  static override properties = {
    value: { attribute: false },
    columns: { attribute: false },
    signatures: { attribute: false },
    wrong: { attribute: false },
    found: { state: true },
    current: { state: true },
  };
  declare value: string;
  declare columns: readonly ColumnRow[];
  declare signatures: readonly string[];
  declare wrong: string;
  declare onInput: (value: string) => void;
  declare private found: readonly Completion[];
  declare private current: number;
  private from = 0;

  constructor() {
    super();
    this.value = "";
    this.columns = [];
    this.signatures = [];
    this.wrong = "";
    this.found = [];
    this.current = 0;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private get input(): HTMLInputElement {
    return elementOf(this.querySelector("input"), HTMLInputElement);
  }

  private complete(): void {
    const { selectionStart } = this.input;
    const { value } = this.input;
    const { from, found } = completionsAt(
      value,
      selectionStart ?? value.length,
      this.columns,
      this.signatures,
    );
    [this.from, this.found, this.current] = [from, found, 0];
  }

  private take({ text, back }: Completion): void {
    const { input } = this;
    const cursor = input.selectionStart ?? input.value.length;
    // Within braces, the rest of the reference is replaced together with the word.
    const after = input.value
      .slice(cursor)
      .replace(/^[^{}]*\}/, (rest) => (input.value[this.from] === "{" ? "" : rest));
    const value = `${input.value.slice(0, this.from)}${text}${after}`;
    const at = this.from + text.length - back;
    this.found = [];
    this.value = value;
    this.onInput(value);
    void this.updateComplete.then(() => {
      input.focus();
      input.setSelectionRange(at, at);
    });
  }

  private press(event: KeyboardEvent): void {
    const { found } = this;
    if (found.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[this.current];
    if (step !== undefined) this.current = (this.current + step + found.length) % found.length;
    else if ((event.key === "Enter" || event.key === "Tab") && chosen) this.take(chosen);
    else if (event.key === "Escape") this.found = [];
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  protected override render(): TemplateResult {
    const { found, wrong } = this;
    return html`<div class="field expression">
      <label for="expression">${words.expression}</label>
      <input
        class="input"
        id="expression"
        role="combobox"
        autocomplete="off"
        spellcheck="false"
        aria-autocomplete="list"
        aria-expanded=${found.length > 0 ? "true" : "false"}
        aria-controls="expression-choices"
        aria-activedescendant=${found.length > 0 ? `expression-choice-${this.current}` : nothing}
        aria-invalid=${wrong ? "true" : "false"}
        aria-describedby=${wrong ? "expression-hint expression-wrong" : "expression-hint"}
        .value=${live(this.value)}
        @input=${() => {
          this.value = this.input.value;
          this.onInput(this.value);
          this.complete();
        }}
        @keydown=${(event: KeyboardEvent) => this.press(event)}
        @blur=${() => (this.found = [])}
      />
      <ul
        class="completions surface"
        id="expression-choices"
        role="listbox"
        aria-label=${words.insert}
        ?hidden=${found.length === 0}
      >
        ${found.map(
          (choice, at) =>
            html`<li
              id="expression-choice-${at}"
              role="option"
              aria-selected=${at === this.current ? "true" : "false"}
              @mousedown=${(event: Event) => {
                event.preventDefault();
                this.take(choice);
              }}
            >
              ${choice.label}
            </li>`,
        )}
      </ul>
      <span class="hint" id="expression-hint">${words.expressionHint}</span>
      ${wrong ? html`<span class="wrong" id="expression-wrong" role="alert">${wrong}</span>` : nothing}
    </div>`;
  }
}
