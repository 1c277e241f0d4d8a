import { html, nothing } from "lit";
import type { Api } from "../../api/index.ts";
import { writeInstant } from "../../language/index.ts";
import {
  createSecret,
  notify,
  openForm,
  selectField,
  showOnce,
  textField,
} from "../../parts/index.ts";
import { words } from "./words.ts";

/** A plugin whose secret the reader can change. */
export interface PluginSecret {
  readonly id: string;
  /** Instant until which the previous secret is also accepted; null if only the new secret is accepted. */
  readonly previous_secret_until: string | null;
}

const keptHours = ["0", "1", "24", "168", "720"] as const;

/**
 * Opens the form for a new secret of a plugin, and for how long the old secret is still accepted. If the reader enters
 * no secret, the page generates one and shows it once.
 */
export async function changeSecret(
  api: Api,
  { id, previous_secret_until: until }: PluginSecret,
): Promise<void> {
  const state = { secret: "", hours: "24" };
  const isKept = until !== null && Date.parse(until) > Date.now();
  const made = await openForm<string | undefined>({
    title: words.newSecret,
    action: words.newSecret,
    members: ["new_secret"],
    body: ({ wrong, mistakeOf, attempt }) =>
      html`<p>${words.newSecretText}</p>
        ${textField({
          id: "new-secret",
          label: words.secret,
          hint: words.newSecretHint,
          type: "password",
          autocomplete: "off",
          value: state.secret,
          wrong: mistakeOf("new_secret") ?? wrong,
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
                    void attempt(async () => {
                      await api.update("plugin", id, { keep_secret_hours: 0 });
                      notify({ text: words.formerEnded });
                      return undefined;
                    })}
                >
                  ${words.endFormer}
                </button>
              </p>`
            : nothing
        }`,
    async save() {
      const secret = state.secret || createSecret();
      const keep = Number(state.hours);
      await api.update("plugin", id, { new_secret: secret, keep_secret_hours: keep });
      return secret;
    },
  });
  if (made === undefined) return;
  if (state.secret === "")
    await showOnce({ title: words.secretTitle, text: words.newSecretOnce, secret: made });
  else notify({ text: words.secretChanged });
}
