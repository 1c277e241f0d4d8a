import { html, nothing, type TemplateResult } from "lit";
import {
  confirmAndRun,
  copyText,
  errorState,
  notify,
  type ConsoleContext,
} from "../../../parts/index.ts";
import {
  deleteRecord,
  nameOfRecord,
  type OpenRecord,
  type RecordViewKind,
} from "../../../records/index.ts";
import { textOf } from "../../../language/index.ts";
import { makeScimToken } from "./makeScimToken.ts";
import {
  configOf,
  draftOf,
  readConfigs,
  type SignOnDraft,
  type Explained,
  type SignOnConfig,
  type Tested,
} from "./signOnConfig.ts";
import { testResult } from "./testResult.ts";
import { words } from "./words.ts";

interface Shown {
  readonly stored: SignOnConfig;
  readonly explained: Explained;
  readonly draft: SignOnDraft;
}

const path = "/access/signon";
const isServed = ({ stored }: Shown): boolean => stored.type === "openid";

/** The view of one provider: its addresses, a test, its form, SCIM and deletion. */
export const providerView: RecordViewKind<Shown> = {
  path,
  words,
  nameOf: ({ stored }) => nameOfRecord(stored),
  mark(shown) {
    const { active } = shown.stored;
    const state = isServed(shown) ? (active ? words.active : words.inactive) : words.unserved;
    return html`<span class="badge ${active && isServed(shown) ? "good" : ""}">${state}</span>`;
  },
  note: ({ explained }) => words.depends(explained.user_count, explained.session_count),
  async read({ api }, id, signal) {
    const [stored] = (await readConfigs(api, { where: { id } }, signal)).rows;
    if (!stored) return undefined;
    const explained = await api.call<Explained>("ssoconfig", "explain", { id }, { signal });
    return { stored, explained, draft: draftOf(stored, textOf(stored.name)) };
  },
  actions(shown, record) {
    const { context } = record;
    const { stored, explained } = shown;
    const { active, id } = stored;
    const toggle = {
      label: active ? words.switchOff : words.switchOn,
      ...(!active && { look: "primary" as const }),
      run: () => switchOver(context, shown),
    };
    const remove = deleteRecord({
      context,
      resource: "ssoconfig",
      id,
      path,
      name: nameOfRecord(stored),
      label: words.removeProvider,
      text: words.removeText(explained.user_count, explained.session_count),
    });
    const test = { label: words.test, run: () => testProvider(record, id) };
    return isServed(shown) ? [test, toggle, remove] : [remove];
  },
  body: (shown, record) =>
    isServed(shown)
      ? html`${renderAddresses(shown.explained)} ${renderScim(shown, record)}
        ${renderForm(shown, record)}`
      : html`<p class="muted">${words.onlyOpenid}</p>`,
};

/** Tests a provider and shows the result until the next test or change. */
async function testProvider(record: OpenRecord, id: string): Promise<false> {
  record.show(html`<p role="status">${words.testing}</p>`);
  try {
    const tested = await record.context.api.call<Tested>("ssoconfig", "test", { id });
    record.show(testResult(tested));
  } catch (failure) {
    record.show(errorState(failure, () => void testProvider(record, id)));
  }
  return false;
}

function renderForm(
  { stored, explained, draft }: Shown,
  { context, change, show }: OpenRecord,
): TemplateResult {
  const { session_count: sessions } = explained;
  const save = async (): Promise<void> => {
    const properties = { name: draft.name.trim(), config: configOf(draft) };
    await context.api.update("ssoconfig", stored.id, properties);
    notify({ text: words.saved });
    show(nothing);
    await change(() => Promise.resolve());
  };
  return html`<console-sign-on-form
    .api=${context.api}
    .draft=${draft}
    .action=${words.save}
    .warning=${sessions > 0 ? words.savingEnds(sessions) : undefined}
    .save=${save}
  ></console-sign-on-form>`;
}

async function switchOver({ api }: ConsoleContext, { stored, explained }: Shown): Promise<boolean> {
  const { active, id } = stored;
  const run = () => api.update("ssoconfig", id, { active: !active });
  if (active)
    return confirmAndRun({
      action: words.switchOff,
      text: words.switchOffText(explained.session_count),
      run,
    });
  await run();
  return true;
}

function renderScim(
  { stored, explained, draft }: Shown,
  { context: { api }, change }: OpenRecord,
): TemplateResult {
  const { provisioned_user_count: users, provisioned_group_count: groups } = explained;
  return html`<section class="surface access-card" aria-labelledby="scim-title">
    <h2 id="scim-title">${words.provisioning}</h2>
    <p class="muted">${words.provisioningText} ${words.provisioned(users, groups)}</p>
    ${renderAddress(words.scim, explained.scim_url)}
    <div class="row">
      <button
        class="button"
        @click=${() => void change(() => makeScimToken(api, stored.id, draft.hasScimToken))}
      >
        ${draft.hasScimToken ? words.renewToken : words.makeToken}
      </button>
      ${
        draft.hasScimToken
          ? html`<button
              class="button danger"
              @click=${() =>
                void change(() =>
                  confirmAndRun({
                    action: words.removeToken,
                    text: words.removeTokenText,
                    run: () =>
                      api.update("ssoconfig", stored.id, {
                        config: configOf({ ...draftOf(stored), hasScimToken: false }),
                      }),
                  }),
                )}
            >
              ${words.removeToken}
            </button>`
          : nothing
      }
    </div>
  </section>`;
}

function renderAddresses({ redirect_url: redirect, sign_on_url: signOn }: Explained) {
  return html`<section class="surface access-card" aria-labelledby="sign-on-addresses">
    <h2 id="sign-on-addresses">${words.addresses}</h2>
    ${renderAddress(words.redirect, redirect)} ${renderAddress(words.signOn, signOn)}
  </section>`;
}

function renderAddress(label: string, address: string): TemplateResult {
  return html`<div class="address">
    <span class="muted small">${label}</span>
    <span class="grow wrap key-text">${address}</span>
    <button
      class="button quiet"
      aria-label=${words.copyNamed(label)}
      @click=${() => void copyText(address)}
    >
      ${words.copy}
    </button>
  </div>`;
}
