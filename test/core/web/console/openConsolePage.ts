import type { Browser, Page } from "playwright-core";
import { beginSession } from "./beginSession.ts";

/** Screens on which pages are seen. */
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 360, height: 780 } };

export interface OpenPageOptions {
  readonly size?: keyof typeof sizes;
  readonly theme?: "light" | "dark";
  /** Whether the screen takes fingers; false when left out. */
  readonly hasTouch?: boolean;
  /** Whether the page begins with a session of the pair; true when left out. */
  readonly isSignedIn?: boolean;
}

/** A page of the console in a browser of its own: no other page has its session. */
export interface OpenConsolePage {
  readonly page: Page;
  /** Reports of the policy, errors of scripts, and dialogs. */
  readonly reports: readonly string[];
}

/** Collects what the policy forbids, from before the first script. */
function report(): void {
  document.addEventListener(
    "securitypolicyviolation",
    ({ violatedDirective, blockedURI, sample }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
    },
  );
}

function follow(page: Page, reports: string[]): void {
  page.on("pageerror", (failure) => reports.push(`error: ${String(failure)}`));
  page.on("dialog", (dialog) => {
    // The question before unsaved changes are left; any other dialog is a script of others.
    if (dialog.type() === "beforeunload") return void dialog.accept();
    reports.push(`dialog: ${dialog.message()}`);
    return void dialog.dismiss();
  });
  page.on("console", (message) => {
    // Refusals that a page shows are no errors of the page.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) reports.push(message.text());
  });
}

/** Opens a path of the console, signed in by a key pair. The caller closes the browser. */
export async function openConsolePage(
  browser: Browser,
  {
    url,
    path = "/",
    pair,
    reports = [],
  }: {
    readonly url: string;
    readonly path?: string;
    readonly pair: { readonly key: string; readonly token: string };
    /** Where reports are collected; a list of the page when left out. */
    readonly reports?: string[];
  },
  { size = "wide", theme = "light", isSignedIn = true, hasTouch = false }: OpenPageOptions = {},
): Promise<OpenConsolePage> {
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    hasTouch,
    locale: "en-US",
    timezoneId: "UTC",
    // Colours that move are no colours of a page.
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  follow(page, reports);
  await page.addInitScript(report);
  if (isSignedIn) {
    await page.goto(`${url}/explore`);
    await beginSession(page, pair);
  }
  await page.goto(url + path);
  return { page, reports };
}
