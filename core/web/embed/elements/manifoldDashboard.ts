import { objectOf, screens, type Screen, type DashboardState } from "../../charts/index.ts";
import {
  createDashboard,
  knownLocale,
  knownZone,
  menuParts,
  type Dashboard,
  type DashboardEvents,
  type DashboardLook,
  type ItemData,
} from "../dashboard/index.ts";
import { createCallHost, createTokens, type GetToken } from "../host/index.ts";
import { loadFonts } from "../loadFonts.ts";
import { readPageCss } from "./readPageCss.ts";

/** Values of the `theme` attribute. `auto` follows the colour scheme of the reader's system. */
const themeNames = ["light", "dark", "auto"] as const;
/** The value of the `theme` property: a built-in theme, or `auto` for the colour scheme of the reader's system. */
export type ThemeName = (typeof themeNames)[number];

type Json = Readonly<Record<string, unknown>>;

/** A change of an `identity` attribute reloads the dashboard. A change of a `looks` attribute only updates it. */
const identity = [
  "dashboard",
  "item",
  "type",
  "slots",
  "options",
  "host",
  "auth-key",
  "auth-token",
  "view",
];
const looks = ["theme", "locale", "timezone", "screen", "filters", "parameters", "menu"];

/** The host from which the script was loaded. A bundler may have moved the script, so pages can set `host`. */
const scriptHost = new URL(import.meta.url).origin;

/**
 * The base class of the elements. Servers that render pages import this module too, and `HTMLElement` does not exist on
 * servers.
 */
const PageElement: typeof HTMLElement = Reflect.get(globalThis, "HTMLElement") ?? Object;

/** An event of an element, typed by its name in `DashboardEvents`. */
export type DashboardEvent<Name extends keyof DashboardEvents> = CustomEvent<DashboardEvents[Name]>;

/**
 * The element `<manifold-dashboard dashboard="…">`: a dashboard in a shadow root, as high as its contents. It calls the
 * host with `auth-key` and `auth-token`, or with the token that `getToken` returns. Events: `ready`, `load`, `filter`,
 * `drill`, `statechange`, `error`, `export` and `alert`.
 */
