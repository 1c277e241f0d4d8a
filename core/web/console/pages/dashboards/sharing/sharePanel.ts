import { html, LitElement, nothing, type TemplateResult } from "lit";
import { isolated } from "../../../language/index.ts";
import { createLoad, elementOf, type ConsoleContext } from "../../../parts/index.ts";
import {
  invitePerson,
  readAccess,
  readFilterColumns,
  type Access,
  type Recipient,
  type RowFilterColumns,
} from "../../../sharing/index.ts";
import type { Contents } from "../contents.ts";
import { recipientName } from "./recipientName.ts";
import { words } from "./words.ts";

interface Read {
  readonly access: Access;
  readonly columns: RowFilterColumns;
}

/**
 * Who can see a dashboard: a search for people and groups to share it with, everyone who has access, and its private
 * links. Properties: `context`, `dashboardId`, `contents`.
 */
export class SharePanel extends LitElement {
  static override properties = {
    context: { attribute: false },
    dashboardId: { attribute: false },
    contents: { attribute: false },
    search: { state: true },
    recipient: { state: true },
  };
  declare context: ConsoleContext;
  declare dashboardId: string;
  declare contents: Contents;
  declare private search: string;
  declare private recipient: Recipient | undefined;
  private readonly read = createLoad<Read>(this, async (signal) => {
    const { api } = this.context;
    const options = { candidates: this.search.trim() };
    const access = await readAccess(api, this.dashboardId, options, signal);
    const filters = access.datasets
      .flatMap(({ holders = [] }) => holders)
      .flatMap((each) => each.filters ?? []);
    return { access, columns: await readFilterColumns(api, filters, signal) };
  });

  constructor() {
    super();
    this.search = "";
    this.recipient = undefined;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.read.start());
  }

  private choose(recipient: Recipient | undefined): void {
    this.recipient = recipient;
    this.search = "";
    void this.updateComplete.then(() =>
      this.querySelector<HTMLElement>(recipient ? "select, input" : "input[type=search]")?.focus(),
    );
  }

  protected override render(): TemplateResult {
    return html`<section class="stack" aria-labelledby="share-add">
        <h3 id="share-add">${words.add}</h3>
        ${this.recipient ? this.renderForm(this.recipient) : this.renderSearch()}
      </section>
      <section class="stack" aria-labelledby="share-access">
        <h3 id="share-access">${words.access}</h3>
        ${this.read.show(
          ({ access, columns }) =>
            html`<console-access-list
              .context=${this.context}
              .access=${access}
              .columns=${columns}
              .onChange=${() => void this.read.start()}
              .onEdit=${(holder: Recipient) => this.choose(holder)}
            ></console-access-list>`,
        )}
      </section>
      <section class="stack" aria-labelledby="share-links">
        <h3 id="share-links">${words.links}</h3>
        <console-private-links
          .api=${this.context.api}
          .dashboardId=${this.dashboardId}
          .contents=${this.contents}
          .onPublic=${() => void this.read.start()}
        ></console-private-links>
      </section>`;
  }

  private renderSearch(): TemplateResult {
    const { value } = this.read;
    const found = value?.access.candidates;
    return html`<input
        class="input"
        type="search"
        aria-label=${words.search}
        placeholder=${words.search}
        .value=${this.search}
        @input=${(event: Event) => {
          this.search = elementOf(event.target, HTMLInputElement).value;
          void this.read.start();
        }}
      />
      ${
        found
          ? html`<div class="pick-list" role="group" aria-label=${words.found}>
              ${found.map((each) => this.renderCandidate(each))}
              ${
                found.length === 0
                  ? html`<p class="muted share-none">
                      ${this.context.user.role === "member" ? words.noneMember : words.none}
                    </p>`
                  : nothing
              }
              ${
                this.context.user.role === "owner"
                  ? html`<button class="pick" @click=${() => void this.invite()}>
                      <span class="grow">${words.addPerson}</span>
                    </button>`
                  : nothing
              }
            </div>`
          : nothing
      }`;
  }

  /** Invites a person who is not in the organization yet, and goes on to share with this person. */
  private async invite(): Promise<void> {
    const typed = this.search.trim();
    const person = await invitePerson(
      this.context.api,
      typed.includes("@") ? { email: typed } : {},
    );
    if (!person) return;
    const { id, email, name } = person;
    await this.read.start();
    this.choose({ kind: "user", id, name: name || email, email, is_public: false });
  }

  private renderCandidate(candidate: Recipient): TemplateResult {
    const { kind, email, is_public: isPublic, id } = candidate;
    const name = recipientName(candidate);
    const hasAccess = this.read.value?.access.holders.some((each) => each.id === id);
    const note = kind === "user" ? (email === name ? "" : email) : isPublic ? "" : words.group;
    return html`<button class="pick" @click=${() => this.choose(candidate)}>
      <span class="grow truncate">${name}</span>
      ${hasAccess ? html`<span class="badge">${words.hasAccess}</span>` : nothing}
      <span class="muted small truncate">${note}</span>
    </button>`;
  }

  private renderForm(recipient: Recipient): TemplateResult {
    const { value } = this.read;
    if (!value) return html`<p class="muted">${isolated(recipientName(recipient))}</p>`;
    return html`<console-share-form
      .api=${this.context.api}
      .access=${value.access}
      .contents=${this.contents}
      .recipient=${recipient}
      .columns=${value.columns}
      .onFailed=${() => void this.read.start()}
      .onDone=${(isStored: boolean) => {
        this.choose(undefined);
        if (isStored) void this.read.start();
      }}
    ></console-share-form>`;
  }
}
