import { html, nothing } from "lit";
import type { Api } from "../../api/index.ts";
import { openForm, textField } from "../../parts/index.ts";
import { qrCode } from "./qrCode.ts";
import type { Added } from "./account.ts";
import { words } from "./words.ts";

interface Begun {
  readonly secret: string;
  readonly uri: string;
  readonly ticket: string;
}

/** Adds an authenticator app: shows its secret, then verifies a code. Returns undefined if the reader cancels. */
export async function addApp(api: Api): Promise<Added | undefined> {
  const { secret, uri, ticket } = await api.account<Begun>("app/begin");
  const state = { name: words.phone, code: "" };
  return openForm<Added>({
    title: words.addApp,
    action: words.add,
    body: ({ wrong }) =>
      html`<p>${words.scan}</p>
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
          wrong,
          value: state.code,
          autocomplete: "one-time-code",
          isRequired: true,
          onInput: (value) => (state.code = value),
        })}`,
    save: () => api.account<Added>("app/add", { ticket, ...state }),
  });
}
