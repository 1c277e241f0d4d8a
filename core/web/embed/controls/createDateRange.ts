import { readItem, retryImport, type ChartTheme, type DateRange } from "../../charts/index.ts";
import { adoptStyles, applyTheme } from "../view/index.ts";
import { panelStyles } from "./panelStyles.ts";
import { loadControlWords } from "./words/controlWordsOf.ts";

export interface DateRangeOptions {
  /** The name for screen readers. */
  readonly name: string;
  readonly theme: ChartTheme;
  readonly localeId: string;
  readonly timezoneId: string;
  readonly value: DateRange | undefined;
  /** Called with the range that the reader chooses; undefined for all dates. */
  onChange(range: DateRange | undefined): void;
}

/**
 * Fills an element with relative ranges, a number of periods and a calendar, from which a reader chooses a range of
 * dates. Rejects if a script cannot be loaded; the next call tries again.
 */
export async function createDateRange(
  container: HTMLElement,
  { name, theme, localeId, timezoneId, value, onChange }: DateRangeOptions,
): Promise<void> {
  // Not at the top of the module, so that the first script of embedded dashboards can leave it out.
  const loadPanel = retryImport(() => import("./fillDatePanel.ts"));
  const [{ fillDatePanel }] = await Promise.all([loadPanel(), loadControlWords(localeId)]);
  const item = readItem({ id: "date-range", type: "date-filter", slots: [] });
  applyTheme(container, theme);
  adoptStyles(container, panelStyles());
  let range = value;
  const fill = (): HTMLElement | undefined => {
    container.replaceChildren();
    return fillDatePanel(container, {
      frame: {
        picture: { item, localeId, timezoneId },
        name,
        value: () => range && { range },
        change(next) {
          range = next && "range" in next ? next.range : undefined;
          onChange(range);
        },
      },
      onChange() {
        for (const button of container.querySelectorAll('.mf-range-list > [aria-pressed="true"]'))
          button.ariaPressed = "false";
      },
      close: () => fill()?.focus(),
    });
  };
  fill();
}
