import { html, nothing, type TemplateResult } from "lit";
import type { Found } from "../../api/index.ts";
import {
  boardCard,
  BoardPicture,
  boardStyles,
  starStyles,
  changeFavorite,
  type ListedBoard,
} from "../../boards/index.ts";
import { textOf, writeAgo, writeNumber } from "../../language/index.ts";
import {
  checkIcon,
  ConsolePage,
  copyText,
  createLoad,
  define,
  makeKeyPair,
  notifyFailure,
  type KeyPair,
} from "../../parts/index.ts";
import { readVisits } from "../../navigation/index.ts";
import { adoptStyles } from "../../styles/index.ts";
import { readHome, type HomeRecords, type Listed, type Problem, type Recent } from "./readHome.ts";
import { homeStyles } from "./styles.ts";
import { words } from "./words.ts";

/** The Home page: recent records, problems, and three ways to add data to an empty host. */
export class HomePage extends ConsolePage {
  static override properties = { ...ConsolePage.properties, pair: { state: true } };
  /** The key pair that the reader created for the curl command. */
  declare private pair: KeyPair | undefined;
  private readonly records = createLoad(this, (signal) => {
    const { api, user } = this.context;
    return readHome(api, { userId: user.id, visits: readVisits(user.id) }, signal);
  });

  constructor() {
    super();
    adoptStyles(homeStyles, boardStyles, starStyles);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-board-picture", BoardPicture);
  }

  protected override firstUpdated(): void {
    void this.records.start();
  }

  protected override render(): TemplateResult {
    const { name, email } = this.context.user;
    return html`<div class="page">
      <header class="page-head"><h1>${words.welcome(name ?? email)}</h1></header>
      ${this.records.show((records) => this.renderRecords(records))}
    </div>`;
  }

  private renderRecords(records: HomeRecords): TemplateResult {
    const { dashboards, favorites, favoriteDatasets, datasets, alerts, recents, problems } =
      records;
    if (datasets.count === 0) return this.renderWays();
    return html`${renderProblems(problems)}
      ${favorites.count === 0 ? nothing : this.renderBoards(records, words.favorites, favorites)}
      ${this.renderBoards(records, words.dashboards, dashboards)}
      <div class="home-lists">
        ${recents.length === 0 ? nothing : renderRecents(recents)}
        ${
          favoriteDatasets.count === 0
            ? nothing
            : renderList({
                title: words.favoriteDatasets,
                path: "explore",
                all: "/data?show=favourites",
                found: favoriteDatasets,
              })
        }
        ${renderList({ title: words.datasets, path: "explore", found: datasets })}
        ${renderList({
          title: words.alerts,
          path: "alerts",
          found: alerts,
          none: html`${words.noAlerts}`,
        })}
      </div>`;
  }

  private renderBoards(
    records: HomeRecords,
    title: string,
    { count, rows }: Found<ListedBoard>,
  ): TemplateResult {
    const { context } = this;
    const isFavorites = title === words.favorites;
    const href = isFavorites ? "/dashboards?show=favourites" : "/dashboards";
    return html`<section class="stack home-boards" aria-label=${title}>
      <div class="row">
        <h2 class="grow">${title} <span class="muted small">${writeNumber(count)}</span></h2>
        ${
          count === 0
            ? nothing
            : html`<a class="small" href=${href} aria-label=${words.allOf(title)}>${words.all}</a>`
        }
      </div>
      ${
        count === 0
          ? html`<p class="muted">
              ${words.noDashboards} <a href="/data">${words.startDashboard}</a>
            </p>`
          : html`<ul class="board-cards">
              ${rows.map((board) =>
                boardCard({
                  context,
                  board,
                  collections: records.collections,
                  onStar: () => void this.star(records, board),
                  onChange: () => void this.records.start(),
                }),
              )}
            </ul>`
      }
    </section>`;
  }

