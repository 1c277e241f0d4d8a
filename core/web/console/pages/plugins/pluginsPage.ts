import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { messageOf } from "../../api/index.ts";
import { textOf, writeAgo, writeInstant, writeNumber } from "../../language/index.ts";
import {
  type Command,
  ConsolePage,
  ConsoleTable,
  createLoad,
  define,
  emptyState,
  loadingState,
  notify,
  notifyFailure,
  openDialog,
  type TableColumn,
} from "../../parts/index.ts";
import { adoptStyles } from "../../styles/index.ts";
import { AvailablePlugins } from "./availablePlugins.ts";
import { changeSecret } from "./changeSecret.ts";
import { registerPlugin } from "./registerPlugin.ts";
import { pluginStyles } from "./styles.ts";
import { words } from "./words.ts";

interface Report {
  readonly kit_version: string;
  readonly dataset_count: number;
  readonly row_count: number;
  readonly proved: readonly string[];
  readonly wrong: Readonly<Record<string, unknown>>;
}
interface Calls {
  readonly since: string;
  readonly calls: number;
  readonly failures: number;
  readonly last_at: string | null;
  readonly milliseconds: { readonly p50: number | null; readonly p95: number | null };
}
interface Plugin {
  readonly id: string;
  readonly name: unknown;
  readonly slug: string;
  /** The version in which the host calls the plugin; null if the host asks the plugin for its version. */
  readonly protocol_version: string | null;
  /** The version that the plugin reported; null before its first answer. */
  readonly answered_version: string | null;
  readonly verification: keyof typeof words.states;
  readonly checked_at: string | null;
  readonly check_report: Report | null;
  readonly user_id: string;
  readonly previous_secret_until: string | null;
}

/** Returns the protocol version in which the host calls a plugin; "" before the plugin first answers. */
const versionInUse = ({ protocol_version, answered_version }: Plugin): string =>
  protocol_version ?? answered_version ?? "";

/** Returns the address of the page with a plugin open. */
const addressOf = (id: string) => `/plugins/${id}`;

const marks = { verified: "good", failed: "bad", unchecked: "" } as const;
const columns: readonly TableColumn<Plugin>[] = [
  {
    label: words.name,
    width: "minmax(160px, 2fr)",
    cell: ({ id, name, slug }) => html`<a href=${addressOf(id)}>${textOf(name) || slug}</a>`,
  },
  { label: words.slug, width: "minmax(120px, 1fr)", cell: ({ slug }) => slug },
  { label: words.protocol, width: "120px", cell: versionInUse },
  {
    label: words.state,
    width: "130px",
    cell: ({ verification }) =>
      html`<span class="badge ${marks[verification] ?? ""}"
        >${words.states[verification] ?? verification}</span
      >`,
  },
  {
    label: words.checked,
    width: "140px",
    cell: ({ checked_at }) => (checked_at ? writeAgo(checked_at) : words.never),
  },
];

/** The Plugins page: the registered plugins and the results of the conformance kit. */
export class PluginsPage extends ConsolePage {
  /** Id of the plugin in the open dialog. */
  private shownId: string | undefined;
  private readonly plugins = createLoad(this, async (signal) => {
    const find = { order: [["slug", "asc"]], limit: 500 };
    return (await this.context.api.get<Plugin>("plugin", find, { signal })).rows;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(pluginStyles);
    define("console-table", ConsoleTable);
    define("console-available-plugins", AvailablePlugins);
    this.nameWindow(words.title);
    void this.updateComplete.then(() => this.plugins.start()).then(() => this.showAddressed());
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("route")) this.showAddressed();
  }

  /** Shows the plugin that the address names, once the plugins are loaded. */
  private showAddressed(): void {
    const [, id] = this.route.parts;
    const { value } = this.plugins;
    if (id === undefined || value === undefined || id === this.shownId) return;
    const plugin = value.find((each) => each.id === id);
    if (plugin) return this.show(plugin);
    notify({ text: words.gone, isBad: true });
    this.context.router.go("/plugins", { replaces: true });
  }

  override get commands(): readonly Command[] {
    if (!this.mayRegister) return [];
    return [{ label: words.register, kind: words.title, run: () => void this.register() }];
  }

  /**
   * Members can register plugins through the API. The console offers it to those who set up the organization's data.
   */
  private get mayRegister(): boolean {
    return this.context.user.role !== "member";
  }

