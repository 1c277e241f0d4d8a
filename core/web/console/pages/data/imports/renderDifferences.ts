import { html, nothing, type TemplateResult } from "lit";
import { elementOf } from "../../../parts/index.ts";
import type { Differences } from "./compareColumns.ts";
import type { ImportDraft } from "./importDraft.ts";
import { words } from "./words.ts";

/** Renders how the columns of a file differ from those of the dataset that receives its rows. */
export function renderDifferences(
  { added, missing, retyped }: Differences,
  { mode, addsColumns }: Pick<ImportDraft, "mode" | "addsColumns">,
  onAddColumns: (addsColumns: boolean) => void,
): TemplateResult {
  if (added.length + missing.length + retyped.length === 0)
    return html`<p class="muted">${words.same}</p>`;
  const kindWords: Readonly<Record<string, string>> = words.kinds;
  const missingText =
    mode === "replace"
      ? addsColumns
        ? words.missingText.replace
        : words.missingText.keep
      : words.missingText.append;
  return html`<div class="surface import-differences">
    ${
      added.length === 0
        ? nothing
        : html`<section>
            <h2>${words.added}</h2>
            <p>${added.join(", ")}</p>
            <label class="check"
              ><input
                type="checkbox"
                .checked=${addsColumns}
                @change=${(event: Event) =>
                  onAddColumns(elementOf(event.target, HTMLInputElement).checked)}
              />${words.addColumns}</label
            >
          </section>`
    }
    ${
      missing.length === 0
        ? nothing
        : html`<section>
            <h2>${words.missing}</h2>
            <p>${missing.join(", ")}</p>
            <p class="muted">${missingText}</p>
          </section>`
    }
    ${
      retyped.length === 0
        ? nothing
        : html`<section>
            <h2>${words.retyped}</h2>
            <ul>
              ${retyped.map(
                ({ name, inFile, inDataset }) =>
                  html`<li>
                    ${words.retypedText(
                      name,
                      kindWords[inFile] ?? inFile,
                      kindWords[inDataset] ?? inDataset,
                    )}
                  </li>`,
              )}
            </ul>
            <p class="muted">${words.retypedNote}</p>
          </section>`
    }
  </div>`;
}
