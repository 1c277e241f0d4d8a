import {
  listOf,
  looksOf,
  readScreen,
  resolveTheme,
  themeIdsOf,
  type ChartTheme,
  type DashboardView,
  type Screen,
  type Stored,
} from "../../charts/index.ts";
import { HostError } from "../host/index.ts";
import type { Records } from "./createRecords.ts";
import { knownLocale, knownZone } from "./knownLocale.ts";

type Json = Readonly<Record<string, unknown>>;

/** What the menus of a dashboard can offer. */
export const menuParts = ["export", "alert"] as const;
/** A part of the menus: `export` saves files, and `alert` creates alerts. */
export type MenuPart = (typeof menuParts)[number];

/** How a dashboard looks. Members may change while the dashboard is open. */
export interface DashboardLook {
  /**
   * Theme that replaces the themes and CSS of the dashboard and of the token.
   * @default the themes and CSS of the dashboard and of the token
   */
  readonly theme?: "light" | "dark" | undefined;
  /**
   * Colours that the page sets, as CSS that `resolveTheme` reads. They override the colours of the theme.
   * @default none
   */
  readonly css?: string | undefined;
  /**
   * Language tag of the reader, such as `nl-BE`.
   * @default the language of the token, then of the browser
   */
  readonly localeId?: string | undefined;
  /**
   * IANA time zone of the reader, such as `Europe/Brussels`. A time zone fixed by the contents takes precedence.
   * @default the time zone of the token, then of the browser
   */
  readonly timezoneId?: string | undefined;
  /**
   * The screen whose layout is shown.
   * @default the screen of the token, then chosen by the width of the element
   */
  readonly screen?: Screen | undefined;
  /**
   * Filters of the page, in the format of the data service. They apply to every item of their dataset.
   * @default []
   */
  readonly filters?: readonly object[] | undefined;
  /**
   * Values of the dashboard's parameters by name. They replace the default values; overrides in the token take
   * precedence.
   * @default {}
   */
  readonly parameters?: Json | undefined;
  /**
   * What the menus of the dashboard and of its items offer, if the token allows it.
   * @default []: no menus
   */
  readonly menu?: readonly MenuPart[] | undefined;
}

/** A look in which theme, language and time zone are always set. */
export interface ResolvedLook extends Omit<DashboardLook, "theme"> {
  readonly theme: ChartTheme;
  readonly localeId: string;
  readonly timezoneId: string;
  /** Currency of amounts that have none of their own, as an ISO 4217 code. Undefined: these amounts have none. */
  readonly currencyId: string | undefined;
  /** What the menus offer the reader. The host checks the token's rights again for every call. */
  readonly reader: {
    readonly canExport: boolean;
    /** The address to which alerts of the reader are mailed; undefined for a reader who may not create alerts. */
    readonly email: string | undefined;
  };
}

/** The parts of a dashboard that determine its look. */
export interface OwnLook {
  readonly view: DashboardView | undefined;
  readonly css: unknown;
}

/** The look of a dashboard, combined from the page, the dashboard and the token. */
export interface Look {
  /** Returns the look that the page set, without defaults. */
  given(): DashboardLook;
  now(): ResolvedLook;
  give(next: DashboardLook): void;
  /** Sets the parts that come from the dashboard. */
  takeOwn(own: OwnLook): void;
  /** Reads the look that the token sets. If that fails, the dashboard is shown without it. */
  readToken(): Promise<void>;
  /** Reads the themes named by the dashboard and the token, unless the page names a theme. */
  readThemes(): Promise<void>;
  /**
   * Combines the parts of the look. Returns whether the theme changed. If the new theme is equal, the old object is
   * kept.
   */
  resolve(): boolean;
}

/** Members of a token that determine how dashboards look. */
const tokenAttributes = [
  "theme",
  "theme_id",
  "css",
  "locale_id",
  "timezone_id",
  "currency_id",
  "screenmode",
  "feature_overrides",
  "role",
  "email",
] as const;

export interface LookOptions {
  /** Returns the id of the token; undefined if it cannot be read. */
  readonly ownKey: (() => Promise<string | undefined>) | undefined;
  /** The reader's address, if the token has none. */
  readonly email: string | undefined;
  readonly records: Records;
  /** The part that the page sets. */
  readonly first: DashboardLook;
}

/** Creates the look of a dashboard. */
export function createLook({ records, ownKey, email, first }: LookOptions): Look {
  let given = first;
  let own: OwnLook = { view: undefined, css: undefined };
  let token: Stored<(typeof tokenAttributes)[number]> = {};
  /** Private links have no record of a token, and may not export. People in a session of the host may. */
  let hasToken = false;
  let themes: ReadonlyMap<string, unknown> = new Map();
  let look = resolved(undefined);

  function resolved(before: ChartTheme | undefined): ResolvedLook {
    const { theme: wanted, css } = given;
    const ofToken = { theme: token.theme, themeId: token.theme_id, css: token.css };
    const sources = { view: own.view?.stored ?? {}, css: own.css, token: ofToken };
    const below = wanted ? [{ theme: { type: wanted } }] : looksOf(sources, themes);
    const theme = resolveTheme(undefined, css ? [...below, { css }] : below);
    return {
      ...given,
      theme: before && isEqual(theme, before) ? before : theme,
      localeId: given.localeId ?? knownLocale(token.locale_id) ?? browserLocale(),
      timezoneId: given.timezoneId ?? knownZone(token.timezone_id) ?? browserZone(),
      screen: given.screen ?? readScreen(token.screenmode),
      currencyId: typeof token.currency_id === "string" ? token.currency_id : undefined,
      reader: {
        canExport: (hasToken || ownKey === undefined) && offers("export", "!flag_export"),
        email:
          offers("alert", "!flag_alerting") && token.role !== "viewer"
            ? (textOf(token.email) ?? email)
            : undefined,
      },
    };
  }

  function offers(part: MenuPart, removal: string): boolean {
    return (
      given.menu?.includes(part) === true && !listOf(token.feature_overrides).includes(removal)
    );
  }

  return {
    given: () => given,
    now: () => look,
    give(next) {
      given = next;
    },
    takeOwn(next) {
      own = next;
    },
    async readToken() {
      try {
        const key = await ownKey?.();
        hasToken = key !== undefined;
        token =
          key === undefined
            ? {}
            : ((await records.findOne("authorization", key, tokenAttributes)) ?? {});
      } catch (failure) {
        if (!(failure instanceof HostError)) throw failure;
        token = {};
      }
    },
    async readThemes() {
      const ofToken = { themeId: token.theme_id };
      const ids = themeIdsOf({ view: own.view?.stored ?? {}, css: undefined, token: ofToken });
      if (given.theme !== undefined || ids.every((id) => themes.has(id))) return;
      const found = await records.find("theme", { id: { in: ids } }, ["theme"]);
      themes = new Map(found.map((each) => [String(each["id"]), each["theme"]]));
    },
    resolve() {
      const before = look.theme;
      look = resolved(before);
      return look.theme !== before;
    },
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function browserLocale(): string {
  return knownLocale(navigator.language) ?? "en";
}

function browserZone(): string {
  return knownZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? "UTC";
}
