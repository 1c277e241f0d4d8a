import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { child, children, openTenantsFor } from "../openTenants.ts";

suite("core/resources/appearance/thumbnail", (test) => {
  const tenants = openTenantsFor(test);

  test("a thumbnail is an https URL or image data, and is visible to everyone who can see its record", async () => {
    const { ada, bob, call, rows, make } = tenants;
    const good = ["https://x.example/a.png", "data:image/png;base64,iVBORw0KGgo="];
    for (const url of good)
      await call(ada, "thumbnail", "create", { properties: { size: "64px", url } });
    for (const url of [
      "http://x.example",
      "javascript:alert(1)",
      "data:image/svg+xml;base64,AAAA",
      "data:text/html;base64,AAAA",
      "data:image/png;base64,<script>",
      "",
      `data:image/png;base64,${"A".repeat(140_000)}`,
    ])
      assert.match(
        await tenants.refusedBy("thumbnail", { size: "32px", url }),
        /properties\.url/,
        url.slice(0, 40),
      );
    for (const size of ["big", "", "32", 32])
      assert.match(
        await tenants.refusedBy("thumbnail", { size, url: good[0] }),
        /properties\.size/,
      );
    const [id, plugin] = [await make(ada, "thumbnail"), await make(ada, "plugin")];
    assert.equal(await rows(bob, "thumbnail", { where: { id } }), []);
    await call(ada, "plugin", "associate", { id: plugin, resource: { role: "Thumbnail", id } });
    await call(ada, "plugin", "associate", {
      id: plugin,
      resource: { role: "Organization", id: ada.organizationId },
    });
    const account = await call(ada, "account", "create", { properties: { provider: "sample" } });
    await tenants.records.change("account", account.id, { plugin_id: plugin });
    const [row] = await rows(ada, "account", {
      where: { id: account.id },
      include: [{ model: "Plugin", include: [{ model: "Thumbnail", where: { size: "32px" } }] }],
    });
    const thumbnails = children(child(row, "plugin"), "thumbnails");
    assert.equal(
      thumbnails.map((each) => each["id"]),
      [id],
    );
    assert.is((await rows(bob, "thumbnail", { where: { id } })).length, 1);
  });
});
