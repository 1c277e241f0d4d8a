import { html, nothing } from "lit";
import { usePasskey, type Api, type SignedInUser } from "../../api/index.ts";
import { openDialog, textField } from "../../parts/index.ts";
import type { Overview } from "./account.ts";
import { words } from "./words.ts";

/** Signs the reader in again, for what needs a fresh sign-in. Returns whether it did. */
export async function signInAgain(
  api: Api,
  user: SignedInUser,
  { factors, has_password: hasPassword, offers_passkeys: offersPasskeys }: Overview,
): Promise<boolean> {
  const hasPasskey = offersPasskeys && factors.some(({ type }) => type === "passkey");
  const state = { password: "", code: "", wrong: "", isBusy: false };
  const done = await openDialog<boolean>({
    title: words.again,
    body(dialog) {
      const attempt = async (work: () => Promise<unknown>) => {
        [state.isBusy, state.wrong] = [true, ""];
        dialog.redraw();
        try {
          await work();
          dialog.close(true);
        } catch (failure) {
          state.wrong = failure instanceof Error ? failure.message : String(failure);
          state.isBusy = false;
          dialog.redraw();
        }
      };
      const { email } = user;
      return html`<form
        id="sign-in-again"
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          const { password, code } = state;
          void attempt(() => api.signIn({ email, password, ...(code && { code }) }));
        }}
      >
        <p>${words.againText}</p>
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
                ?disabled=${state.isBusy}
                @click=${() => void attempt(() => usePasskey(api))}
              >
                ${words.byPasskey}
              </button>`
            : nothing
        }
        ${state.wrong ? html`<p class="failure" role="alert">${state.wrong}</p>` : nothing}
      </form>`;
    },
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close(false)}>${words.cancel}</button>
        <button
          class="button primary"
          form="sign-in-again"
          ?disabled=${state.isBusy || !hasPassword}
        >
          ${words.again}
        </button>`,
  });
  return done === true;
}
