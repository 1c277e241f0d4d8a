import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** A page of the console in a browser, signed in. */
export interface OpenConsolePage {
  readonly page: Page;
  /** Reports of the policy, and errors of scripts. */
  readonly reports: string[];
  /** Findings of axe-core on the page as it is now. */
  findings(): Promise<readonly string[]>;
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

async function signIn(pair: { readonly key: string; readonly token: string }): Promise<number> {
  const answer = await fetch("/auth/session", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Manifold-Console": "1" },
    body: JSON.stringify(pair),
  });
  return answer.status;
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
  const status = await page.evaluate(signIn, pair);
  if (status !== 200) throw new Error(`the host answered ${status} to the sign-in`);
  page.on("console", (message) => {
    // Refusals that a page shows are no errors of the page.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) reports.push(message.text());
  });
  page.on("pageerror", (failure) => reports.push(String(failure)));
  return {
    page,
    reports,
    async findings() {
      await page.evaluate(axeSource);
      return page.evaluate(async () => {
        const { axe } = window as unknown as { axe: typeof import("axe-core") };
        const { violations } = await axe.run(document);
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      });
    },
  };
}
