import { html, nothing } from "lit";
import type { Api } from "../../api/index.ts";
import { openDialog, textField } from "../../parts/index.ts";
import { qrCode } from "./qrCode.ts";
import type { Added } from "./account.ts";
import { words } from "./words.ts";

interface Begun {
  readonly secret: string;
  readonly uri: string;
  readonly ticket: string;
}

/** Adds an authenticator app: shows its secret, and takes the first code. Undefined when the reader leaves it. */
export async function addApp(api: Api): Promise<Added | undefined> {
  const { secret, uri, ticket } = await api.account<Begun>("app/begin");
  const state = { name: words.phone, code: "", wrong: "", isBusy: false };
  return openDialog<Added>({
    title: words.addApp,
    body: (dialog) =>
      html`<form
        id="add-app"
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          void (async () => {
            state.isBusy = true;
            dialog.redraw();
            try {
              const { name, code } = state;
              dialog.close(await api.account<Added>("app/add", { ticket, code, name }));
            } catch (failure) {
              state.wrong = failure instanceof Error ? failure.message : String(failure);
              state.isBusy = false;
              dialog.redraw();
            }
          })();
        }}
      >
        <p>${words.scan}</p>
        <div class="qr-code">
          ${qrCode(uri, words.qrCode)}
          <div class="stack">
            <span class="small muted">${words.secret}</span>
            <span class="secret-text">${secret.match(/.{4}/g)?.join(" ") ?? nothing}</span>
          </div>
        </div>
        ${textField({ id: "app-name", label: words.name, value: state.name, isRequired: true, onInput: (value) => (state.name = value) })}
        ${textField({
          id: "app-code",
          label: words.code,
          hint: words.codeHint,
          wrong: state.wrong,
          value: state.code,
          autocomplete: "one-time-code",
          isRequired: true,
          onInput: (value) => (state.code = value),
        })}
      </form>`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button class="button primary" form="add-app" ?disabled=${state.isBusy}>
          ${words.add}
        </button>`,
  });
}
