import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { linkLibraries } from "../../../../core/catalog/postgres/linkLibraries.ts";
import { suite } from "../../../support/suite.ts";

suite("core/catalog/postgres/linkLibraries", (test) => {
  let root = "";
  const native = () => join(root, "native");
  const list = (links: readonly object[]) =>
    writeFileSync(join(native(), "pg-symlinks.json"), JSON.stringify(links));
  test.beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "manifold-links-"));
    mkdirSync(join(native(), "lib"), { recursive: true });
    writeFileSync(join(native(), "lib/libpq.so.5.18"), "library");
  });
  test.afterEach(() => rmSync(root, { recursive: true, force: true }));

  test("missing links between the embedded server's libraries are created once", () => {
    list([{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }]);
    for (let start = 0; start < 2; start++) linkLibraries(native());
    assert.is(readFileSync(join(native(), "lib/libpq.so.5"), "utf8"), "library");
    assert.is(readlinkSync(join(native(), "lib/libpq.so.5")), "libpq.so.5.18");
  });

  test("a listed link between libraries is not created if it leads out of its folder", () => {
    list([
      { source: "native/lib/libpq.so.5.18", target: "native/lib/../../stray" },
      { source: "/etc/passwd", target: "native/lib/stray" },
    ]);
    linkLibraries(native());
    assert.not(existsSync(join(root, "stray")));
    assert.not(existsSync(join(native(), "lib/stray")));
  });

  test("a package without a list of links gets no links", () => {
    linkLibraries(native());
    assert.not(existsSync(join(native(), "lib/libpq.so.5")));
  });

  test("if links are missing in a read-only folder, the error says what to do", () => {
    list([{ source: "native/none/libpq.so.5.18", target: "native/none/libpq.so.5" }]);
    assert.throws(() => linkLibraries(native()), /npm rebuild.*DATABASE_URL/s);
  });
});
