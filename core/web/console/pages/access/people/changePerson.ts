import { html } from "lit";
import { openDialog, selectField, textField, type ConsoleContext } from "../../../parts/index.ts";
import { giveRole, isRole, roleOf, type StandingPerson } from "./person.ts";
import { words } from "./words.ts";

/**
 * Asks for another name, role and suborganization of a person, and stores them. Only an owner of the whole organization
 * moves a person, and nobody changes the own role. Returns whether something was stored.
 */
export async function changePerson(
  { api, user }: Pick<ConsoleContext, "api" | "user">,
  person: StandingPerson,
): Promise<boolean> {
  const given = { name: person.name ?? "", suborganization: person.suborganization ?? "" };
  let role = roleOf(person);
  let wrong = "";
  const isSelf = person.id === user.id;
  const mayMove = !isSelf && user.suborganization === null;
  const save = async (): Promise<void> => {
    const suborganization = given.suborganization.trim() || null;
    const isMoved = mayMove && suborganization !== person.suborganization;
    const name = given.name.trim();
    if (name !== (person.name ?? "") || isMoved)
      await api.update("user", person.id, { name, ...(isMoved && { suborganization }) });
    if (role !== roleOf(person)) await giveRole(api, person.id, role);
  };
  const isSaved = await openDialog<boolean>({
    title: words.changeTitle,
    body: () =>
      html`${textField({
        id: "change-name",
        label: words.name,
        value: given.name,
        wrong,
        onInput: (value) => (given.name = value),
      })}
      ${
        isSelf
          ? html`<p class="muted">${words.self}</p>`
          : selectField({
              id: "change-role",
              label: words.role,
              value: role,
              choices: Object.entries(words.roles).map(([value, label]) => ({ value, label })),
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
              onInput: (value) => (given.suborganization = value),
            })
          : ""
      }`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button
          class="button primary"
          @click=${() =>
            void save().then(
              () => dialog.close(true),
              (failure: unknown) => {
                wrong = failure instanceof Error ? failure.message : String(failure);
                dialog.redraw();
              },
            )}
        >
          ${words.save}
        </button>`,
  });
  return isSaved === true;
}
