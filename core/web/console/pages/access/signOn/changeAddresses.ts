import { html, nothing } from "lit";
import { ApiFailure, messageOf, type Api } from "../../../api/index.ts";
import { elementOf, entriesOf, listField, openForm } from "../../../parts/index.ts";
import { words } from "./words.ts";

/** The networks of an organization; null for anywhere. */
export interface BoundOrganization {
  readonly id: string;
  readonly allowed_addresses: readonly string[] | null;
}

/** The host's words for a list that leaves out the address of the call. */
const lockout = /leaves out the address of this call, (\S+):/;

/**
 * Asks from which networks people may call, and writes them. A list that leaves out the reader is written once the
 * reader says so. Returns true when it was written; undefined when the reader closes the dialog.
 */
export function changeAddresses(
  api: Api,
  { id, allowed_addresses: networks }: BoundOrganization,
): Promise<true | undefined> {
  const state = { text: (networks ?? []).join("\n"), outside: "", isConfirmed: false };
  return openForm<true>({
    title: words.changeAddresses,
    action: words.save,
    body: ({ wrong }) =>
      html`<p>${words.addressesText}</p>
        ${listField({
          id: "allowed-addresses",
          label: words.addressList,
          hint: words.addressListHint,
          value: state.text,
          wrong,
          onInput: (text) => Object.assign(state, { text, outside: "", isConfirmed: false }),
        })}
        ${
          state.outside === ""
            ? nothing
            : html`<label class="check"
                ><input
                  type="checkbox"
                  .checked=${state.isConfirmed}
                  @change=${(event: Event) => {
                    state.isConfirmed = elementOf(event.target, HTMLInputElement).checked;
                  }}
                />${words.confirmLockout}</label
              >`
        }`,
    async save() {
      const entries = entriesOf(state.text);
      try {
        await api.update("organization", id, {
          allowed_addresses: entries.length === 0 ? null : entries,
          ...(state.isConfirmed && { confirm_lockout: true }),
        });
        return true;
      } catch (failure) {
        const mistake =
          failure instanceof ApiFailure ? failure.validation["allowed_addresses"]?.[0] : undefined;
        state.outside = lockout.exec(mistake ?? "")?.[1] ?? "";
        const said = mistake ?? messageOf(failure);
        throw new Error(state.outside === "" ? said : words.leavesOut(state.outside), {
          cause: failure,
        });
      }
    },
  });
}
