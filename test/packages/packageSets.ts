/** Packages that only one test, bench, example or command needs. `npm ci` does not install them. */
export interface PackageSet {
  /**
   * The folder that contains `package.json` and `package-lock.json`, relative to the root of the repository. Installing
   * the set adds `node_modules` to it.
   */
  readonly folder: string;
  readonly brings: string;
  /** Size of the installed set in megabytes on Linux x64, as reported by `du -sm`. */
  readonly sizeMb: number;
  /**
   * Set if packages for some platforms are missing from the registry. `npm ci` then fails because it needs all
   * packages.
   */
  readonly hasGaps?: true;
}

/** All package sets, keyed by the name that `npm run packages` accepts. */
export const packageSets = {
  clickhouse: {
    folder: "test/support/clickhouse",
    brings: "ClickHouse's engine",
    sizeMb: 546,
  },
  chromium: {
    folder: "test/support/chromium",
    brings: "the Chromium of the tests",
    sizeMb: 75,
  },
  assemblyscript: {
    folder: "engine/kernels/assembly",
    brings: "AssemblyScript, the compiler of the kernels",
    sizeMb: 102,
  },
  docs: {
    folder: "docs",
    brings: "VitePress, which builds the site of the documentation",
    sizeMb: 104,
  },
  frameworks: {
    folder: "examples/embed/pages",
    brings: "React, Vue and Angular for the example of embedding",
    sizeMb: 75,
  },
  mcpConformance: {
    folder: "test/support/mcpConformance",
    brings: "the conformance suite of MCP",
    sizeMb: 52,
  },
  generatedClient: {
    folder: "test/core/http/openapi/generatedClient",
    brings: "a generator of clients from OpenAPI",
    sizeMb: 35,
  },
  peers: {
    folder: "test/bench/peers",
    brings: "Polars, which the bench compares with",
    sizeMb: 116,
    hasGaps: true,
  },
} as const satisfies Readonly<Record<string, PackageSet>>;

export type PackageSetName = keyof typeof packageSets;
