import type { Browser, Page } from "playwright-core";
import { beginSession } from "./beginSession.ts";

/** A page of the console in a browser, signed in. */
export interface OpenConsolePage {
  readonly page: Page;
  /** Reports of the policy, and errors of scripts. */
  readonly reports: string[];
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

/** Opens the console at a path, signed in by a key pair. */
export async function openConsolePage(
  browser: Browser,
  url: string,
  pair: { readonly key: string; readonly token: string },
): Promise<OpenConsolePage> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const reports: string[] = [];
  await page.addInitScript(report);
  await page.goto(url);
  await beginSession(page, pair);
  page.on("console", (message) => {
    // Refusals that a page shows are no errors of the page.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) reports.push(message.text());
  });
  page.on("pageerror", (failure) => reports.push(String(failure)));
  return { page, reports };
}
