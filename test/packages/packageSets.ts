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
   * Set if packages for some platforms are missing from the registry. `npm ci` would then fail, because it needs all
   * packages.
   */
  readonly hasGaps?: true;
  /** Set if a peer of the set is a package of this repository, which `npm ci` could not find in the registry. */
  readonly hasOwnPeers?: true;
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
  express: {
    folder: "examples/express-app",
    brings: "Express for the example of two customers",
    sizeMb: 8,
    hasOwnPeers: true,
  },
  firebird: {
    folder: "examples/firebird",
    brings: "the driver of the Firebird example",
    sizeMb: 3,
    hasOwnPeers: true,
  },
  next: {
    folder: "examples/next-app",
    brings: "Next.js for the example of two customers",
    sizeMb: 369,
    hasOwnPeers: true,
  },
  mcpConformance: {
    folder: "test/support/mcpConformance",
    brings: "the conformance suite of MCP",
    sizeMb: 52,
  },
  openapiLinter: {
    folder: "test/support/openapiLinter",
    brings: "a linter of OpenAPI descriptions",
    sizeMb: 29,
  },
  generatedClient: {
    folder: "test/core/http/openapi/generatedClient",
    brings: "a generator of clients from OpenAPI",
    sizeMb: 35,
  },
  runtimes: {
    folder: "test/support/runtimes",
    brings: "Deno and Bun, in which the client runs",
    sizeMb: 194,
  },
  peers: {
    folder: "test/bench/peers",
    brings: "Polars, which the bench compares with",
    sizeMb: 116,
    hasGaps: true,
  },
} as const satisfies Readonly<Record<string, PackageSet>>;

export type PackageSetName = keyof typeof packageSets;
