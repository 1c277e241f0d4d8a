import { html } from "lit";
import { messageOf, type Api } from "../../../api/index.ts";
import { notifyFailure, openForm, selectField, showPair, textField } from "../../../parts/index.ts";
import { giveRole, isRole, roleChoices, type Role } from "./person.ts";
import { words } from "./words.ts";

interface Made {
  readonly id: string;
  readonly key: string;
  readonly token: string;
}

/**
 * Opens the form for a new person, creates the user with a role, and shows the user's first key pair once. Returns the
 * id of the user; undefined if the reader closes the form.
 */
export async function addPerson(
  api: Api,
  { suborganization }: { readonly suborganization: string },
): Promise<string | undefined> {
  const given = { email: "", name: "", password: "", suborganization };
  let role: Role = "member";
  const line = (
    member: keyof typeof given,
    label: string,
    more: { readonly hint?: string; readonly wrong?: string; readonly type?: "email" | "password" },
  ) =>
    textField({
      id: `person-${member}`,
      label,
      value: given[member],
      autocomplete: member === "password" ? "new-password" : "off",
      ...more,
      onInput: (value) => (given[member] = value),
    });
  const made = await openForm<Made>({
    title: words.addTitle,
    action: words.add,
    isUnchecked: true,
    body: ({ wrong }) =>
      html`${line("email", words.addEmail, { type: "email", wrong })}
      ${line("name", words.addName, {})}
      ${selectField({
        id: "person-role",
        label: words.role,
        value: role,
        choices: roleChoices,
        onSelect: (value) => {
          if (isRole(value)) role = value;
        },
      })}
      ${line("suborganization", words.suborganization, { hint: words.suborganizationHint })}
      ${line("password", words.password, { type: "password", hint: words.passwordHint })}`,
    save() {
      const { email, name, password } = given;
      const at = given.suborganization.trim();
      return api.create<Made>("user", {
        email: email.trim(),
        ...(name.trim() !== "" && { name: name.trim() }),
        ...(at !== "" && { suborganization: at }),
        ...(password !== "" && { password }),
      });
    },
  });
  if (!made) return undefined;
  // The key pair is shown even if assigning the role failed, because it cannot be read later.
  const failure =
    role === "member" ? undefined : await giveRole(api, made.id, role).catch(messageOf);
  const name = given.name.trim() || given.email;
  await showPair(made, { title: words.addTitle, text: words.added(name), action: words.open });
  if (failure !== undefined) notifyFailure(failure);
  return made.id;
}
