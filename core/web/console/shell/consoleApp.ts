import { html, LitElement, nothing, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { createApi, type SignedInUser } from "../api/index.ts";
import { keepVisit, openRouter } from "../navigation/index.ts";
import {
  ConsolePage,
  define,
  elementOf,
  emptyState,
  errorState,
  loadingState,
  mark,
  menuIcon,
  moonIcon,
  notifyFailure,
  openMenu,
  searchIcon,
  sunIcon,
  type Command,
} from "../parts/index.ts";
import { ChoosePassword } from "./choosePassword.ts";
import { openColorModes } from "./colorMode.ts";
import { languageEntries } from "./languageEntries.ts";
import { FileDrop } from "./fileDrop.ts";
import { openPalette } from "./palette.ts";
import { pages, type PageEntry, type PagePath } from "./pages.ts";
import { SignIn } from "./signIn.ts";
import { words } from "./words.ts";

/** Who is signed in: a user, nobody, or not known yet. */
type Session = "unknown" | "nobody" | SignedInUser;

/** The console: the bar, the page at the current address, and the sign-in form if there is no session. */
export class ConsoleApp extends LitElement {
  static override properties = {
    session: { state: true },
    notice: { state: true },
    passwordLink: { state: true },
    failure: { state: true },
  };
  declare private session: Session;
  declare private notice: string | undefined;
  /** The secret of the one-time link with which the reader chooses a password. */
  declare private passwordLink: string | undefined;
  declare private failure: unknown;
  private readonly router = openRouter(window);
  private readonly colors = openColorModes(() => this.requestUpdate());
  private readonly drop = new FileDrop(this, {
    isOn: () => typeof this.session !== "string" && !this.mustAddFactor,
    onDrop: (files) => this.receiveFiles(files),
  });
  /** Dropped files that wait until the Data page is loaded. */
  private dropped: readonly File[] = [];
  private readonly api = createApi({ onSignedOut: () => this.signedOut() });
  /** The open page. The page stays open while only the address below its path changes. */
  private open: { readonly entry: PageEntry; readonly element: ConsolePage } | undefined;

  constructor() {
    super();
    this.session = "unknown";
    this.router.onChange(() => this.requestUpdate());
    define("console-sign-in", SignIn);
    define("console-choose-password", ChoosePassword);
    window.addEventListener("keydown", (event) => {
      const isPalette = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey);
      if (!isPalette || typeof this.session === "string" || this.mustAddFactor) return;
      event.preventDefault();
      this.openPalette();
    });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.begin();
  }

  /** Signs in with the link in the address if there is one; otherwise checks who is signed in. */
  private async begin(): Promise<void> {
    const link = /^#sign-in=(.+)$/.exec(window.location.hash)?.[1];
    this.passwordLink = /^#password=([\w-]+)$/.exec(window.location.hash)?.[1];
    if (this.passwordLink !== undefined) {
      // The secret does not stay in the history of the browser.
      window.history.replaceState(null, "", window.location.pathname + window.location.search);
      this.session = "nobody";
      return;
    }
    try {
      if (link !== undefined) {
        window.history.replaceState(null, "", window.location.pathname + window.location.search);
        try {
          this.session = await this.api.signIn({ link: decodeURIComponent(link) });
          return;
        } catch {
          this.notice = words.linkUsed;
        }
      }
      const failed = /^#sign-on=(\w+)&request=([\w-]+)$/.exec(window.location.hash);
      if (failed) {
        window.history.replaceState(null, "", window.location.pathname + window.location.search);
        const [, code = "", request = ""] = failed;
        const text = words.signOnFailures[code] ?? words.signOnFailed;
        this.notice = `${text} ${words.signOnRequest(request)}.`;
      }
      this.session = (await this.api.who()) ?? "nobody";
      if (this.session !== "nobody") this.notice = undefined;
    } catch (failure) {
      this.failure = failure;
    }
  }

  private signedOut(): void {
    if (this.session === "nobody") return;
    this.notice = words.sessionEnded;
    this.session = "nobody";
    this.open = undefined;
  }

  private async signOut(): Promise<void> {
    try {
      await this.api.signOut();
      // The next user must not see unsaved changes of this user.
      sessionStorage.clear();
      this.notice = undefined;
      this.session = "nobody";
      this.open = undefined;
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  /** Opens dropped files in the import of the open page, or else of the Data page. */
  private receiveFiles(files: readonly File[]): void {
    const { element } = this.open ?? {};
    if (element?.receiveFiles) return element.receiveFiles(files);
    this.dropped = files;
    this.router.go("/data/upload");
  }

  private openPalette(): void {
    const { api, router, shownPages, session } = this;
    if (typeof session === "string" || document.querySelector("dialog.palette")) return;
    const kind = words.kinds.page;
    const pageCommands = shownPages.map(({ path }) => ({
      label: words.pages[path],
      kind,
      run: () => router.go(`/${path}`),
    }));
    const own = this.open?.element.commands ?? [];
    const taken = new Set(own.map(({ label }) => label));
    const actions = this.actions.filter(({ label }) => !taken.has(label));
    openPalette({ api, userId: session.id, router, own, actions, pages: pageCommands });
  }

  /** The actions that the palette offers on every page. */
  private get actions(): readonly Command[] {
    const { router } = this;
    const { features, role } = typeof this.session === "string" ? {} : this.session;
    const has = (flag: string) => features?.removed?.includes(flag) !== true;
    const link = (label: string, address: string): Command => ({
      label,
      kind: words.kinds.action,
      run: () => router.go(address),
    });
    return [
      link(words.newDashboard, "/dashboards?new=1"),
      ...(has("flag_create_datasets") ? [link(words.upload, "/data/upload")] : []),
      link(words.connect, "/data/connect"),
      ...(has("flag_alerting") ? [link(words.newAlert, "/alerts/new")] : []),
      ...(role === "owner" ? [link(words.invite, "/access/people?new=1")] : []),
      ...this.colorEntries
        .filter(({ isChosen }) => !isChosen)
        .map(({ choice, run }) => ({
          label: words.useColors[choice],
          kind: words.kinds.action,
          run,
        })),
      ...languageEntries()
        .filter(({ isChosen }) => !isChosen)
        .map(({ label, run }) => ({
          label: words.useLanguage(label),
          kind: words.kinds.action,
          run,
        })),
      { label: words.signOut, kind: words.kinds.action, run: () => void this.signOut() },
    ];
  }

  private get colorEntries() {
    const { colors } = this;
    return (["system", "light", "dark"] as const).map((choice) => ({
      choice,
      label: words.colorChoices[choice],
      isChosen: colors.choice === choice,
      run: () => colors.choose(choice),
    }));
  }

  /** The pages available to this user. The Ask page needs a model. */
  private get shownPages(): readonly (typeof pages)[number][] {
    const features = typeof this.session === "string" ? undefined : this.session.features;
    if (this.mustAddFactor) return pages.filter(({ path }) => path === "account");
    const hasAlerts = features?.removed?.includes("flag_alerting") !== true;
    return pages.filter(
      ({ path }) =>
        (path !== "ask" || features?.assistant === true) && (path !== "alerts" || hasAlerts),
    );
  }

  private get mustAddFactor(): boolean {
    return typeof this.session !== "string" && this.session.mustAddFactor === true;
  }

  private get entry(): (typeof pages)[number] | undefined {
    const [first = ""] = this.mustAddFactor ? ["account"] : this.router.current.parts;
    return pages.find(({ path }) => path === first);
  }

  protected override render(): TemplateResult {
    if (this.failure !== undefined)
      return html`<main class="page">
        ${errorState(this.failure, () => {
          this.failure = undefined;
          void this.begin();
        })}
      </main>`;
    if (this.session === "unknown") return html`<main class="page">${loadingState()}</main>`;
    if (this.passwordLink !== undefined)
      return html`<console-choose-password
        .api=${this.api}
        .link=${this.passwordLink}
        .onSignedIn=${(user: SignedInUser) => {
          this.passwordLink = undefined;
          this.session = user;
        }}
        .onLeave=${(notice?: string) => {
          this.passwordLink = undefined;
          this.notice = notice;
        }}
      ></console-choose-password>`;
    if (this.session === "nobody")
      return html`<console-sign-in
        .api=${this.api}
        .notice=${this.notice}
        .onSignedIn=${(user: SignedInUser) => {
          this.notice = undefined;
          this.session = user;
        }}
      ></console-sign-in>`;
    const { entry } = this;
    return html`<a class="skip button" href="#content" @click=${this.skip}>${words.skip}</a>
      ${this.renderBar(this.session, entry?.path)}
      <main id="content" tabindex="-1">
        ${entry ? this.showPage(entry, this.session) : this.renderNotFound()}
      </main>
      ${this.drop.render()}`;
  }

  private readonly skip = (event: Event): void => {
    event.preventDefault();
    this.querySelector<HTMLElement>("#content")?.focus();
  };

  private renderNotFound(): TemplateResult {
    const action = html`<a class="button" href="/">${words.goHome}</a>`;
    return emptyState({ title: words.notFound, text: words.notFoundText, action });
  }

  private renderBar(user: SignedInUser, open: PagePath | undefined): TemplateResult {
    const isDark = this.colors.current === "dark";
    const called = user.name || user.email || "?";
    return html`<header class="bar">
      <a class="brand" href="/">${mark}<span>Manifold</span></a>
      <nav aria-label=${words.navigation}>
        ${this.shownPages
          .filter(({ path }) => path !== "" && path !== "account")
          .map(
            ({ path }) =>
              html`<a href="/${path}" aria-current=${ifDefined(path === open ? "page" : undefined)}
                >${words.pages[path]}</a
              >`,
          )}
      </nav>
      <div class="tools">
        <button
          class="button search"
          ?disabled=${this.mustAddFactor}
          @click=${() => this.openPalette()}
        >
          ${searchIcon}<span>${words.search}</span>
          <kbd aria-hidden="true">${navigator.platform.startsWith("Mac") ? "⌘K" : "Ctrl K"}</kbd>
        </button>
        <button
          class="button quiet icon"
          aria-label=${words.colors}
          aria-haspopup="menu"
          @click=${(event: Event) =>
            openMenu(elementOf(event.currentTarget, HTMLElement), words.colors, this.colorEntries)}
        >
          ${isDark ? moonIcon : sunIcon}
        </button>
        <button
          class="button quiet icon"
          aria-label="${words.account}: ${called}"
          aria-haspopup="menu"
          @click=${(event: Event) =>
            openMenu(elementOf(event.currentTarget, HTMLElement), words.account, [
              { label: called, run: () => this.router.go("/account") },
              "separator",
              ...languageEntries(),
              "separator",
              { label: words.signOut, run: () => void this.signOut() },
            ])}
        >
          <span class="avatar" aria-hidden="true">${called.slice(0, 1).toLocaleUpperCase()}</span>
        </button>
        <button
          class="button quiet icon open-menu"
          aria-label=${words.menu}
          aria-haspopup="menu"
          @click=${(event: Event) =>
            openMenu(
              elementOf(event.currentTarget, HTMLElement),
              words.navigation,
              this.shownPages.map(({ path }) => ({
                label: words.pages[path],
                run: () => this.router.go(`/${path}`),
              })),
            )}
        >
          ${menuIcon}
        </button>
      </div>
    </header>`;
  }

  /** Returns the element of a page, which is loaded on first use; a skeleton until it is loaded. */
  private showPage(
    entry: (typeof pages)[number],
    user: SignedInUser,
  ): TemplateResult | ConsolePage {
    if (this.open?.entry !== entry) {
      this.open = undefined;
      if (!customElements.get(entry.tag)) {
        void this.loadPage(entry);
        return html`<div class="page">${loadingState()}</div>`;
      }
      document.title = entry.path === "" ? "Manifold" : `${words.pages[entry.path]} · Manifold`;
      this.open = { entry, element: elementOf(document.createElement(entry.tag), ConsolePage) };
    }
    const { element } = this.open ?? {};
    if (!element) return html`${nothing}`;
    const { api, router } = this;
    const theme = this.colors.current;
    const known = element.context;
    if (known?.theme !== theme || known.user !== user)
      element.context = { api, user, router, theme };
    if (element.route?.path !== router.current.path) keepVisit(user.id, router.current);
    element.route = router.current;
    if (this.dropped.length > 0 && element.receiveFiles) {
      element.receiveFiles(this.dropped);
      this.dropped = [];
    }
    return element;
  }

  private async loadPage(entry: (typeof pages)[number]): Promise<void> {
    try {
      define(entry.tag, await entry.load());
      this.requestUpdate();
    } catch (failure) {
      this.failure = failure;
    }
  }
}
