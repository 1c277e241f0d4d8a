import { html, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { elementOf } from "./elementOf.ts";

export interface TabsOptions<Id extends string> {
  /** Name of the tab list for screen readers. */
  readonly label: string;
  readonly selected: Id;
  readonly items: readonly { readonly id: Id; readonly label: string }[];
  onSelect(id: Id): void;
}

/**
 * Tabs for several views. One view is shown at a time. Arrow keys move between tabs. The view has the id
 * `panel-<id>`.
 */
export function tabs<Id extends string>({
  label,
  selected,
  items,
  onSelect,
}: TabsOptions<Id>): TemplateResult {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = items.findIndex(({ id }) => id === selected);
    const next = items[(at + step + items.length) % items.length];
    if (!next) return;
    onSelect(next.id);
    const list = elementOf(event.currentTarget, HTMLElement);
    list.querySelector<HTMLElement>(`#tab-${CSS.escape(next.id)}`)?.focus();
  };
  return html`<div
    class="tabs"
    role="tablist"
    aria-label=${label}
    ${ref((list) => list && requestAnimationFrame(() => showSelected(list)))}
    @keydown=${move}
  >
    ${items.map(
      ({ id, label: name }) =>
        html`<button
          type="button"
          role="tab"
          id="tab-${id}"
          aria-selected=${id === selected ? "true" : "false"}
          aria-controls="panel-${id}"
          tabindex=${id === selected ? 0 : -1}
          @click=${() => onSelect(id)}
        >
          ${name}
        </button>`,
    )}
  </div>`;
}

/** The tab to which each list was last scrolled. The reader may scroll elsewhere afterwards. */
const shown = new WeakMap<Element, string>();

/** Scrolls a list to its selected tab, once per selection. */
function showSelected(list: Element): void {
  const tab = list.querySelector<HTMLElement>('[aria-selected="true"]');
  if (!tab || shown.get(list) === tab.id) return;
  shown.set(list, tab.id);
  const { left, right } = list.getBoundingClientRect();
  const at = tab.getBoundingClientRect();
  if (at.left < left || at.right > right)
    list.scrollLeft += (at.left + at.right - left - right) / 2;
}
