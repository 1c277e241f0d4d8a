import { html } from "lit";
import { openForm, selectField, textField, type ConsoleContext } from "../../../parts/index.ts";
import { giveRole, isRole, roleChoices, roleOf, type StandingPerson } from "./person.ts";
import { words } from "./words.ts";

/**
 * Opens the form for the name, role and suborganization of a person and stores the changes. Only an owner of the whole
 * organization can move a person, and nobody can change their own role. Returns whether anything was stored.
 */
export async function changePerson(
  { api, user }: Pick<ConsoleContext, "api" | "user">,
  person: StandingPerson,
): Promise<boolean> {
  const given = { name: person.name ?? "", suborganization: person.suborganization ?? "" };
  let role = roleOf(person);
  const isSelf = person.id === user.id;
  const mayMove = !isSelf && user.suborganization === null;
  const isSaved = await openForm<true>({
    title: words.changeTitle,
    action: words.save,
    members: ["name", "suborganization"],
    body: ({ wrong, mistakeOf }) =>
      html`${textField({
        id: "change-name",
        label: words.name,
        value: given.name,
        wrong: mistakeOf("name") ?? wrong,
        onInput: (value) => (given.name = value),
      })}
      ${
        isSelf
          ? html`<p class="muted">${words.self}</p>`
          : selectField({
              id: "change-role",
              label: words.role,
              value: role,
              choices: roleChoices,
              onSelect: (value) => {
                if (isRole(value)) role = value;
              },
            })
      }
      ${
        mayMove
          ? textField({
              id: "change-suborganization",
              label: words.suborganization,
              hint: words.moveText,
              value: given.suborganization,
              wrong: mistakeOf("suborganization"),
              onInput: (value) => (given.suborganization = value),
            })
          : ""
      }`,
    async save() {
      const suborganization = given.suborganization.trim() || null;
      const isMoved = mayMove && suborganization !== person.suborganization;
      const name = given.name.trim();
      if (name !== (person.name ?? "") || isMoved)
        await api.update("user", person.id, { name, ...(isMoved && { suborganization }) });
      if (role !== roleOf(person)) await giveRole(api, person.id, role);
      return true;
    },
  });
  return isSaved === true;
}
