import * as assert from "uvu/assert";
import { openBrowser } from "../../../support/openBrowser.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People } from "../../openPeople.ts";

suite("core/host: the page behind a private link", (test) => {
  let people: People;
  let dataset: Dataset;
  test.before(async () => {
    people = await openPeople();
    dataset = await people.push();
  });
  test.after(() => people?.close());

  const makeShare = async (isPublic: boolean) => {
    const field = { columnId: dataset.columns["km"], datasetId: dataset.id, type: "numeric" };
    const item = {
      id: "km",
      type: "evolution-number",
      position: { col: 0, row: 0, sizeX: 12, sizeY: 8 },
      slots: [{ name: "measure", content: [field] }],
    };
    const board = await people.owner.create<{ id: string }>("securable", {
      type: "dashboard",
      name: { en: "</title><script>alert(1)</script>" },
      contents: { version: "0.1.99", views: [{ screenModus: "desktop", items: [item] }] },
    });
    const share = await people.owner.create<{ id: string }>("share", {});
    await people.owner.associate("share", share.id, { role: "Dashboard", id: board.id });
    const rights = { flagRead: true, flagUse: true };
    const group = { role: "Groups", id: people.publicGroup };
    for (const id of isPublic ? [board.id, dataset.id] : [])
      await people.owner.associate("securable", id, group, rights);
    return { boardId: board.id, key: share.id };
  };
  const open = async (key: string) => {
    const answer = await fetch(`${people.host.url}/shared/${key}`);
    return { status: answer.status, page: await answer.text(), headers: answer.headers };
  };

  test("the page of a private link has the dashboard's name as text, and a strict security policy", async () => {
    const { boardId, key } = await makeShare(true);
    const { status, page, headers } = await open(key);
    assert.is(status, 200);
    assert.match(
      page,
      `<manifold-dashboard dashboard="${boardId}" auth-key="${key}" theme="auto">`,
    );
    const name = "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;";
    assert.match(page, `<title>${name}</title>`);
    assert.match(page, `<h1>${name}</h1>`);
    assert.not.match(page, "<script>alert");
    const policy = String(headers.get("content-security-policy"));
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'"])
      assert.match(policy, part);
    assert.not.match(policy, "unsafe");
    assert.is(headers.get("referrer-policy"), "no-referrer");
  });

  test("the component on a shared page sends only the share key, and adding a token, even an empty one, makes the call fail", async () => {
    const { key } = await makeShare(true);
    const find = { queries: [sumOf(dataset)] };
    const answer = await people.call("data", { action: "get", key, find });
    assert.equal([answer.status, answer.body["data"]], [200, [[21]]]);
    for (const token of ["x", ""]) {
      const wrong = await people.call("data", { action: "get", key, token, find });
      assert.is(wrong.status, 401);
    }
  });

  test.deep(
    "a shared page shows its numbers in a browser that is not signed in, within the security policy",
    async () => {
      const { key } = await makeShare(true);
      const browser = await openBrowser();
      try {
        const page = await browser.newPage();
        const reports: string[] = [];
        page.on("pageerror", (failure) => reports.push(String(failure)));
        page.on("console", (message) => {
          if (message.type() === "error") reports.push(message.text());
        });
        await page.goto(`${people.host.url}/shared/${key}`);
        await page.locator('[data-item="km"] [data-mark]', { hasText: "21" }).waitFor();
        assert.equal(reports, []);
        await page.goto(`${people.host.url}/shared/${"x".repeat(22)}`);
        await page.getByRole("heading", { name: "This link shows nothing" }).waitFor();
      } finally {
        await browser.close();
      }
    },
  );

  test("every invalid private link returns the same page", async () => {
    const { key } = await makeShare(true);
    const unknown = `${key.slice(1)}${key.startsWith("A") ? "B" : "A"}`;
    const answers = await Promise.all(
      [unknown, "short", "%22%3E%3Cscript%3E", people.owner.pair.key].map(open),
    );
    for (const { status, page } of answers) {
      assert.is(status, 404);
      assert.is(page, answers[0]?.page);
      assert.not.match(page, "<script");
    }
  });
});
