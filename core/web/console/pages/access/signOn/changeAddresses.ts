import { html, nothing } from "lit";
import { ApiFailure, messageOf, type Api } from "../../../api/index.ts";
import { elementOf, entriesOf, listField, openForm } from "../../../parts/index.ts";
import { words } from "./words.ts";

/** An organization with its allowed networks; null if every address is allowed. */
export interface BoundOrganization {
  readonly id: string;
  readonly allowed_addresses: readonly string[] | null;
}

/** Matches the host's error for a list without the address of the call. */
const lockout = /excludes the address of this call, (\S+), /;

/**
 * Opens the form for the allowed networks and stores them. A list that excludes the reader is stored only after a
 * confirmation. Returns true when stored; undefined if the reader closes the form.
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
