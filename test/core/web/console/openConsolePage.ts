import type { Browser, Page } from "playwright-core";

/** Screen sizes in pixels. */
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 360, height: 780 } };

export interface OpenPageOptions {
  readonly size?: keyof typeof sizes;
  readonly theme?: "light" | "dark";
  /**
   * Whether the screen supports touch.
   * @default false
   */
  readonly hasTouch?: boolean;
  /**
   * The language and region of the browser.
   * @default en-US
   */
  readonly locale?: string;
  /**
   * Whether the page starts with a session of the key pair.
   * @default true
   */
  readonly isSignedIn?: boolean;
}

/** A page of the console in its own browser, so that no other page has its session. */
export interface OpenConsolePage {
  readonly page: Page;
  /** Policy violations, script errors and dialogs of the page. */
  readonly reports: readonly string[];
}

/** Collects policy violations, starting before the first script. */
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
    // The browser's confirmation before leaving unsaved changes. Any other dialog would come from an injected script.
    if (dialog.type() === "beforeunload") return void dialog.accept();
    reports.push(`dialog: ${dialog.message()}`);
    return void dialog.dismiss();
  });
  page.on("console", (message) => {
    // A refusal by the host that the page shows to the user is not an error of the page.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) reports.push(message.text());
  });
}

/** Opens a page of the console, signed in with a key pair. The caller closes the browser. */
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
    /**
     * The list that collects reports.
     * @default a new list for the page
     */
    readonly reports?: string[];
  },
  {
    size = "wide",
    theme = "light",
    locale = "en-US",
    isSignedIn = true,
    hasTouch = false,
  }: OpenPageOptions = {},
): Promise<OpenConsolePage> {
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    hasTouch,
    locale,
    timezoneId: "UTC",
    // Colours are not final until their transition has finished.
    reducedMotion: "reduce",
  });
  if (isSignedIn) {
    // The page shares the cookies of these requests, and no page has to be loaded only to sign in.
    const answer = await context.request.post(`${url}/auth/session`, {
      headers: { "X-Manifold-Console": "1", Origin: new URL(url).origin },
      data: pair,
    });
    if (!answer.ok()) throw new Error(`the host answered ${answer.status()} to the sign-in`);
  }
  const page = await context.newPage();
  follow(page, reports);
  await page.addInitScript(report);
  await page.goto(url + path);
  return { page, reports };
}
