import { html, nothing, type TemplateResult } from "lit";
import { shownValue } from "./renderControls.ts";
import type { Suggestion } from "./suggestionsIn.ts";
import { words } from "./words.ts";

/** Renders a button for each suggestion with a value. */
export function renderSuggestions(
  suggestions: readonly Suggestion[],
  onSuggest: (suggestion: Suggestion) => void,
): TemplateResult | typeof nothing {
  const proposed = suggestions.filter(({ value }) => value !== undefined);
  if (proposed.length === 0) return nothing;
  return html`<span class="row">
    ${proposed.map(
      (each) =>
        html`<button class="button" type="button" @click=${() => onSuggest(each)}>
          ${words.suggest(words.labels[each.id], shownValue(each.value))}
        </button>`,
    )}
  </span>`;
}