  private async register(): Promise<void> {
    if (await registerPlugin(this.context.api)) await this.plugins.start();
  }

  private async check(id: string): Promise<void> {
    try {
      const { api } = this.context;
      const { problem } = await api.call<{ problem: string | null }>("plugin", "test", { id });
      notify({ text: problem ?? words.checking });
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private show(plugin: Plugin): void {
    const { id, name, slug, check_report: report } = plugin;
    const { api, user, router } = this.context;
    this.shownId = id;
    let calls: Calls | undefined;
    let wrong = "";
    void openDialog({
      title: textOf(name) || slug,
      isWide: true,
      body(dialog) {
        if (!calls && wrong === "")
          void api
            .call<Calls>("plugin", "explain", { id })
            .then((read) => (calls = read))
            .catch((failure: unknown) => {
              wrong = messageOf(failure);
            })
            .then(() => dialog.redraw());
        return html`<h3>${words.calls}</h3>
          ${calls ? renderCalls(calls) : wrong ? html`<p role="alert">${wrong}</p>` : loadingState(1)}
          ${report ? renderReport(report) : html`<p>${words.noReport}</p>`}`;
      },
      foot: (dialog) =>
        html`<button class="button" @click=${() => dialog.close()}>${words.close}</button> ${
            plugin.user_id === user.id
              ? html`<button
                  class="button"
                  @click=${() => void changeSecret(api, plugin).then(() => dialog.close())}
                >
                  ${words.newSecret}
                </button>`
              : nothing
          }
          ${
            plugin.user_id === user.id || user.role === "owner"
              ? html`<button
                  class="button primary"
                  @click=${() => void this.check(id).then(() => dialog.close())}
                >
                  ${words.check}
                </button>`
              : nothing
          }`,
    }).then(() => {
      this.shownId = undefined;
      if (this.route.parts[1] === id) router.go("/plugins");
      return this.plugins.start();
    });
  }

  protected override render(): TemplateResult {
    return html`<div class="page">
      <header class="page-head">
        <div>
          <h1>${words.title}</h1>
          <p>${words.intro}</p>
        </div>
        ${
          this.mayRegister
            ? html`<button class="button primary" @click=${() => void this.register()}>
                ${words.register}
              </button>`
            : nothing
        }
      </header>
      ${this.plugins.show((rows) =>
        rows.length === 0
          ? emptyState({ title: words.empty, text: words.emptyText })
          : html`<console-table
              id="plugins"
              .label=${words.title}
              .columns=${columns}
              .rows=${rows}
              .onOpen=${({ id }: Plugin) => this.context.router.go(addressOf(id))}
            ></console-table>`,
      )}
      <console-available-plugins></console-available-plugins>
    </div>`;
  }
}

function renderCalls({ since, calls, failures, last_at: lastAt, milliseconds }: Calls) {
  const time = (value: number | null) => (value === null ? "–" : `${writeNumber(value)} ms`);
  const facts: readonly (readonly [string, string])[] = [
    [words.callCount, writeNumber(calls)],
    [words.failures, writeNumber(failures)],
    [words.median, time(milliseconds.p50)],
    [words.slow, time(milliseconds.p95)],
    [words.lastCall, lastAt ? writeAgo(lastAt) : words.never],
  ];
  return html`<dl class="plugin-facts">
      ${facts.map(
        ([label, value]) =>
          html`<div>
            <dt class="muted small">${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <p class="muted small">${words.since(writeInstant(since))}</p>`;
}

function renderReport({
  kit_version,
  dataset_count,
  row_count,
  proved,
  wrong,
}: Report): TemplateResult {
  const mistakes = Object.entries(wrong);
  return html`<p>
      ${words.rows(writeNumber(row_count), writeNumber(dataset_count))}
      <span class="muted">${words.kit(kit_version)}</span>
    </p>
    <h3>${words.wrong}</h3>
    ${
      mistakes.length === 0
        ? html`<p>${words.nothingWrong}</p>`
        : html`<ul>
            ${mistakes.map(
              ([claim, why]) =>
                html`<li>${claim}: ${typeof why === "string" ? why : JSON.stringify(why)}</li>`,
            )}
          </ul>`
    }
    <h3>${words.proved}</h3>
    <p>${proved.join(", ") || "–"}</p>`;
}
