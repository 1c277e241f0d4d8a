/** Packages that only one test, bench, example or command needs. `npm ci` leaves them out. */
export interface PackageSet {
  /**
   * The folder of `package.json`, `package-lock.json` and later `node_modules`, relative to the top of the repository.
   */
  readonly folder: string;
  readonly brings: string;
  /** Size in megabytes on Linux x64, as reported by `du -sm`. */
  readonly sizeMb: number;
  /** Some platform-specific packages are missing from the registry, so `npm ci`, which needs all of them, fails. */
  readonly hasGaps?: true;
}

/** All package sets, keyed by their name in `npm run packages`. */
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
