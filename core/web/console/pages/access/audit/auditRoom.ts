import { html, type PropertyValues, type TemplateResult } from "lit";
import { saveFile } from "../../../../embed/index.ts";
import { writeAgo, writeInstant, writeNumber } from "../../../language/index.ts";
import { addressWith } from "../../../navigation/index.ts";
import {
  ConsolePage,
  ConsoleTable,
  createPagedLoad,
  define,
  emptyState,
  notify,
  notifyFailure,
  type PagedLoad,
  type TableColumn,
} from "../../../parts/index.ts";
import { noFilter, readEvents, type AuditEvent, type AuditFilter } from "./auditEvent.ts";
import { AuditFilters } from "./auditFilters.ts";
import { exportEvents, mostEvents } from "./exportEvents.ts";
import { sentence } from "./sentence.ts";
import { readSubjects, type Subjects } from "./subject.ts";
import { showEvent } from "./showEvent.ts";
import { words } from "./words.ts";

/** An event with the names of the records in it. */
interface ToldEvent extends AuditEvent {
  readonly subjects: Subjects;
}

const columns: readonly TableColumn<ToldEvent>[] = [
  {
    label: words.when,
    width: "100px",
    cell: ({ created_at: at }) => html`<span title=${writeInstant(at)}>${writeAgo(at)}</span>`,
  },
  {
    label: words.what,
    width: "minmax(min(320px, 62vw), 4fr)",
    cell: (event) => sentence(event, event.subjects),
  },
  {
    label: words.address,
    width: "minmax(110px, 1fr)",
    cell: ({ address }) => address ?? "–",
  },
];
const pageRows = 200;

/** Lists the changes in the organization, newest first. The filters and the opened event are part of the address. */
export class AuditRoom extends ConsolePage {
  static override properties = { ...ConsolePage.properties, progress: { state: true } };
  declare private progress: string | undefined;
  private exporting: AbortController | undefined;
  private shownFilter: string | undefined;
  private shown: string | undefined;
  private readonly events: PagedLoad<ToldEvent> = createPagedLoad<ToldEvent>(
    this,
    async (offset, signal) => {
      const last = offset === 0 ? undefined : this.events.value?.rows.at(-1);
      const { api } = this.context;
      const { count, rows } = await readEvents(api, this.filter, { last, limit: pageRows }, signal);
      const subjects = await readSubjects(api, rows, signal);
      // Later pages count only the remaining events.
      return { count: count + offset, rows: rows.map((row) => ({ ...row, subjects })) };
    },
  );

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-table", ConsoleTable);
    define("console-audit-filters", AuditFilters);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.exporting?.abort();
  }

  private get filter(): AuditFilter {
    const { query } = this.route;
    const given = Object.keys(noFilter).map((name) => [name, query.get(name) ?? ""]);
    return { ...noFilter, ...Object.fromEntries(given) };
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("route")) return;
    const shownFilter = JSON.stringify(this.filter);
    if (shownFilter !== this.shownFilter) {
      this.shownFilter = shownFilter;
      void this.events.start();
    }
    const id = this.route.query.get("event") ?? undefined;
    if (id !== undefined && id !== this.shown) void this.open(id);
    this.shown = id;
  }

  private async open(id: string): Promise<void> {
    const { api, router } = this.context;
    try {
      await showEvent(api, id, this.events.value?.rows);
    } catch (failure) {
      notifyFailure(failure);
    }
    // The reader may have followed a link in the dialog, so the address may be another page.
    if (router.current.query.get("event") === id)
      router.go(addressWith(router.current, { event: undefined }), { replaces: true });
  }

  private async export(type: "csv" | "json"): Promise<void> {
    const running = new AbortController();
    this.exporting = running;
    try {
      const { file, isCut } = await exportEvents(
        this.context.api,
        this.filter,
        type,
        running.signal,
        (read, count) => {
          this.progress = words.exporting(writeNumber(read), writeNumber(count));
        },
      );
      saveFile(file, "audit", type);
      if (isCut) notify({ text: words.cut(writeNumber(mostEvents)) });
    } catch (failure) {
      if (!running.signal.aborted) notifyFailure(failure);
    }
    this.progress = undefined;
  }

  protected override render(): TemplateResult {
    const { router } = this.context;
    const isFiltered = Object.values(this.filter).some((value) => value !== "");
    return html`<div class="stack">
      <console-audit-filters
        .api=${this.context.api}
        .filter=${this.filter}
        .onChange=${(changes: Partial<AuditFilter>) =>
          router.go(addressWith(this.route, changes), { replaces: true })}
      ></console-audit-filters>
      <div class="row">
        <p class="muted small grow audit-note">${words.onlyDone}</p>
        ${
          this.progress === undefined
            ? html`<span class="row"
                ><button class="button" @click=${() => void this.export("csv")}>
                  ${words.exportCsv}
                </button>
                <button class="button" @click=${() => void this.export("json")}>
                  ${words.exportJson}
                </button></span
              >`
            : html`<span role="status">${this.progress}</span>
                <button class="button" @click=${() => this.exporting?.abort()}>
                  ${words.stop}
                </button>`
        }
      </div>
      ${this.events.show(({ rows, count }) =>
        rows.length === 0
          ? emptyState({ title: isFiltered ? words.nothingFound : words.none })
          : html`<p class="muted small" role="status">${words.count(count)}</p>
              <console-table
                id="audit"
                .label=${words.title}
                .columns=${columns}
                .rows=${rows}
                .onOpen=${({ id }: AuditEvent) => router.go(addressWith(this.route, { event: id }))}
                .onEnd=${() => void this.events.more()}
              ></console-table>`,
      )}
    </div>`;
  }
}
