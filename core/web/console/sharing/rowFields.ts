import { html, nothing, type TemplateResult } from "lit";
import type { Api } from "../api/index.ts";
import { define, elementOf } from "../parts/index.ts";
import { readDataset, type FilteredColumn } from "../questions/index.ts";
import type { DatasetChoice, RowMode } from "./datasetChoice.ts";
import { RowPicker } from "./rowPicker.ts";
import { words } from "./words.ts";

export interface RowFieldsOptions {
  readonly api: Api;
  /** Name of the dataset. */
  readonly name: string;
  readonly choice: DatasetChoice;
  /** The offered modes, in order. */
  readonly modes: readonly RowMode[];
  /** Columns by which rows can be chosen. */
  readonly columns: readonly FilteredColumn[];
  /** What the choice means, such as the number of rows. */
  readonly note: TemplateResult;
  onChange(choice: DatasetChoice): void;
}

/** Fields with which a reader chooses the rows of a dataset that a share shows. */
export function rowFields(options: RowFieldsOptions): TemplateResult {
  const { api, name, choice, modes, columns, note, onChange } = options;
  define("console-row-picker", RowPicker);
  return html`<fieldset class="share-dataset">
    <legend>${name}</legend>
    <div class="share-modes">
      ${modes.map(
        (each) =>
          html`<label class="share-mode">
            <input
              type="radio"
              name="rows-of-${choice.datasetId}"
              .checked=${each === choice.mode}
              @change=${(event: Event) => {
                if (elementOf(event.target, HTMLInputElement).checked)
                  onChange({ ...choice, mode: each });
              }}
            />
            ${words.modes[each]}
          </label>`,
      )}
    </div>
    ${
      choice.mode === "some"
        ? html`<console-row-picker
            .api=${api}
            .columns=${columns}
            .choice=${choice}
            .onChange=${onChange}
          ></console-row-picker>`
        : nothing
    }
    <p class="small" role="status">${note}</p>
  </fieldset>`;
}

/** Fetches the columns of a dataset by which rows can be chosen. */
export async function readPickedColumns(
  api: Api,
  datasetId: string,
  signal?: AbortSignal,
): Promise<readonly FilteredColumn[]> {
  const dataset = await readDataset(api, datasetId, signal);
  return dataset?.columns ?? [];
}
