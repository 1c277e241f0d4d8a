import { html, type PropertyValues, type TemplateResult } from "lit";
import { textOf, writeMonth, writeNumber } from "../../../language/index.ts";
import {
  ConsolePage,
  createLoad,
  emptyState,
  rowTable,
  selectField,
} from "../../../parts/index.ts";
import { words } from "./words.ts";

/** The parts by which the reader can divide the numbers, each with the member that names it in a row. */
const members = {
  month: "month",
  suborganization: "suborganization",
  integration: "integration_id",
  dashboard: "securable_id",
  viewer: "viewer_id",
} as const;
type Part = keyof typeof members;

/** The resources whose records have the names of parts. */
const named = {
  integration_id: "integration",
  securable_id: "securable",
  viewer_id: "user",
} as const;

interface Row {
  readonly month?: string;
  readonly suborganization?: string | null;
  readonly integration_id?: string | null;
  readonly securable_id?: string | null;
  readonly viewer_id?: string;
  readonly viewer_count: number;
  readonly view_count: number;
  readonly question_count: number;
  readonly export_count: number;
  readonly model_call_count: number;
}
interface Activity {
  readonly part: Part;
  readonly count: number;
  readonly rows: readonly Row[];
  readonly lost_count: number;
  readonly names: ReadonlyMap<string, string>;
}

const numbers = [
  "viewer_count",
  "view_count",
  "question_count",
  "export_count",
  "model_call_count",
] as const;
/** Number of months that the reader can choose from. The host keeps them. */
const monthCount = 25;
const mostRows = 500;

const isPart = (value: string): value is Part => Object.hasOwn(members, value);

/** Returns the months in UTC, the current month first. */
function recentMonths(): readonly string[] {
  const now = new Date();
  return Array.from({ length: monthCount }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index)).toISOString().slice(0, 7),
  );
}

/** A table of what people and programs did in one month, divided by a part that the reader chooses. */
export class ActivityView extends ConsolePage {
  static override properties = {
    ...ConsolePage.properties,
    month: { state: true },
    division: { state: true },
  };
  declare private month: string;
  declare private division: Part;

  constructor() {
    super();
    this.month = recentMonths()[0] ?? "";
    this.division = "suborganization";
  }

  private readonly activity = createLoad<Activity>(this, async (signal) => {
    const { api } = this.context;
    const part = this.division;
    const month = part === "month" ? recentMonths() : this.month;
    const { dashboardId } = this;
    const where = { month, ...(dashboardId !== undefined && { securable_id: dashboardId }) };
    const answer = await api.call<Omit<Activity, "names" | "part">>(
      "usage",
      "get",
      { find: { by: [part], where, limit: mostRows } },
      { signal },
    );
    return { ...answer, part, names: await this.readNames(part, answer.rows, signal) };
  });

  private readonly dashboard = createLoad<string>(this, async (signal) => {
    const find = { where: { id: this.dashboardId }, attributes: ["id", "name"] };
    const { rows } = await this.context.api.get("securable", find, { signal });
    return textOf(rows[0]?.["name"]) || (this.dashboardId ?? "");
  });

  /** The only dashboard whose usage is shown; undefined for all usage. */
  private get dashboardId(): string | undefined {
    return this.route.query.get("dashboard") ?? undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.dashboardId !== undefined) {
      this.division = "month";
      void this.dashboard.start();
    }
    void this.activity.start();
  }

  private showAll(): void {
    this.context.router.go("/access/usage", { replaces: true });
    this.division = "suborganization";
  }

  protected override updated(changed: PropertyValues): void {
    const before: unknown = changed.get("route");
    if (before !== undefined && before !== this.route) void this.activity.start();
  }

  /** Loads the numbers again. */
  refresh(): void {
    void this.activity.start();
  }

  /** Returns the names of the rows' records by id. Records that the reader cannot see have no name. */
  private async readNames(part: Part, rows: readonly Row[], signal: AbortSignal) {
    const member = members[part];
    if (member === "month" || member === "suborganization") return new Map<string, string>();
    const ids = rows.flatMap((row) => row[member] ?? []);
    if (ids.length === 0) return new Map<string, string>();
    const found = await this.context.api.call<{
      readonly rows: readonly {
        readonly id: string;
        readonly name: unknown;
        readonly email?: string;
      }[];
    }>(
      named[member],
      "get",
      {
        find: {
          where: { id: { in: ids } },
          attributes: member === "viewer_id" ? ["id", "name", "email"] : ["id", "name"],
          limit: mostRows,
        },
      },
      { signal },
    );
    return new Map(found.rows.map(({ id, name, email }) => [id, textOf(name) || (email ?? "")]));
  }

  protected override render(): TemplateResult {
    const start = () => void this.activity.start();
    return html`<div class="activity surface">
      <h2 class="usage-name">${words.activity}</h2>
      <p class="muted">${words.activityIntro}</p>
      ${
        this.dashboardId === undefined
          ? ""
          : html`<p class="row">
              <strong>${words.ofDashboard(this.dashboard.value ?? "…")}</strong>
              <button class="button quiet" @click=${() => this.showAll()}>${words.ofAll}</button>
            </p>`
      }
      <div class="activity-choices">
        ${selectField({
          id: "activity-part",
          label: words.by,
          value: this.division,
          choices: Object.keys(members)
            .filter(isPart)
            .map((part) => ({ value: part, label: words.parts[part] })),
          onSelect: (value) => {
            if (!isPart(value)) return;
            this.division = value;
            start();
          },
        })}
        ${
          this.division === "month"
            ? ""
            : selectField({
                id: "activity-month",
                label: words.month,
                value: this.month,
                choices: recentMonths().map((month) => ({
                  value: month,
                  label: writeMonth(month),
                })),
                onSelect: (month) => {
                  this.month = month;
                  start();
                },
              })
        }
      </div>
      ${this.activity.show((activity) => tableOf(activity))}
    </div>`;
  }
}

/** Returns the numbers of a part. Each person is one person. */
const numbersOf = (part: Part): readonly (typeof numbers)[number][] =>
  part === "viewer" ? numbers.filter((member) => member !== "viewer_count") : numbers;

function tableOf(activity: Activity): TemplateResult {
  const { part, rows, count, lost_count: lostCount } = activity;
  if (rows.length === 0 && lostCount === 0)
    return emptyState({ title: words.noActivity, text: words.noActivityText });
  return html`${rowTable<Row>({
    label: words.activity,
    columns: [
      { head: words.parts[part], isName: true, cell: (row) => nameOf(row, activity) },
      ...numbersOf(part).map((member) => ({
        head: words.acts[member],
        isNumeric: true,
        cell: (row: Row) => writeNumber(row[member]),
      })),
    ],
    rows,
  })}
  ${count > rows.length ? html`<p class="usage-note">${words.cut(rows.length, count)}</p>` : ""}
  ${lostCount > 0 ? html`<p class="usage-note soft"><span>${words.lost(writeNumber(lostCount))}</span></p>` : ""}`;
}

function nameOf(row: Row, { part, names }: Activity): string {
  const value = row[members[part]];
  if (value === null || value === undefined) return words.none[part];
  if (part === "month") return writeMonth(value);
  return names.get(value) || (part === "viewer" ? words.none.viewer : value);
}
