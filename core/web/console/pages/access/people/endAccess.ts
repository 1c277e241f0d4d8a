import { html } from "lit";
import type { Api } from "../../../api/index.ts";
import { confirm, openDialog, textField } from "../../../parts/index.ts";
import type { StandingPerson } from "./person.ts";
import { words } from "./words.ts";

/** Ends the sessions of a person, after it is shown what ends. Returns whether the reader agreed. */
export async function endSessions(api: Api, { id, standing }: StandingPerson): Promise<boolean> {
  const isAgreed = await confirm({
    title: words.endSessions,
    text: words.endSessionsText(standing?.session_count ?? 0, standing?.page_token_count ?? 0),
    action: words.endSessions,
    isDangerous: true,
  });
  if (isAgreed) await api.update("user", id, { end_sessions: true });
  return isAgreed;
}

/** Ends the API tokens of a person, and the tokens that it issued, after it is shown what ends. */
export async function endTokens(api: Api, { id, standing }: StandingPerson): Promise<boolean> {
  const isAgreed = await confirm({
    title: words.endTokens,
    text: words.endTokensText(standing?.api_token_count ?? 0, standing?.issued_token_count ?? 0),
    action: words.endTokens,
    isDangerous: true,
  });
  if (isAgreed) await api.update("user", id, { end_api_tokens: true });
  return isAgreed;
}

/** Asks for a new password of a person, and stores it. */
export async function setPassword(api: Api, { id }: StandingPerson): Promise<boolean> {
  let password = "";
  let wrong = "";
  const isSet = await openDialog<boolean>({
    title: words.setPassword,
    body: () =>
      html`<p class="muted">${words.setPasswordText}</p>
        ${textField({
          id: "new-password",
          label: words.newPassword,
          type: "password",
          autocomplete: "new-password",
          value: password,
          wrong,
          onInput: (value) => (password = value),
        })}`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button
          class="button primary"
          @click=${() =>
            void api.update("user", id, { password }).then(
              () => dialog.close(true),
              (failure: unknown) => {
                wrong = failure instanceof Error ? failure.message : String(failure);
                dialog.redraw();
              },
            )}
        >
          ${words.setPassword}
        </button>`,
  });
  return isSet === true;
}
