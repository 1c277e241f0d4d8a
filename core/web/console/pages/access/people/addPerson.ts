import { html } from "lit";
import type { Api } from "../../../api/index.ts";
import { selectField, textField } from "../../../parts/index.ts";
import { invitePerson } from "../../../sharing/index.ts";
import { giveRole, isRole, roleChoices, type Role } from "./person.ts";
import { words } from "./words.ts";

/**
 * Opens the form for a new person, creates the user with a role and sends an invitation. Returns the id of the user;
 * undefined if the reader closes the form.
 */
export async function addPerson(
  api: Api,
  { suborganization }: { readonly suborganization: string },
): Promise<string | undefined> {
  let at = suborganization;
  let role: Role = "member";
  const person = await invitePerson(api, {
    more: () =>
      html`${selectField({
        id: "person-role",
        label: words.role,
        value: role,
        choices: roleChoices,
        onSelect: (value) => {
          if (isRole(value)) role = value;
        },
      })}
      ${textField({
        id: "person-suborganization",
        label: words.suborganization,
        hint: words.suborganizationHint,
        autocomplete: "off",
        value: at,
        onInput: (value) => (at = value),
      })}`,
    properties: () => (at.trim() === "" ? {} : { suborganization: at.trim() }),
    created: async (id) => {
      if (role !== "member") await giveRole(api, id, role);
    },
  });
  return person?.id;
}
