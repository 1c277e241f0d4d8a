import { html } from "lit";
import type { Api } from "../api/index.ts";
import { define, openDialog } from "../parts/index.ts";
import { nameOf, type ExploredColumn } from "./columns.ts";
import { FilterFields } from "./filterFields.ts";
import type { Filter } from "./question.ts";
import { questionWords as words } from "./questionWords.ts";

export interface FilterOptions {
  readonly api: Api;
  readonly datasetId: string;
  readonly column: ExploredColumn;
  /** The filter to edit; absent for a new filter. */
  readonly filter?: Filter | undefined;
}

/** Opens the form for a filter on a column, with its values as suggestions. Undefined if the reader closes it. */
export function openFilter({
  api,
  datasetId,
  column,
  filter,
}: FilterOptions): Promise<Filter | undefined> {
  define("console-filter-fields", FilterFields);
  let entered = filter;
  return openDialog<Filter>({
    title: words.filterTitle(nameOf(column)),
    body: (dialog) =>
      html`<console-filter-fields
        .api=${api}
        .datasetId=${datasetId}
        .column=${column}
        .filter=${filter}
        .onChange=${(next: Filter | undefined) => {
          entered = next;
          dialog.redraw();
        }}
      ></console-filter-fields>`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button
          class="button primary"
          ?disabled=${entered === undefined}
          @click=${() => dialog.close(entered)}
        >
          ${words.apply}
        </button>`,
  });
}
