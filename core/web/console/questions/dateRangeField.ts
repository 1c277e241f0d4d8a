import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { darkTheme, lightTheme } from "../../charts/index.ts";
import { createDateRange, type DateRange } from "../../embed/index.ts";
import { messageOf } from "../api/index.ts";
import { readerLocale } from "../language/index.ts";

/**
 * Relative ranges, a number of periods and a calendar, from which the reader chooses a range of dates. Properties:
 * `name`, `timezoneId`, `value` (the range at first), `onChange`.
 */
export class DateRangeField extends LitElement {
  static override properties = { failure: { state: true } };
  declare name: string;
  declare timezoneId: string;
  declare value: DateRange | undefined;
  declare onChange: (range: DateRange | undefined) => void;
  declare private failure: string | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(_changed: PropertyValues): void {
    const container = this.querySelector<HTMLElement>(".date-range");
    if (!container) return;
    const isDark = getComputedStyle(this).colorScheme === "dark";
    const { name, timezoneId, value } = this;
    createDateRange(container, {
      name,
      timezoneId,
      value,
      localeId: readerLocale,
      theme: isDark ? darkTheme : lightTheme,
      onChange: (range) => this.onChange(range),
    }).catch((reason: unknown) => (this.failure = messageOf(reason)));
  }

  protected override render(): TemplateResult {
    return html`<div class="date-range"></div>
      ${this.failure ? html`<p class="failure" role="alert">${this.failure}</p>` : ""}`;
  }
}
