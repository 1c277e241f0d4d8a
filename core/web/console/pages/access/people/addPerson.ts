import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { copyText, openDialog, selectField, textField } from "../../../parts/index.ts";
import { giveRole, isRole, type Role } from "./person.ts";
import { words } from "./words.ts";

interface Made {
  readonly id: string;
  readonly key: string;
  readonly token: string;
}

/**
 * Asks for a person, makes its user with a role, and shows its first key pair once. Returns the id of the user;
 * undefined when the reader closes the dialog before.
 */
export async function addPerson(
  api: Api,
  { suborganization }: { readonly suborganization: string },
): Promise<string | undefined> {
  const given = { email: "", name: "", password: "", suborganization };
  let role: Role = "member";
  let wrong = "";
  let made: Made | undefined;
  const add = async (): Promise<void> => {
    wrong = "";
    const { email, name, password } = given;
    const at = given.suborganization.trim();
    made = await api.create<Made>("user", {
      email: email.trim(),
      ...(name.trim() !== "" && { name: name.trim() }),
      ...(at !== "" && { suborganization: at }),
      ...(password !== "" && { password }),
    });
    if (role !== "member") await giveRole(api, made.id, role);
  };
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
  await openDialog({
    title: words.addTitle,
    body: () =>
      made
        ? html`<p>${words.added(given.name.trim() || given.email)}</p>
            ${wrong === "" ? nothing : html`<p class="failure" role="alert">${wrong}</p>`}
            <p class="muted">${words.pairText}</p>
            <pre class="key-text">${`${made.key}\n${made.token}`}</pre>`
        : html`${line("email", words.addEmail, { type: "email", wrong })}
          ${line("name", words.addName, {})}
          ${selectField({
            id: "person-role",
            label: words.role,
            value: role,
            choices: Object.entries(words.roles).map(([value, label]) => ({ value, label })),
            onSelect: (value) => {
              if (isRole(value)) role = value;
            },
          })}
          ${line("suborganization", words.suborganization, { hint: words.suborganizationHint })}
          ${line("password", words.password, { type: "password", hint: words.passwordHint })}`,
    foot: (dialog) =>
      made
        ? html`<button
              class="button"
              @click=${() => void copyText(JSON.stringify({ key: made?.key, token: made?.token }))}
            >
              ${words.copyPair}
            </button>
            <button class="button primary" @click=${() => dialog.close()}>${words.open}</button>`
        : html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
            <button
              class="button primary"
              @click=${() =>
                void add()
                  .catch((failure: unknown) => {
                    wrong = failure instanceof Error ? failure.message : String(failure);
                  })
                  .then(() => dialog.redraw())}
            >
              ${words.add}
            </button>`,
  });
  return made?.id;
}
