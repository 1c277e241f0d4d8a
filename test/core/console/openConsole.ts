import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { createClient, type Client } from "../../../core/client.ts";
import { openHost, type Host } from "../../../core/host.ts";
import { openBrowser } from "../../support/openBrowser.ts";
import { openTestCatalog } from "../../support/catalog.ts";
import { beginSession } from "./beginSession.ts";

/** Screens on which pages are seen. */
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 360, height: 780 } };

export interface OpenPageOptions {
  readonly size?: keyof typeof sizes;
  readonly theme?: "light" | "dark";
  /** Whether the screen takes fingers; false when left out. */
  readonly hasTouch?: boolean;
  /** Whether the page begins with a session of the owner; true when left out. */
  readonly isSignedIn?: boolean;
}

/** A host with its console in a browser. */
export interface OpenConsole {
  readonly url: string;
  readonly client: Client;
  readonly pair: { readonly key: string; readonly token: string };
  /** Reports of the policy, errors of scripts and dialogs, of all pages. */
  readonly reports: readonly string[];
  openPage(path: string, options?: OpenPageOptions): Promise<Page>;
  /** A link that signs a browser in once. */
  signInLink(): Promise<string>;
  /** Ends the host and opens it again at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a host on an empty catalog, and a browser. The caller closes both by `close`. */
export async function openConsole(more: Parameters<typeof openHost>[0] = {}): Promise<OpenConsole> {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-console-"));
  const catalog = await openTestCatalog();
  const settings = {
    dataDir,
    databaseUrl: catalog.databaseUrl,
    secret: "a secret for tests only, and long enough",
    logLevel: "silent",
    workers: 1,
    callsPerSecond: 0,
    ...more,
  } as const;
  let host: Host = await openHost({ ...settings, port: 0 });
  const { url } = host;
  const pair = host.madeCredentials ?? { key: "", token: "" };
  const browser: Browser = await openBrowser();
  const reports: string[] = [];
  const contexts: BrowserContext[] = [];
  const follow = (page: Page) => {
    page.on("pageerror", (failure) => reports.push(`error: ${String(failure)}`));
    page.on("dialog", (dialog) => {
      // The question before unsaved changes are left; any other dialog is a script of others.
      if (dialog.type() === "beforeunload") return void dialog.accept();
      reports.push(`dialog: ${dialog.message()}`);
      return void dialog.dismiss();
    });
    page.on("console", (message) => {
      const text = message.text();
      // A browser logs every refused call; a policy names its directive.
      if (message.type() === "error" && /policy|trusted/i.test(text)) reports.push(text);
    });
  };
  return {
    url,
    client: createClient({ url, ...pair }),
    pair,
    reports,
    async openPage(
      path,
      { size = "wide", theme = "light", isSignedIn = true, hasTouch = false } = {},
    ) {
      const context = await browser.newContext({
        viewport: sizes[size],
        colorScheme: theme,
        hasTouch,
        locale: "en-US",
        timezoneId: "UTC",
        // Colours that move are no colours of a page.
        reducedMotion: "reduce",
      });
      contexts.push(context);
      const page = await context.newPage();
      follow(page);
      if (isSignedIn) {
        await page.goto(`${url}/explore`);
        await beginSession(page, pair);
      }
      await page.goto(url + path);
      return page;
    },
    signInLink: () => host.createSignInLink(pair),
    async restart() {
      await host.close();
      host = await openHost({ ...settings, port: Number(new URL(url).port) });
    },
    async close() {
      for (const context of contexts) await context.close();
      await browser.close();
      await host.close();
      await catalog.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
