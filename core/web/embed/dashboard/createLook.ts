import {
  looksOf,
  resolveTheme,
  themeIdsOf,
  type ChartTheme,
  type DashboardView,
  type Screen,
  type Stored,
} from "../../charts/index.ts";
import { HostError } from "../host/index.ts";
import type { Records } from "./createRecords.ts";
import { knownLocale, knownZone } from "./knownPlace.ts";

type Json = Readonly<Record<string, unknown>>;

/** How a dashboard is shown; members may change while it is. */
export interface DashboardLook {
  /** Replaces the theme and css of the dashboard and of the token, which are shown when it is left out. */
  readonly theme?: "light" | "dark" | undefined;
  /** Colours of the page, laid over the theme, as `resolveTheme` reads them. */
  readonly css?: string | undefined;
  /** The language of the reader; of the token, then of the browser, when it is left out. */
  readonly localeId?: string | undefined;
  /** The zone of the reader, as the language; contents may fix another one. */
  readonly timezoneId?: string | undefined;
  /** The screen to show; by the width when it is left out. */
  readonly screen?: Screen | undefined;
  /** Filters of the page, in the words of the data service: every item of their dataset is filtered. */
  readonly filters?: readonly object[] | undefined;
  /** Values of parameters by name: defaults of filters, which overrides of the token replace. */
  readonly parameters?: Json | undefined;
}

/** A look without open members. */
export interface ResolvedLook extends Omit<DashboardLook, "theme"> {
  readonly theme: ChartTheme;
  readonly localeId: string;
  readonly timezoneId: string;
}

/** The parts of a dashboard that say how it looks. */
export interface OwnLook {
  readonly view: DashboardView | undefined;
  readonly css: unknown;
}

/** The look of a dashboard: the page, the dashboard and the token each say a part. */
export interface Look {
  /** As the page gave it. */
  given(): DashboardLook;
  now(): ResolvedLook;
  give(next: DashboardLook): void;
  /** Takes what the dashboard says. */
  takeOwn(own: OwnLook): void;
  /** Reads what the token says. Without it, the dashboard shows as it is. */
  readToken(): Promise<void>;
  /** Reads the themes that the dashboard and the token name, where the page names none. */
  readThemes(): Promise<void>;
  /** Puts the parts together. Returns whether the theme is another one; the same theme stays the same object. */
  resolve(): boolean;
}

/** Members of a token that say how it shows dashboards. */
const tokenAttributes = ["theme", "theme_id", "css", "locale_id", "timezone_id"];

/** Makes the look of a dashboard from the part that the page gives. `ownKey` returns the id of the token. */
export function createLook(
  records: Records,
  ownKey: (() => Promise<string | undefined>) | undefined,
  first: DashboardLook,
): Look {
  let given = first;
  let own: OwnLook = { view: undefined, css: undefined };
  let token: Stored<"theme" | "theme_id" | "css" | "locale_id" | "timezone_id"> = {};
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
    };
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

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

function browserLocale(): string {
  return knownLocale(navigator.language) ?? "en";
}

function browserZone(): string {
  return knownZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? "UTC";
}
