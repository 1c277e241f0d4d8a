import { html, nothing } from "lit";
import { usePasskey, type Api, type SignedInUser } from "../../api/index.ts";
import { openForm, textField } from "../../parts/index.ts";
import type { Overview } from "./account.ts";
import { words } from "./words.ts";

/** Signs the reader in again for an action that requires a recent sign-in. Returns whether the sign-in succeeded. */
export async function signInAgain(
  api: Api,
  user: SignedInUser,
  { factors, has_password: hasPassword, offers_passkeys: offersPasskeys }: Overview,
): Promise<boolean> {
  const hasPasskey = offersPasskeys && factors.some(({ type }) => type === "passkey");
  const state = { password: "", code: "" };
  const done = await openForm<true>({
    title: words.again,
    action: words.again,
    isComplete: () => hasPassword,
    body: ({ wrong, isSaving, attempt }) =>
      html`<p>${words.againText}</p>
        ${hasPassword ? nothing : html`<p>${words.noPassword}</p>`}
        ${
          hasPassword
            ? html`${textField({ id: "again-password", label: words.oldPassword, type: "password", autocomplete: "current-password", isRequired: true, value: state.password, onInput: (value) => (state.password = value) })}
              ${textField({ id: "again-code", label: words.againCode, hint: words.againCodeHint, autocomplete: "one-time-code", value: state.code, onInput: (value) => (state.code = value) })}`
            : nothing
        }
        ${
          hasPasskey
            ? html`<button
                type="button"
                class="button"
                ?disabled=${isSaving}
                @click=${() =>
                  void attempt(async () => {
                    await usePasskey(api);
                    return true;
                  })}
              >
                ${words.byPasskey}
              </button>`
            : nothing
        }
        ${wrong ? html`<p class="failure" role="alert">${wrong}</p>` : nothing}`,
    async save() {
      const { password, code } = state;
      await api.signIn({ email: user.email, password, ...(code && { code }) });
      return true;
    },
  });
  return done === true;
}
