import { html, nothing } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf, writeNumber } from "../../language/index.ts";
import { openDialog, selectField, textField, type OpenDialog } from "../../parts/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { words } from "./words.ts";

const pauseMs = 250;
const shownValues = 5;

/** Asks for an expression, checks it live on the first rows, and makes a column of it. Returns whether it did. */
export async function deriveColumn(
  api: Api,
  datasetId: string,
  columns: readonly ColumnRow[],
): Promise<boolean> {
  const values: readonly unknown[] = [];
  const state = { name: "", expression: "", wrong: "", values };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const check = async (dialog: OpenDialog<boolean>): Promise<void> => {
    const mine = ++asked;
    const dimensions = [{ expression: state.expression, dataset_id: datasetId }];
    const find = {
      dimensions,
      limit: { by: shownValues },
      options: { cells: "plain", rollup_data: false },
    };
    const outcome = await api
      .call<{ readonly data: readonly (readonly unknown[])[] }>("data", "get", { find })
      .then(({ data }) => ({ wrong: "", values: data.map(([value]) => value) }))
      .catch((failure: unknown) => ({
        wrong: failure instanceof Error ? failure.message : String(failure),
        values: [],
      }));
    if (mine !== asked) return;
    Object.assign(state, outcome);
    dialog.redraw();
  };
  const write = (dialog: OpenDialog<boolean>, expression: string): void => {
    state.expression = expression;
    clearTimeout(timer);
    timer = setTimeout(() => void check(dialog), pauseMs);
    dialog.redraw();
  };
  const make = async (): Promise<void> => {
    await api.call("column", "create", {
      properties: {
        order: Math.max(0, ...columns.map(({ order }) => order)) + 1,
        name: { en: state.name },
        expression: state.expression,
      },
      associations: [{ role: "Securable", id: datasetId }],
    });
  };
  const made = await openDialog<boolean>({
    title: words.deriveTitle,
    body: (dialog) =>
      html`${textField({ id: "derive-name", label: words.name, value: state.name, onInput: (value) => (state.name = value) })}
      ${textField({
        id: "derive-expression",
        label: words.expression,
        hint: words.expressionHint,
        value: state.expression,
        wrong: state.wrong,
        onInput: (value) => write(dialog, value),
      })}
      ${selectField({
        id: "derive-insert",
        label: words.insert,
        value: "",
        choices: [
          { value: "", label: "–" },
          ...columns
            .filter(({ expression }) => expression === null)
            .map(({ id, name }) => ({ value: id, label: textOf(name) })),
        ],
        onSelect: (id) => write(dialog, `${state.expression}{${datasetId}:${id}}`),
      })}
      ${
        state.values.length > 0
          ? html`<div role="status">
              <h3>${words.checked}</h3>
              <p>
                ${state.values
                  .map((value) =>
                    typeof value === "number" ? writeNumber(value) : String(value ?? "–"),
                  )
                  .join(" · ")}
              </p>
            </div>`
          : nothing
      }`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close(false)}>${words.cancel}</button>
        <button
          class="button primary"
          @click=${() =>
            void make()
              .then(() => dialog.close(true))
              .catch((failure: unknown) => {
                state.wrong = failure instanceof Error ? failure.message : String(failure);
                dialog.redraw();
              })}
        >
          ${words.create}
        </button>`,
  });
  return made === true;
}
