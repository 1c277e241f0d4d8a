import { html, nothing, type TemplateResult } from "lit";
import { shownValue } from "./renderControls.ts";
import { suggestionsIn, type Suggestion } from "./suggestionsIn.ts";
import { words } from "./words.ts";

/** Renders a button for each change of a setting that a message of the host proposes. */
export function renderSuggestions(
  message: string,
  onSuggest: (suggestion: Suggestion) => void,
): TemplateResult | typeof nothing {
  const suggestions = suggestionsIn(message);
  if (suggestions.length === 0) return nothing;
  return html`<span class="row">
    ${suggestions.map(
      (each) =>
        html`<button class="button" type="button" @click=${() => onSuggest(each)}>
          ${words.suggest(words.labels[each.id], shownValue(each.value))}
        </button>`,
    )}
  </span>`;
}
