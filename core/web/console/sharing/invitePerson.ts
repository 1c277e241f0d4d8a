import { html, type TemplateResult } from "lit";
import { messageOf, type Api } from "../api/index.ts";
import { isolated } from "../language/index.ts";
import { notify, notifyFailure, openForm, showOnce, textField } from "../parts/index.ts";
import { words } from "./words.ts";

/** A new person. */
export interface InvitedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface InviteOptions {
  /** E-mail address with which the form starts. */
  readonly email?: string;
  /** Renders further fields. */
  readonly more?: () => TemplateResult;
  /** Returns further members of the new user. */
  readonly properties?: () => Readonly<Record<string, unknown>>;
  /** Called after the user was created, before the invitation. */
  readonly created?: (userId: string) => Promise<void>;
}

interface Invitation {
  readonly is_mailed: boolean;
  readonly url?: string;
}

/**
 * Sends a person a one-time link to choose a password. Where the host cannot mail it, shows the link once, so that the
 * reader can hand it over.
 */
export async function sendInvitation(api: Api, { id, name, email }: InvitedPerson): Promise<void> {
  const { is_mailed: isMailed, url } = await api.call<Invitation>("user", "invite", { id });
  if (isMailed) notify({ text: words.invited(isolated(email)) });
  else if (url !== undefined)
    await showOnce({
      title: words.linkFor(isolated(name || email)),
      text: words.linkText,
      secret: url,
    });
}

/**
 * Opens the form for a person who is not in the organization yet, adds the person and sends an invitation. Returns the
 * person; undefined if the reader closes the form.
 */
export async function invitePerson(
  api: Api,
  { email: first = "", more, properties, created }: InviteOptions = {},
): Promise<InvitedPerson | undefined> {
  const given = { email: first, name: "" };
  let isInvited = true;
  const person = await openForm<InvitedPerson>({
    title: words.inviteTitle,
    action: words.invite,
    isUnchecked: true,
    body: ({ wrong }) =>
      html`${textField({
          id: "person-email",
          label: words.email,
          type: "email",
          autocomplete: "off",
          value: given.email,
          wrong,
          onInput: (value) => (given.email = value),
        })}
        ${textField({
          id: "person-name",
          label: words.name,
          autocomplete: "off",
          value: given.name,
          onInput: (value) => (given.name = value),
        })}
        ${more?.() ?? ""}
        <label class="check">
          <input
            type="checkbox"
            .checked=${isInvited}
            @change=${(event: Event) =>
              (isInvited = event.target instanceof HTMLInputElement && event.target.checked)}
          />
          <span>${words.inviteNow}</span>
        </label>`,
    async save() {
      const email = given.email.trim();
      const name = given.name.trim();
      const { id } = await api.create<{ readonly id: string }>("user", {
        email,
        ...(name !== "" && { name }),
        ...properties?.(),
      });
      return { id, email, name };
    },
  });
  if (!person) return undefined;
  // The person exists from here on, so that a failure must not hide the person.
  const failure = await created?.(person.id).then(() => undefined, messageOf);
  if (failure !== undefined) notify({ text: failure, isBad: true });
  if (isInvited) await sendInvitation(api, person).catch(notifyFailure);
  return person;
}