export class ManifoldDashboard extends PageElement {
  static readonly observedAttributes = [...identity, ...looks];
  readonly #root: ShadowRoot;
  #dashboard: Dashboard | undefined;
  /** Whether the element was given something else to show while it was outside of a document. */
  #isOutdated = false;
  #tokens: ReturnType<typeof createTokens> | undefined;
  #getToken: GetToken | undefined;
  #filters: readonly object[] | undefined;
  #parameters: Json | undefined;
  #state: unknown;
  #pending: "open" | "look" | undefined;
  readonly #scheme = matchMedia("(prefers-color-scheme: dark)");
  readonly #onScheme = () => this.#later("look");

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: "open" });
  }

  /** Adds a listener. Listeners for the element's own events receive a typed `detail`. */
  override addEventListener<Name extends keyof DashboardEvents>(
    type: Name,
    listener: (event: DashboardEvent<Name>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: never,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener, options);
  }

  /**
   * Id of the dashboard. Required: the element stays empty without it.
   * @default ""
   */
  get dashboard(): string {
    return this.getAttribute("dashboard") ?? "";
  }
  set dashboard(id: string) {
    this.setAttribute("dashboard", id);
  }

  /**
   * Address of the host, such as `https://analytics.example.org`.
   * @default the host from which the script was loaded
   */
  get host(): string {
    return (this.getAttribute("host") ?? scriptHost).replace(/\/+$/, "");
  }
  set host(url: string) {
    this.setAttribute("host", url);
  }

  /**
   * Key of a fixed token, or the key of a private link. Not needed if `getToken` is set.
   *
   * @default ""
   */
  get authKey(): string {
    return this.getAttribute("auth-key") ?? "";
  }
  set authKey(key: string) {
    this.setAttribute("auth-key", key);
  }

  /**
   * Secret half of the fixed token. A private link has no secret half.
   * @default ""
   */
  get authToken(): string {
    return this.getAttribute("auth-token") ?? "";
  }
  set authToken(token: string) {
    this.setAttribute("auth-token", token);
  }

  /**
   * Function that fetches a token from the server of the page. It is called at the start, before the token expires,
   * when the host refuses the token, and when the browser is online again.
   * @default undefined: the element uses `authKey` and `authToken`
   */
  get getToken(): GetToken | undefined {
    return this.#getToken;
  }
  set getToken(get: GetToken | undefined) {
    this.#getToken = get;
    this.#later("open");
  }

  /**
   * Theme that replaces the themes of the dashboard and of the token. `auto` follows the reader's system.
   * @default undefined: the themes of the dashboard and of the token
   */
  get theme(): ThemeName | undefined {
    const name = this.getAttribute("theme");
    return themeNames.find((each) => each === name);
  }
  set theme(name: ThemeName | undefined) {
    if (name === undefined) this.removeAttribute("theme");
    else this.setAttribute("theme", name);
  }

  /**
   * Language tag of the reader, such as `nl-BE`.
   * @default undefined: the language of the token, then of the browser
   */
  get locale(): string | undefined {
    return knownLocale(this.getAttribute("locale"));
  }
  set locale(id: string | undefined) {
    if (id === undefined) this.removeAttribute("locale");
    else this.setAttribute("locale", id);
  }

  /**
   * IANA time zone of the reader, such as `Europe/Brussels`.
   * @default undefined: the time zone of the token, then of the browser
   */
  get timezone(): string | undefined {
    return knownZone(this.getAttribute("timezone"));
  }
  set timezone(id: string | undefined) {
    if (id === undefined) this.removeAttribute("timezone");
    else this.setAttribute("timezone", id);
  }

  /**
   * The screen whose layout is shown.
   * @default undefined: chosen by the width of the element
   */
  get screen(): Screen | undefined {
    const name = this.getAttribute("screen");
    return screens.find((each) => each === name);
  }
  set screen(name: Screen | undefined) {
    if (name === undefined) this.removeAttribute("screen");
    else this.setAttribute("screen", name);
  }

  /**
   * Filters in the format of the data service. They apply to all items of their datasets.
   * @default []
   */
  get filters(): readonly object[] {
    return this.#filters ?? [];
  }
  set filters(filters: readonly object[]) {
    this.#filters = filters;
    this.#later("look");
  }

  /**
   * Values of the dashboard's parameters by name. Overrides in the token take precedence.
   * @default {}
   */
  get parameters(): Json {
    return this.#parameters ?? {};
  }
  set parameters(values: Json) {
    this.#parameters = values;
    this.#later("look");
  }

  /**
   * What the reader has chosen: values of filters, selections, levels of periods and parameters, as JSON that a page
   * can store. Setting it replaces the choices; undefined restores the author's defaults. The event `statechange`
   * reports changes, and the parts of a state that do not fit the dashboard.
   * @default undefined: the author's defaults
   */
  get state(): DashboardState | undefined {
    return this.#dashboard?.state();
  }
  set state(state: DashboardState | undefined) {
    this.#state = state;
    this.#dashboard?.setState(state);
  }

  /**
   * `default` opens the dashboard with its default view, if it has one. `state` takes precedence.
   * @default undefined: the author's defaults
   */
  get view(): "default" | undefined {
    return this.getAttribute("view") === "default" ? "default" : undefined;
  }
  set view(name: "default" | undefined) {
    if (name === undefined) this.removeAttribute("view");
    else this.setAttribute("view", name);
  }

  /**
   * What the menus of the dashboard and its items offer, separated by spaces: `export` saves files, and `alert` creates
   * alerts. Readers see only what their token may do.
   * @default "": no menus
   */
  get menu(): string {
    return this.getAttribute("menu") ?? "";
  }
  set menu(parts: string) {
    this.setAttribute("menu", parts);
  }

  connectedCallback(): void {
    this.#scheme.addEventListener("change", this.#onScheme);
    this.#later(this.#dashboard && !this.#isOutdated ? "look" : "open");
  }

  /** Moving to another document drops the style sheets of the shadow root, so the dashboard is opened again. */
  adoptedCallback(): void {
    this.reopen();
  }

  disconnectedCallback(): void {
    this.#scheme.removeEventListener("change", this.#onScheme);
    // An element that moves to another parent is back before the task ends, and keeps its answers.
    queueMicrotask(() => {
      if (!this.isConnected) this.#close();
    });
  }

  attributeChangedCallback(name: string): void {
    if (name === "filters") this.#filters = readFilters(this.getAttribute(name));
    if (name === "parameters") this.#parameters = readParameters(this.getAttribute(name));
    this.#later(identity.includes(name) ? "open" : "look");
  }

  /**
   * Sets the filter called `name`, replacing its previous value. Without `filters`, removes the filter. The chip shows
   * `label`, or the name.
   * @throws {TypeError} if the element shows no dashboard yet
   */
  setFilter(name: string, filters?: readonly object[], label?: string): void {
    this.#opened().setFilter(`page:${name}`, filters, label);
  }

  /**
   * Fetches all data again.
   * @throws {TypeError} if the element shows no dashboard yet
   */
  refresh(): Promise<void> {
    return this.#opened().refresh();
  }

  /**
   * Returns the rows that an item shows. Rejects if the item does not exist or has failed.
   * @throws {TypeError} if the element shows no dashboard yet
   */
  getData(itemId: string): Promise<ItemData> {
    return this.#opened().getData(itemId);
  }

  /**
   * Creates a file of the given type, such as `png` or `csv`: of the whole dashboard, or of one item.
   * @throws {TypeError} if the element shows no dashboard yet
   */
  export(type: string, itemId?: string): Promise<Blob> {
    return this.#opened().export(type, itemId);
  }

  /** The id of the only item to show; undefined to show the whole dashboard. */
  protected get shownItem(): string | undefined {
    return undefined;
  }

  /** Contents that the page itself gives; undefined to show stored contents. */
  protected get shownContents(): Json | undefined {
    return undefined;
  }

  /** Called when the element no longer shows its dashboard. */
  protected closed(): void {}

  /** Shows the element anew after a change of what it shows. */
  protected reopen(): void {
    this.#later("open");
  }

  #opened(): Dashboard {
    if (this.#pending !== undefined) this.#update();
    if (!this.#dashboard)
      throw new TypeError(
        "this element shows no dashboard yet: add it to the document, and set its dashboard and a token",
      );
    return this.#dashboard;
  }

  /** Combines all attribute changes of one task into one update. */
  #later(what: "open" | "look"): void {
    if (!this.isConnected) {
      this.#isOutdated ||= what === "open";
      return;
    }
    if (this.#pending === undefined) queueMicrotask(() => this.#update());
    if (this.#pending !== "open") this.#pending = what;
  }

  #update(): void {
    const what = this.#pending;
    this.#pending = undefined;
    if (what === undefined || !this.isConnected) return;
    if (what === "look" && this.#dashboard) return this.#dashboard.setLook(this.#look());
    this.#open();
  }

  #open(): void {
    this.#close();
    this.#isOutdated = false;
    const { dashboard: dashboardId, host: hostUrl, authKey: key, authToken: token } = this;
    const itemId = this.shownItem;
    const contents = this.shownContents;
    const hasToken = this.#getToken !== undefined || key !== "";
    if ((dashboardId === "" && !contents) || itemId === "" || !hasToken) return;
    void loadFonts(hostUrl).then(() => this.#dashboard?.setLook(this.#look()));
    const tokens = createTokens({
      getToken: this.#getToken,
      pair: key !== "" ? { key, ...(token !== "" && { token }) } : undefined,
    });
    this.#tokens = tokens;
    this.#dashboard = createDashboard(this.#root, {
      callHost: createCallHost({ hostUrl, tokens }),
      hostUrl,
      async ownKey() {
        const pair = await tokens.current();
        // With only the key of a private link, a page cannot read a token's record.
        return pair.token === undefined ? undefined : pair.key;
      },
      dashboardId,
      contents,
      itemId,
      state: this.#state,
      usesDefaultView: this.view === "default",
      look: this.#look(),
      emit: (name, detail) => {
        this.dispatchEvent(new CustomEvent(name, { detail }));
      },
    });
  }

  #look(): DashboardLook {
    const { theme } = this;
    return {
      theme: theme === "auto" ? (this.#scheme.matches ? "dark" : "light") : theme,
      css: readPageCss(this),
      localeId: this.locale,
      timezoneId: this.timezone,
      screen: this.screen,
      filters: this.#filters,
      parameters: this.#parameters,
      menu: menuParts.filter((each) => this.menu.split(/\s+/).includes(each)),
    };
  }

  #close(): void {
    this.#dashboard?.close();
    this.#tokens?.close();
    this.closed();
    this.#dashboard = undefined;
    this.#tokens = undefined;
  }
}

/**
 * Parses the `filters` attribute. Invalid filters throw, because a page without its filters would show too much.
 * @throws {SyntaxError | TypeError} unless the text is a JSON array
 */
function readFilters(text: string | null): readonly object[] | undefined {
  if (text === null || text === "") return undefined;
  const filters: readonly object[] = JSON.parse(text);
  if (!Array.isArray(filters))
    throw new TypeError("the attribute filters must be a JSON array of filters");
  return filters;
}

/**
 * Parses the `parameters` attribute.
 * @throws {SyntaxError} unless the text is JSON
 */
function readParameters(text: string | null): Json | undefined {
  return text === null || text === "" ? undefined : objectOf(JSON.parse(text));
}
