import { html, type TemplateResult } from "lit";
import { starIcon } from "../parts/index.ts";
import type { Collections } from "./favorites.ts";
import { words } from "./words.ts";

export interface StarButtonOptions {
  readonly id: string;
  /** Name of the dashboard or dataset. */
  readonly name: string;
  readonly collections: Collections | undefined;
  /** Called when the reader adds the record to the favourites or removes it. */
  onStar(): void;
}

/** A star that says whether a dashboard or dataset is one of the reader's favourites. */
export function starButton({ id, name, collections, onStar }: StarButtonOptions): TemplateResult {
  const isStarred = collections?.favorites?.ids.has(id) === true;
  return html`<button
    class="button quiet icon star"
    aria-pressed=${isStarred ? "true" : "false"}
    aria-label=${isStarred ? words.unstar(name) : words.star(name)}
    ?disabled=${collections === undefined}
    @click=${(event: Event) => {
      // A click on the row around the star opens the record.
      event.stopPropagation();
      onStar();
    }}
  >
    ${starIcon}
  </button>`;
}