  private async star(records: HomeRecords, { id }: ListedBoard): Promise<void> {
    try {
      const collections = await changeFavorite(this.context.api, records.collections, id);
      this.records.set({ ...records, collections });
      await this.records.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private readonly makePair = (): void =>
    void makeKeyPair(this.context.api)
      .then((made) => (this.pair = made ?? this.pair))
      .catch(notifyFailure);

  private renderWays(): TemplateResult {
    const line = pushLine(window.location.origin, this.pair);
    return html`<section class="stack">
      <div>
        <h2>${words.begin}</h2>
        <p class="muted">${words.beginText}</p>
      </div>
      <div class="home-ways">
        ${words.ways.map(
          (way) =>
            html`<article class="surface">
              <h3>${way.title}</h3>
              <p class="muted">${way.text}</p>
              <a class="button primary" href=${way.href}>${way.action}</a>
            </article>`,
        )}
        <article class="surface push">
          <h3>${words.push}</h3>
          <p class="muted">${words.pushText}</p>
          <pre tabindex="0">${line}</pre>
          <div class="row">
            <button class="button" @click=${this.makePair}>${words.makePair}</button>
            <button class="button" @click=${() => copyText(line)}>${words.copy}</button>
          </div>
        </article>
      </div>
    </section>`;
  }
}

const pushLine = (
  origin: string,
  { id, token } = { id: "<key>", token: "<token>" },
): string => `curl ${origin}/0.1.0/data \\
  -H 'Content-Type: application/json' \\
  -d '{"action": "create", "version": "0.1.0",
    "key": "${id}", "token": "${token}",
    "properties": {"type": "create",
      "data": [["2026-01-01", "Ghent", 12.5]],
      "options": {"header": ["day", "city", "amount"]}}}'`;

function renderProblems(problems: readonly Problem[]): TemplateResult {
  return html`<section class="stack" aria-label=${words.needsYou}>
    ${
      problems.length === 0
        ? html`<p class="row muted">
            <span class="badge good">${checkIcon}</span>${words.allWell}
          </p>`
        : html`<h2>${words.needsYou}</h2>
            <ul class="home-list surface">
              ${problems.map(
                ({ kind, id, name, href }) =>
                  html`<li>
                    <a href=${href}>
                      <span class="truncate grow">${textOf(name) || id}</span>
                      <span class="badge bad">${words.problems[kind]}</span>
                    </a>
                  </li>`,
              )}
            </ul>`
    }
  </section>`;
}

function renderRecents(recents: readonly Recent[]): TemplateResult {
  return html`<section class="stack" aria-label=${words.recents}>
    <h2>${words.recents}</h2>
    <ul class="home-list surface">
      ${recents.map(
        ({ id, name, kind, path, at }) =>
          html`<li>
            <a href=${path}>
              <span class="truncate grow">${textOf(name) || id}</span>
              <span class="muted small">${words.recentKinds[kind]}, ${writeAgo(at)}</span>
            </a>
          </li>`,
      )}
    </ul>
  </section>`;
}

interface ListOptions {
  readonly title: string;
  /** Path of the page that lists the records. The page of each record is below it. */
  readonly path: string;
  /**
   * Address of the page that lists the records.
   *
   * @default the path
   */
  readonly all?: string;
  readonly found: Found<Listed>;
  readonly none?: TemplateResult;
}

function renderList({ title, path, all = `/${path}`, found, none }: ListOptions): TemplateResult {
  return html`<section class="stack" aria-label=${title}>
    <div class="row">
      <h2 class="grow">${title} <span class="muted small">${writeNumber(found.count)}</span></h2>
      ${
        found.count > found.rows.length
          ? html`<a class="small" href=${all} aria-label=${words.allOf(title)}>${words.all}</a>`
          : ""
      }
    </div>
    ${
      found.count === 0
        ? html`<p class="muted">${none}</p>`
        : html`<ul class="home-list surface">
            ${found.rows.map(
              ({ id, name, rows, modified_at: at }) =>
                html`<li>
                  <a href="/${path}/${id}">
                    <span class="truncate grow">${textOf(name) || id}</span>
                    <span class="muted small"
                      >${typeof rows === "number" ? words.rows(rows) : at ? writeAgo(at) : ""}</span
                    >
                  </a>
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}
