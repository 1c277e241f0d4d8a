import { html } from "lit";
import { ApiFailure, type Api } from "../api/index.ts";
import { entriesOf, listField } from "./listField.ts";
import { openDialog, type OpenDialog } from "./openDialog.ts";
import { showOnce } from "./showOnce.ts";
import { textField } from "./textField.ts";
import { words } from "./words.ts";

/** A token of type api with its secret, which is shown this once. */
export interface KeyPair {
  readonly id: string;
  readonly token: string;
}

/** Asks what an api token of the reader is for, makes it, and shows its secret. Undefined when the reader closes. */
export async function makeKeyPair(api: Api): Promise<KeyPair | undefined> {
  let [description, days, addresses, wrong] = ["", "", "", ""];
  let mistakes: ApiFailure["validation"] = {};
  const make = async (dialog: OpenDialog<KeyPair>) => {
    try {
      const given = description.trim();
      const networks = entriesOf(addresses);
      const properties = {
        type: "api",
        ...(given !== "" && { description: given }),
        ...(days.trim() !== "" && { expiry: `${days.trim()} days` }),
        ...(networks.length > 0 && { allowed_addresses: networks }),
      };
      dialog.close(await api.create<KeyPair>("authorization", properties));
    } catch (failure) {
      mistakes = failure instanceof ApiFailure ? failure.validation : {};
      const isShown = "expiry" in mistakes || "allowed_addresses" in mistakes;
      const said = failure instanceof Error ? failure.message : String(failure);
      wrong = isShown ? "" : said;
      dialog.redraw();
    }
  };
  const made = await openDialog<KeyPair>({
    title: words.makePair,
    body: (dialog) =>
      html`<form
        id="pair-form"
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          void make(dialog);
        }}
      >
        <p>${words.pairText}</p>
        ${textField({
          id: "pair-description",
          label: words.pairFor,
          hint: words.pairForHint,
          value: description,
          wrong,
          onInput: (text) => (description = text),
        })}
        ${textField({
          id: "pair-days",
          label: words.pairDays,
          hint: words.pairDaysHint,
          type: "number",
          value: days,
          wrong: mistakes["expiry"]?.[0],
          onInput: (text) => (days = text),
        })}
        ${listField({
          id: "pair-addresses",
          label: words.pairAddresses,
          hint: words.pairAddressesHint,
          value: addresses,
          wrong: mistakes["allowed_addresses"]?.[0],
          onInput: (text) => (addresses = text),
        })}
      </form>`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button class="button primary" form="pair-form">${words.makePair}</button>`,
  });
  if (!made) return undefined;
  const { id: key, token } = made;
  await showOnce({
    title: words.pairMade,
    text: words.pairOnce,
    secret: `${key}\n${token}`,
    copied: JSON.stringify({ key, token }),
  });
  return made;
}
