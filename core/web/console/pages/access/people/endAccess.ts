import { html } from "lit";
import type { Api } from "../../../api/index.ts";
import { confirmAndRun, notify, openForm, textField } from "../../../parts/index.ts";
import type { StandingPerson } from "./person.ts";
import { words } from "./words.ts";

/** Shows the sessions of a person, and ends them if the reader confirms. Returns whether the reader confirmed. */
export const endSessions = (api: Api, { id, standing }: StandingPerson): Promise<boolean> =>
  confirmAndRun({
    action: words.endSessions,
    text: words.endSessionsText(standing?.session_count ?? 0, standing?.page_token_count ?? 0),
    done: words.ended,
    run: () => api.update("user", id, { end_sessions: true }),
  });

/** Shows the API tokens of a person and the tokens that the person issued, and revokes them if the reader confirms. */
export const endTokens = (api: Api, { id, standing }: StandingPerson): Promise<boolean> =>
  confirmAndRun({
    action: words.endTokens,
    text: words.endTokensText(standing?.api_token_count ?? 0, standing?.issued_token_count ?? 0),
    done: words.ended,
    run: () => api.update("user", id, { end_api_tokens: true }),
  });

/** Opens the form for a new password of a person and stores it. */
export async function setPassword(api: Api, { id }: StandingPerson): Promise<boolean> {
  let password = "";
  const isSet = await openForm<true>({
    title: words.setPassword,
    action: words.setPassword,
    members: ["password"],
    body: ({ wrong, mistakeOf }) =>
      html`<p class="muted">${words.setPasswordText}</p>
        ${textField({
          id: "new-password",
          label: words.newPassword,
          type: "password",
          autocomplete: "new-password",
          value: password,
          wrong: mistakeOf("password") ?? wrong,
          onInput: (value) => (password = value),
        })}`,
    async save() {
      await api.update("user", id, { password });
      return true;
    },
  });
  if (isSet) notify({ text: words.passwordSet });
  return isSet === true;
}
