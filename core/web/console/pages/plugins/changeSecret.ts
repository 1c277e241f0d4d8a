import { html, nothing } from "lit";
import type { Api } from "../../api/index.ts";
import { writeInstant } from "../../language/index.ts";
import { notify, openDialog, selectField, showOnce, textField } from "../../parts/index.ts";
import { words } from "./words.ts";

/** A plugin whose secret the reader may change. */
export interface PluginSecret {
  readonly id: string;
  /** Until then the secret before the last change is good too. */
  readonly previous_secret_until: string | null;
}

const keptHours = ["0", "1", "24", "168", "720"] as const;

/** Returns 256 random bits as a text. */
function createSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Asks for the new secret of a plugin, and for how long the one before stays good. Without a secret of the reader's the
 * page makes one, which is shown once.
 */
export async function changeSecret(
  api: Api,
  { id, previous_secret_until: until }: PluginSecret,
): Promise<void> {
  const state: { secret: string; hours: string; wrong: string } = {
    secret: "",
    hours: "24",
    wrong: "",
  };
  const isKept = until !== null && Date.parse(until) > Date.now();
  const update = async (properties: Readonly<Record<string, unknown>>): Promise<boolean> => {
    try {
      await api.update("plugin", id, properties);
      return true;
    } catch (failure) {
      state.wrong = failure instanceof Error ? failure.message : String(failure);
      return false;
    }
  };
  const made = await openDialog<string>({
    title: words.newSecret,
    body: (dialog) =>
      html`<form
        id="secret-form"
        class="stack"
        @submit=${(event: Event) => {
          event.preventDefault();
          const secret = state.secret || createSecret();
          void update({ new_secret: secret, keep_secret_hours: Number(state.hours) }).then(
            (isStored) => (isStored ? dialog.close(secret) : dialog.redraw()),
          );
        }}
      >
        <p>${words.newSecretText}</p>
        ${textField({
          id: "new-secret",
          label: words.secret,
          hint: words.newSecretHint,
          type: "password",
          autocomplete: "off",
          value: state.secret,
          wrong: state.wrong,
          onInput: (value) => (state.secret = value),
        })}
        ${selectField({
          id: "kept-hours",
          label: words.keepFormer,
          value: state.hours,
          choices: keptHours.map((value) => ({ value, label: words.hours(Number(value)) })),
          onSelect: (value) => (state.hours = value),
        })}
        ${
          isKept
            ? html`<p>
                ${words.formerUntil(writeInstant(until))}
                <button
                  class="button quiet danger"
                  type="button"
                  @click=${() =>
                    void update({ keep_secret_hours: 0 }).then((isEnded) => {
                      if (!isEnded) return dialog.redraw();
                      notify({ text: words.formerEnded });
                      return dialog.close();
                    })}
                >
                  ${words.endFormer}
                </button>
              </p>`
            : nothing
        }
      </form>`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button class="button primary" form="secret-form">${words.newSecret}</button>`,
  });
  if (made === undefined) return;
  if (state.secret === "")
    await showOnce({ title: words.secretTitle, text: words.newSecretOnce, secret: made });
  else notify({ text: words.secretChanged });
}
