import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openAssets } from "../../../../core/http/assets/index.ts";
import { writeSvg, type Scene } from "../../../../core/web/charts/index.ts";
import { openBrowser } from "../../../support/openBrowser.ts";
import { openFakeApp, type FakeApp } from "../../../support/fakeApp.ts";
import { suite } from "../../../support/suite.ts";
import { drawSample } from "../charts/drawSample.ts";
import { samples } from "../charts/samples.ts";

type Drawing = typeof import("../../../../core/web/embed/drawScene.ts");

const sizes = [
  { width: 640, height: 400, theme: "light" },
  { width: 360, height: 240, theme: "dark" },
] as const;

/** Runs in the page. Returns the first picture that differs from the server's file, and the difference. */
async function findDifference({
  script,
  pictures,
}: {
  readonly script: string;
  readonly pictures: readonly { readonly scene: Scene; readonly file: string }[];
}): Promise<string | undefined> {
  const { drawScene } = (await import(script)) as Drawing;
  const redrawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const { scene, file } of pictures) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const { length } = drawScene(scene, svg);
    const parsed = new DOMParser().parseFromString(file.replaceAll(">\n<", "><"), "image/svg+xml");
    if (length !== scene.nodes.length) return `${scene.title}: ${length} nodes`;
    const before = [...redrawn.children];
    drawScene(scene, redrawn);
    if (!redrawn.isEqualNode(svg)) return `${scene.title}: differs when drawn over another picture`;
    const isKept = before.every(
      (each, index) =>
        each.localName !== redrawn.children[index]?.localName || each === redrawn.children[index],
    );
    if (!isKept) return `${scene.title}: an element was made anew`;
    const [drawn, written] = [svg, parsed.documentElement].map((each) =>
      new XMLSerializer().serializeToString(each),
    );
    if (drawn === written) continue;
    const at = [...drawn!].findIndex((sign, index) => sign !== written![index]);
    return `${scene.title}: ${drawn!.slice(at, at + 80)} where the file has ${written!.slice(at, at + 80)}`;
  }
  return undefined;
}

suite("core/web/embed/drawScene", (test) => {
  let app: FakeApp;
  let browser: Browser;
  let page: Page;
  test.before(async () => {
    app = await openFakeApp({ assets: openAssets() });
    browser = await openBrowser();
    page = await browser.newPage();
    await page.route(`${app.url}/page`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Page</title>" }),
    );
    await page.goto(`${app.url}/page`);
  });
  test.after(async () => {
    await browser?.close();
    await app?.close();
  });

  test.deep("a browser draws the same elements as the server's SVG for every sample", async () => {
    const drawn = sizes.flatMap((size) => samples.map((sample) => drawSample(sample, size)));
    const pictures = drawn.map((scene) => ({ scene, file: writeSvg(scene) }));
    const script = `${app.url}/embed.js`;
    assert.is(await page.evaluate(findDifference, { script, pictures }), undefined);
    // The comparison must detect a planted difference.
    const [first] = pictures;
    const other = { scene: first!.scene, file: pictures[1]!.file };
    assert.match(
      (await page.evaluate(findDifference, { script, pictures: [other] })) ?? "",
      "where the file has",
    );
  });
});
