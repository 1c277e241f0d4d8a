import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import { openHost, type Host } from "../../../../core/host.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { openTestCatalog } from "../../../support/catalog.ts";
import { openConsolePage, type OpenPageOptions } from "./openConsolePage.ts";

/** A host and a browser for its console. */
export interface OpenConsole {
  readonly url: string;
  readonly client: Client;
  readonly pair: { readonly key: string; readonly token: string };
  /** Policy violations, script errors and dialogs of all pages. */
  readonly reports: readonly string[];
  openPage(path: string, options?: OpenPageOptions): Promise<Page>;
  /** Closes all pages, so that they stop working while other tests run. */
  closePages(): Promise<void>;
  /** Returns a link that signs a browser in once. */
  signInLink(): Promise<string>;
  /** Stops the host and starts it again at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a host with an empty catalog, and a browser. The caller closes both with `close`. */
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
  return {
    url,
    client: createClient({ url, ...pair }),
    pair,
    reports,
    openPage: async (path, options) =>
      (await openConsolePage(browser, { url, path, pair, reports }, options)).page,
    async closePages() {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    signInLink: () => host.createSignInLink(pair),
    async restart() {
      await host.close();
      host = await openHost({ ...settings, port: Number(new URL(url).port) });
    },
    async close() {
      await browser.close();
      await host.close();
      await catalog.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
