import { html, nothing } from "lit";
import { ApiFailure, type Api } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import {
  copyText,
  entriesOf,
  listField,
  openDialog,
  selectField,
  textField,
} from "../../../parts/index.ts";
import { words } from "./words.ts";

interface Named {
  readonly id: string;
  readonly name: unknown;
}

interface Made {
  readonly id: string;
  readonly token: string;
}

/**
 * Asks for the bounds of a token for a page, and issues it. Returns its key, with which the reader sees as it;
 * undefined when the reader closes the dialog.
 */
export async function issueToken(api: Api): Promise<string | undefined> {
  const find = { where: { type: "dataset" }, attributes: ["id", "name"], limit: 200 };
  const { rows: datasets } = await api.get<Named>("securable", find);
  const chosen = new Set<string>();
  const state = {
    username: "",
    hours: "24",
    columnId: "",
    value: "",
    origins: "",
    addresses: "",
    wrong: "",
  };
  /** The mistakes of the last try, by member. */
  let mistakes: ApiFailure["validation"] = {};
  let columns: readonly (Named & { readonly securable_id: string })[] = [];
  let made: Made | undefined;
  const readColumns = async (): Promise<void> => {
    const where = { securable_id: { in: [...chosen] }, type: "hierarchy" };
    columns =
      chosen.size === 0
        ? []
        : (await api.get<(typeof columns)[number]>("column", { where, limit: 200 })).rows;
    if (!columns.some(({ id }) => id === state.columnId)) state.columnId = "";
  };
  const issue = async (): Promise<void> => {
    const filtered = columns.find(({ id }) => id === state.columnId);
    const [origins, addresses] = [entriesOf(state.origins), entriesOf(state.addresses)];
    made = await api.create<Made>("authorization", {
      type: "embed",
      username: state.username,
      expiry: `${Number(state.hours) || 24} hours`,
      access: { datasets: [...chosen].map((id) => ({ id, rights: "use" })) },
      ...(origins.length > 0 && { allowed_origins: origins }),
      ...(addresses.length > 0 && { allowed_addresses: addresses }),
      ...(filtered && {
        filters: [
          {
            clause: "where",
            origin: "global",
            securable_id: filtered.securable_id,
            column_id: filtered.id,
            expression: "? = ?",
            value: state.value,
          },
        ],
      }),
    });
  };
  return openDialog<string>({
    title: words.issueTitle,
    body(dialog) {
      if (made)
        return html`<p>${words.issuedText}</p>
          <pre class="key-text">${`${made.id}\n${made.token}`}</pre>`;
      return html`${textField({
          id: "issue-username",
          label: words.username,
          hint: words.usernameHint,
          value: state.username,
          wrong: state.wrong,
          onInput: (value) => (state.username = value),
        })}
        <div class="field">
          <span class="label" id="issue-datasets">${words.datasets}</span>
          <div class="check-list" role="group" aria-labelledby="issue-datasets">
            ${datasets.map(
              (each) =>
                html`<label class="check"
                  ><input
                    type="checkbox"
                    .checked=${chosen.has(each.id)}
                    @change=${() => {
                      if (!chosen.delete(each.id)) chosen.add(each.id);
                      void readColumns().then(() => dialog.redraw());
                    }}
                  />${textOf(each.name) || each.id}</label
                >`,
            )}
          </div>
        </div>
        ${selectField({
          id: "issue-column",
          label: words.filterColumn,
          value: state.columnId,
          choices: [
            { value: "", label: words.everyRow },
            ...columns.map((each) => ({
              value: each.id,
              label: `${textOf(each.name)} ${words.is}`,
            })),
          ],
          onSelect(value) {
            state.columnId = value;
            dialog.redraw();
          },
        })}
        ${
          state.columnId === ""
            ? nothing
            : textField({
                id: "issue-value",
                label: words.value,
                value: state.value,
                onInput: (value) => (state.value = value),
              })
        }
        ${textField({
          id: "issue-hours",
          label: words.hours,
          type: "number",
          value: state.hours,
          onInput: (value) => (state.hours = value),
        })}
        ${listField({
          id: "issue-origins",
          label: words.originList,
          hint: words.originListHint,
          value: state.origins,
          wrong: mistakes["allowed_origins"]?.[0],
          onInput: (value) => (state.origins = value),
        })}
        ${listField({
          id: "issue-addresses",
          label: words.addressList,
          hint: words.addressListHint,
          value: state.addresses,
          wrong: mistakes["allowed_addresses"]?.[0],
          onInput: (value) => (state.addresses = value),
        })}`;
    },
    foot: (dialog) =>
      made
        ? html`<button
              class="button"
              @click=${() => void copyText(JSON.stringify({ key: made?.id, token: made?.token }))}
            >
              ${words.copyPair}
            </button>
            <button class="button primary" @click=${() => dialog.close(made?.id)}>
              ${words.seeAs}
            </button>`
        : html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
            <button
              class="button primary"
              @click=${() =>
                void issue()
                  .catch((failure: unknown) => {
                    mistakes = failure instanceof ApiFailure ? failure.validation : {};
                    const isShown =
                      "allowed_origins" in mistakes || "allowed_addresses" in mistakes;
                    const said = failure instanceof Error ? failure.message : String(failure);
                    state.wrong = isShown ? "" : said;
                  })
                  .then(() => dialog.redraw())}
            >
              ${words.issue}
            </button>`,
  });
}
