import { html, LitElement, nothing, type TemplateResult } from "lit";
import { writeDay, writeNumber } from "../../language/index.ts";
import { createLoad, elementOf, emptyState } from "../../parts/index.ts";
import { words } from "./words.ts";

/** The members of a listed plugin that the page shows. The files in docs/registry contain all of them. */
interface ListedPlugin {
  readonly name: string;
  readonly slug: string;
  readonly kind: keyof typeof words.kinds;
  readonly description: string;
  readonly license: string;
  readonly maintainer: { readonly name: string };
  readonly package?: string;
  readonly path?: string;
  readonly repository?: string;
  readonly homepage: string;
  readonly protocol_version: string;
  readonly deprecated?: string;
  readonly report: {
    readonly checked_at: string;
    readonly version: string;
    readonly proved: readonly string[];
  };
}

/** Reads the list that this version of the host contains. */
async function readList(signal: AbortSignal): Promise<readonly ListedPlugin[]> {
  const answer = await fetch("/assets/plugins.json", { signal });
  if (!answer.ok) throw new Error(words.listFailed);
  return answer.json();
}

/** The plugins that people have published, and Manifold's own connectors and examples, with a search. */
export class AvailablePlugins extends LitElement {
  static override properties = { search: { state: true } };
  declare search: string;
  private readonly listed = createLoad(this, readList);

  constructor() {
    super();
    this.search = "";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.listed.start();
  }

  protected override render(): TemplateResult {
    return html`<section class="stack" aria-labelledby="available-plugins">
      <div class="row available-head">
        <div class="grow">
          <h2 id="available-plugins">${words.available}</h2>
          <p class="muted">${words.availableText}</p>
        </div>
        <input
          class="input plugin-search"
          type="search"
          aria-label=${words.search}
          placeholder=${words.search}
          .value=${this.search}
          @input=${(event: Event) => (this.search = elementOf(event.target, HTMLInputElement).value)}
        />
      </div>
      ${this.listed.show((all) => this.renderList(all))}
    </section>`;
  }

  private renderList(all: readonly ListedPlugin[]): TemplateResult {
    const wanted = this.search.trim().toLowerCase().split(/\s+/);
    const found = all.filter((each) => wanted.every((word) => textOf(each).includes(word)));
    return html`<p class="muted small" role="status">${words.found(writeNumber(found.length))}</p>
      ${
        found.length === 0
          ? emptyState({ title: words.nothingFound, text: words.nothingFoundText })
          : html`<ul class="plugin-cards">
              ${found.map((each) => html`<li class="surface stack">${renderCard(each)}</li>`)}
            </ul>`
      }`;
  }
}

/** Returns the text in which the search looks for words. */
function textOf({ name, slug, kind, description, maintainer, ...each }: ListedPlugin): string {
  const parts = [name, slug, words.kinds[kind], description, maintainer.name, each.package ?? ""];
  return parts.join(" ").toLowerCase();
}

function renderCard(each: ListedPlugin): TemplateResult {
  const { name, kind, description, license, maintainer, report, deprecated } = each;
  return html`<h3>${name} <span class="badge">${words.kinds[kind]}</span></h3>
    <p>${description}</p>
    ${deprecated === undefined ? nothing : html`<p><strong>${words.deprecated}</strong> ${deprecated}</p>`}
    <p class="muted small">${words.by(maintainer.name, license)}</p>
    <p class="small">
      <span class="badge good">${words.provedCount(report.proved.length)}</span>
      <span class="muted"
        >${words.checkedVersion(report.version, writeDay(report.checked_at))}</span
      >
    </p>
    ${each.package === undefined ? nothing : html`<p><code>${words.install(each.package)}</code></p>`}
    ${kind === "example" && each.path !== undefined ? html`<p><code>${each.path}</code></p>` : nothing}
    ${renderLink(each)}`;
}

/**
 * Renders the link of a plugin, if it has one. Only https addresses become links, because the entries of the list come
 * from many people.
 */
function renderLink({ name, slug, kind, homepage, repository }: ListedPlugin) {
  const address = [homepage, repository].find((each) => each?.startsWith("https://"));
  if (kind === "built-in")
    return html`<p>
      <a class="button" href="/data/connect/${encodeURIComponent(slug)}">${words.connect(name)}</a>
    </p>`;
  return address === undefined
    ? nothing
    : html`<p>
        <a href=${address} target="_blank" rel="noopener noreferrer">${words.visit(name)}</a>
      </p>`;
}
