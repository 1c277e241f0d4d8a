import { html, nothing } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf, writeNumber } from "../../language/index.ts";
import { choicesOf, openForm, selectField, textField } from "../../parts/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { sourceWords as words } from "./sourceWords.ts";

/** Maximum number of units between two copies, as the host accepts it. */
const mostUnits = 100_000;

/** Opens the form with the options for copying rows, and starts the acceleration. Returns whether it was started. */
export async function chooseAcceleration(
  api: Api,
  datasetId: string,
  columns: readonly ColumnRow[],
): Promise<boolean> {
  const instants = columns.filter(({ type }) => type === "datetime");
  const state = {
    load: "full",
    unit: "day",
    quantity: "1",
    updatedAt: instants[0]?.id ?? "",
  };
  const choices = ["full", ...(instants.length > 0 ? ["full-delta"] : [])].map((value) => ({
    value,
    label: words.loads[value] ?? value,
  }));
  const started = await openForm<true>({
    title: words.start,
    action: words.start,
    body: ({ wrong }) =>
      html`<p class="muted">${words.startText}</p>
        ${selectField({
          id: "load-type",
          label: words.load,
          value: state.load,
          choices,
          onSelect: (value) => (state.load = value),
        })}
        ${
          state.load === "full"
            ? nothing
            : selectField({
                id: "load-column",
                label: words.deltaColumn,
                value: state.updatedAt,
                choices: instants.map(({ id, name }) => ({ value: id, label: textOf(name) || id })),
                onSelect: (value) => (state.updatedAt = value),
              })
        }
        <div class="upload-fields">
          ${textField({ id: "load-every", label: words.every, type: "number", value: state.quantity, wrong, onInput: (value) => (state.quantity = value) })}
          ${selectField({
            id: "load-unit",
            label: words.unit,
            value: state.unit,
            choices: choicesOf(words.units),
            onSelect: (value) => (state.unit = value),
          })}
        </div>`,
    async save() {
      const quantity = Number(state.quantity);
      if (!Number.isInteger(quantity) || quantity < 1 || quantity > mostUnits)
        throw new TypeError(words.wholeNumber(writeNumber(mostUnits)));
      const made = await api.create<{ readonly id: string }>("acceleration", {
        load_type: state.load,
        schedule: { frequency_unit: state.unit, frequency_quantity: quantity },
        ...(state.load !== "full" && {
          data_storage_strategy: "insert",
          created_at_column_id: state.updatedAt,
        }),
      });
      await api
        .associate("securable", datasetId, { role: "Acceleration", id: made.id })
        .catch(async (failure: unknown) => {
          await api.remove("acceleration", made.id);
          throw failure;
        });
      return true;
    },
  });
  return started === true;
}
