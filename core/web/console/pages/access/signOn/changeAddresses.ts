import { html, nothing } from "lit";
import { ApiFailure, type Api } from "../../../api/index.ts";
import { elementOf, entriesOf, listField, openDialog } from "../../../parts/index.ts";
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
  const state = { text: (networks ?? []).join("\n"), wrong: "", outside: "", isConfirmed: false };
  const save = async (): Promise<boolean> => {
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
      const said = failure instanceof Error ? failure.message : String(failure);
      state.wrong = state.outside === "" ? (mistake ?? said) : words.leavesOut(state.outside);
      return false;
    }
  };
  return openDialog<true>({
    title: words.changeAddresses,
    body: (dialog) =>
      html`<form
        id="addresses-form"
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          void save().then((isSaved) => (isSaved ? dialog.close(true) : dialog.redraw()));
        }}
      >
        <p>${words.addressesText}</p>
        ${listField({
          id: "allowed-addresses",
          label: words.addressList,
          hint: words.addressListHint,
          value: state.text,
          wrong: state.wrong,
          onInput(value) {
            const isAsking = state.outside !== "";
            Object.assign(state, { text: value, outside: "", isConfirmed: false });
            if (isAsking) dialog.redraw();
          },
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
        }
      </form>`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button class="button primary" form="addresses-form">${words.save}</button>`,
  });
}
