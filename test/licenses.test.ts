import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { writeBill } from "../deploy/npm/writeBill.ts";
import { suite } from "./support/suite.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * SPDX identifiers of permitted licenses. All of them require only a notice. MPL-2.0 also requires that the source of
 * the files under this license is available.
 */
const permitted = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "PostgreSQL",
]);

/** Packages whose license is stated only in a file. We have read these files. */
const readByUs = new Map([["png-js", "MIT"]]);

interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** The members of a CycloneDX bill of materials that this test reads. */
interface Bill {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses?: readonly {
      readonly expression?: string;
      readonly license?: { readonly id?: string; readonly name?: string };
    }[];
  }[];
}

/**
 * Returns whether a license expression is permitted. In a choice (`OR`), at least one license must be permitted; in a
 * combination (`AND`), all licenses must be permitted.
 */
function isPermitted(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((license) => permitted.has(license.trim())));
}

/** Returns the packages that are installed with the product. Each has its name and version, and its license. */
function installed(): Map<string, string> {
  const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const workspaces = Object.entries(lock.packages).filter(
    ([path]) => path !== "" && !path.includes("node_modules/"),
  );
  const plugin = workspaces.filter(([, { name }]) => name === "@manifold-analytics/plugin");
  return new Map(
    Object.entries(lock.packages)
      .filter(([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link)
      .concat(plugin)
      .map(([path, { name: own, version, license }]) => {
        const name = own ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
        return [`${name}@${version}`, license ?? readByUs.get(name) ?? "none"];
      }),
  );
}

suite("licenses", (test) => {
  test("every package installed with the product has a license that requires only a notice", () => {
    const packages = installed();
    assert.ok(packages.size > 50, `${packages.size} packages`);
    assert.equal(
      [...packages].filter(([, license]) => !isPermitted(license)),
      [],
    );
  });

  test.deep(
    "the bill of materials lists every package installed with the product, with version and license",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-bill-"));
      const file = join(folder, "sbom.cdx.json");
      writeBill(file);
      const { bomFormat, components } = JSON.parse(readFileSync(file, "utf8")) as Bill;
      rmSync(folder, { recursive: true, force: true });
      assert.is(bomFormat, "CycloneDX");
      const listed = components.map(({ name, version }) => `${name}@${version}`);
      assert.equal([...new Set(listed)].toSorted(), [...installed().keys()].toSorted());
      for (const { name, purl, licenses = [] } of components) {
        assert.match(purl, /^pkg:npm\//);
        if (readByUs.has(name)) continue;
        const [{ license, expression } = {}] = licenses;
        const stated = expression ?? license?.id ?? license?.name ?? "none";
        assert.ok(isPermitted(stated), `${name}: ${stated}`);
      }
    },
  );

  test("the check detects licenses that require more than a notice, even within a combination of licenses", () => {
    for (const license of [
      "GPL-3.0-only",
      "none",
      "MIT AND GPL-2.0-only",
      "SEE LICENSE IN x",
      "UNLICENSED",
    ])
      assert.not(isPermitted(license), license);
    for (const license of ["MIT", "(MIT OR GPL-3.0-only)", "MIT AND ISC"])
      assert.ok(isPermitted(license), license);
  });
});
