import { html } from "lit";
import type { Api } from "../api/index.ts";
import { entriesOf, listField } from "./listField.ts";
import { openForm } from "./openForm.ts";
import { showPair } from "./showPair.ts";
import { textField } from "./textField.ts";
import { words } from "./words.ts";

/** An API token with its secret, which is shown only once. */
export interface KeyPair {
  readonly id: string;
  readonly token: string;
}

/**
 * Opens the form for a new API token of the reader, creates it, and shows its secret. Undefined if the reader closes
 * the form.
 */
export async function makeKeyPair(api: Api): Promise<KeyPair | undefined> {
  let [description, days, addresses] = ["", "", ""];
  const made = await openForm<KeyPair>({
    title: words.makePair,
    action: words.makePair,
    members: ["expiry", "allowed_addresses"],
    body: ({ wrong, mistakeOf }) =>
      html`<p>${words.pairText}</p>
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
          wrong: mistakeOf("expiry"),
          onInput: (text) => (days = text),
        })}
        ${listField({
          id: "pair-addresses",
          label: words.pairAddresses,
          hint: words.pairAddressesHint,
          value: addresses,
          wrong: mistakeOf("allowed_addresses"),
          onInput: (text) => (addresses = text),
        })}`,
    save() {
      const given = description.trim();
      const networks = entriesOf(addresses);
      return api.create<KeyPair>("authorization", {
        type: "api",
        ...(given !== "" && { description: given }),
        ...(days.trim() !== "" && { expiry: `${days.trim()} days` }),
        ...(networks.length > 0 && { allowed_addresses: networks }),
      });
    },
  });
  if (made)
    await showPair(
      { key: made.id, token: made.token },
      { title: words.pairMade, text: words.pairOnce },
    );
  return made;
}
