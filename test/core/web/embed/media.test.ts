import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPages, type Pages } from "../console/openPages.ts";
import { itemOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";

const site = "https://media.example";
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC",
  "base64",
);

async function begin(attributes: Readonly<Record<string, string>>): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement("manifold-dashboard");
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.querySelector("main")!.replaceChildren(made);
}

suite("core/web/embed/media", (test) => {
  let host: DashboardHost;
  let browser: Browser;
  let open: Pages;
  let strict: Pages;
  let attributes: Readonly<Record<string, string>>;
  /** The requests for media, with what they say about the page. */
  let requests: { readonly path: string; readonly referrer: string | undefined }[] = [];
  test.before(async () => {
    host = await openDashboardHost();
    const { url } = host.people.host;
    const policy =
      `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${url}; ` +
      "require-trusted-types-for 'script'";
    strict = await openPages({ policy });
    open = await openPages({
      policy: `${policy}; img-src ${site}; media-src ${site}; frame-src ${site}`,
    });
    browser = await openBrowser();
    const dashboard = await host.create([
      itemOf("Plan", "image", {}, [0, 0, 24, 16], {
        url: `${site}/plan.png`,
        link: { url: { en: `${site}/more` }, tooltip: { en: "More" }, target: "_blank" },
      }),
      itemOf("Tour", "video", {}, [24, 0, 24, 16], {
        sources: { en: [{ src: `${site}/tour.mp4`, type: "video/mp4" }] },
        autoPlay: true,
      }),
      itemOf("Status", "iframeobject", {}, [0, 16, 24, 16], { url: { en: `${site}/status` } }),
      itemOf("Unsafe", "iframeobject", {}, [24, 16, 24, 16], { url: "javascript:alert(1)" }),
      itemOf("Broken", "image", {}, [0, 32, 24, 16], { url: `${site}/missing.png` }),
    ]);
    const { pair } = await host.mint();
    attributes = { dashboard, host: url, "auth-key": pair.key, "auth-token": pair.token };
  });
  test.after(async () => {
    await browser?.close();
    await Promise.all([open, strict].map((pages) => pages?.close()));
    await host?.close();
  });

  async function show(pages: Pages, width: number): Promise<Page> {
    requests = [];
    const page = await pages.open(browser, { width, height: 900 });
    await page.route(`${site}/**`, async (route) => {
      const { pathname: path } = new URL(route.request().url());
      requests.push({ path, referrer: route.request().headers()["referer"] });
      if (path === "/plan.png") return route.fulfill({ contentType: "image/png", body: pixel });
      if (path === "/status")
        return route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><title>Status</title><body><script>
            let kept = "kept";
            try { localStorage.setItem("a", "b"); } catch { kept = "refused"; }
            let above = "seen";
            try { above += parent.document.title; } catch { above = "refused"; }
            document.body.textContent = "All systems run. " + kept + " " + above + " " + origin;
          </script>`,
        });
      // A server that does not answer yet.
      if (path === "/tour.mp4") return undefined;
      return route.fulfill({ status: 404, body: "" });
    });
    await page.evaluate(begin, attributes);
    return page;
  }
  const cell = (page: Page, id: string) => page.locator(`[data-item="${id}"]`);

  test.deep("an image has its title as alternative text, and a link around it", async () => {
    const page = await show(open, 1_440);
    const image = cell(page, "Plan").getByRole("img", { name: "Plan" });
    await image.waitFor();
    assert.is(await image.evaluate((each: HTMLImageElement) => each.naturalWidth), 1);
    const link = cell(page, "Plan").getByRole("link", { name: "Plan" });
    assert.is(await link.getAttribute("href"), `${site}/more`);
    assert.is(await link.getAttribute("rel"), "noopener noreferrer");
    await link.focus();
    assert.is(await page.evaluate(() => document.activeElement?.tagName), "MANIFOLD-DASHBOARD");
    await page.close();
  });

  test.deep(
    "a web page is shown in a frame without the origin, storage or address of the page around it",
    async () => {
      const page = await show(open, 1_440);
      const frame = cell(page, "Status").locator("iframe");
      await frame.waitFor();
      assert.is(await frame.getAttribute("title"), "Status");
      const body = cell(page, "Status").frameLocator("iframe").locator("body");
      await body.filter({ hasText: "All systems run. refused refused null" }).waitFor();
      assert.not.match((await frame.getAttribute("sandbox")) ?? "", /same-origin|top-navigation/);
      assert.is(requests.find(({ path }) => path === "/status")?.referrer, undefined);
      // A page can forbid frames, so it can be opened on its own.
      const opener = cell(page, "Status").locator('[part="link"]');
      assert.is(await opener.getAttribute("href"), `${site}/status`);
      await page.close();
    },
  );

  test.deep("a video that starts by itself is silent, and has a name and controls", async () => {
    const page = await show(open, 1_440);
    const video = cell(page, "Tour").locator("video");
    await video.waitFor();
    const told = await video.evaluate((each: HTMLVideoElement) => ({
      name: each.ariaLabel,
      isMuted: each.muted,
      startsAlone: each.autoplay,
      hasControls: each.controls,
    }));
    assert.equal(told, { name: "Tour", isMuted: true, startsAlone: true, hasControls: true });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.evaluate(begin, attributes);
    await page.waitForFunction(() => {
      const shown = document.querySelector("manifold-dashboard")?.shadowRoot;
      return shown?.querySelector("video")?.autoplay === false;
    });
    await page.close();
  });

  test.deep("an unsafe address is never loaded, and the item says so", async () => {
    const page = await show(open, 1_440);
    const said = cell(page, "Unsafe").getByText("This item has no address", { exact: false });
    await said.last().waitFor();
    assert.is(await cell(page, "Unsafe").locator("iframe").count(), 0);
    await page.close();
  });

  test.deep("what cannot be loaded is named with its title, its address and a link", async () => {
    const page = await show(open, 1_440);
    const broken = cell(page, "Broken");
    await broken.getByText("could not be loaded").waitFor();
    await broken.getByText("Not shown here:", { exact: true }).waitFor();
    assert.is(
      await broken
        .locator('[part="note"]')
        .getByRole("link", { name: "Open link" })
        .getAttribute("href"),
      `${site}/missing.png`,
    );
    assert.is(await broken.locator("img").count(), 0);
    await page.close();
  });

  test.deep("under a policy without other servers, every item names its address", async () => {
    const page = await show(strict, 360);
    for (const id of ["Plan", "Tour", "Status", "Broken"]) {
      await cell(page, id).getByText("Not shown here:", { exact: true }).waitFor();
      await cell(page, id)
        .locator('[part="note"]')
        .getByRole("link", { name: "Open link" })
        .waitFor();
    }
    assert.equal(requests, []);
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    assert.is(isWide, false);
    await page.close();
  });
});
