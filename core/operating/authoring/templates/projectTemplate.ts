import { importing } from "./importing.ts";
import { leastNode, nodeTemplate } from "./nodeTemplate.ts";

/** The kinds of plugins for which there is a template. */
export type PluginKind = "rows" | "rest" | "sql";

/** What a generated project is called, and where it gets the library. */
export interface Project {
  /** The name of the package, such as `trips` or `@acme/trips`. */
  readonly name: string;
  /** The name without its scope. */
  readonly shortName: string;
  readonly kind: PluginKind;
  /** The version range of the library that the published package needs. */
  readonly range: string;
  /** Where the project itself installs the library from: the range, or `file:` and a path. */
  readonly spec: string;
  /** Paths that the package contains in addition to `dist`. */
  readonly extraFiles: readonly string[];
}

const descriptions: Readonly<Record<PluginKind, string>> = {
  rows: "A Manifold plugin that returns rows.",
  rest: "A Manifold plugin over a JSON API.",
  sql: "A Manifold connector for an SQL database.",
};

/** Versions of the packages that only the development of a plugin needs. */
export const toolVersions = { "@types/node": "^26.6.6", typescript: "7.0.2" } as const;

/** Oldest Node.js that runs the published package of each kind. The library for SQL connectors uses Temporal. */
const oldestNodes: Readonly<Record<PluginKind, number>> = { rows: 20, rest: 20, sql: 26 };

/** Returns all files of a project except those of its plugin, by path. */
export function projectFiles(project: Project): Readonly<Record<string, string>> {
  return {
    "package.json": manifest(project),
    "README.md": readme(project),
    "DEVELOPING.md": developing(project),
    "CHANGELOG.md": changelog,
    "tsconfig.json": json(types),
    "tsconfig.build.json": json(build),
    ".gitignore": "node_modules/\ndist/\n*.tgz\n",
    ".dockerignore": "node_modules\ndist\n.git\n*.tgz\n",
    ...(/^file:.*(?<!\.tgz)$/.test(project.spec) && { ".npmrc": localSettings }),
    ".github/workflows/check.yml": checkWorkflow,
    ".github/workflows/publish.yml": publishWorkflow,
    Containerfile: containerfile(project),
    "scripts/check.ts": checkProgram,
    "scripts/onNode.js": nodeTemplate,
    "scripts/runKit.ts": kitProgram,
    "test/plugin.test.ts": testProgram,
  };
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

function manifest({ name, shortName, kind, range, spec, extraFiles }: Project): string {
  return json({
    name,
    version: "0.1.0",
    description: descriptions[kind],
    keywords: ["manifold", "manifold-plugin"],
    license: "UNLICENSED",
    type: "module",
    exports: {
      ".": { types: "./dist/plugin.d.ts", default: "./dist/plugin.js" },
      "./package.json": "./package.json",
    },
    bin: { [shortName]: "dist/serve.js" },
    files: ["dist", ...extraFiles, "CHANGELOG.md"],
    scripts: {
      build: "tsc -p tsconfig.build.json",
      check: "node scripts/onNode.js scripts/check.ts",
      dev: "node scripts/onNode.js --watch src/serve.ts",
      prepack: "npm run build",
      start: `node ${oldestNodes[kind] < leastNode ? "" : "scripts/onNode.js "}dist/serve.js`,
      test: 'node scripts/onNode.js --test "test/**/*.test.ts"',
      types: "tsc",
    },
    // The host and its connectors must share one copy of the library, so the host's copy is used.
    peerDependencies: { "@manifold-analytics/plugin": range },
    devDependencies: { "@manifold-analytics/plugin": spec, ...toolVersions },
    engines: { node: `>=${oldestNodes[kind]}` },
  });
}

const types = {
  compilerOptions: {
    target: "esnext",
    lib: ["esnext"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: true,
  },
  include: ["src", "scripts", "test"],
};

const build = {
  extends: "./tsconfig.json",
  compilerOptions: {
    noEmit: false,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: "src",
    outDir: "dist",
  },
  include: ["src"],
};

const changelog = `# Changelog

## 0.1.0

- First version.
`;

/**
 * Settings that make npm copy a package from a folder instead of linking to it. A copy has its own dependencies, like a
 * package from a registry.
 */
const localSettings = "install-links=true\n";

const kitProgram = `// Runs the conformance kit on the plugin: its answers in this process, and its answers over HTTP with a secret.
import { randomBytes } from "node:crypto";
${importing("{ serve }")}
${importing("{ type CheckedTarget, checkPlugin, type CheckReport }", "/conformance")}
import plugin from "../src/plugin.ts";

export interface KitRun {
  readonly report: CheckReport;
  readonly target: CheckedTarget;
}

/** Set PLUGIN_TOKEN if the plugin's source needs a token. The same seed sends the same queries. */
export async function runKit(seed: number): Promise<KitRun> {
  const secret = randomBytes(16).toString("hex");
  const { PLUGIN_TOKEN: token } = process.env;
  // The kit sends requests that must fail, and reports what the plugin answers to them.
  const served = await serve(plugin, { secret, onError: () => {} });
  try {
    const wire = { url: served.url, protocolVersion: "manifold-1", secret } as const;
    const credentials = { properties: {}, ...(token && { token }) };
    const report = await checkPlugin({ plugin, credentials, seed, wire });
    const target = {
      name: "the plugin",
      url: served.url,
      protocolVersion: wire.protocolVersion,
      hasSecret: true,
      isStarted: true,
      credentialIds: token ? ["token"] : [],
    } as const;
    return { report, target };
  } finally {
    await served.close();
  }
}
`;

const checkProgram = `// Prints the report of the conformance kit and writes the badge. Pass another seed to send other queries.
import { writeFileSync } from "node:fs";
${importing("{ badge, textReport }", "/conformance")}
import plugin from "../src/plugin.ts";
import { runKit } from "./runKit.ts";

const [seed = "1"] = process.argv.slice(2);
if (!/^\\d{1,9}$/.test(seed)) throw new Error("the seed must be a whole number, not " + JSON.stringify(seed));
const { report, target } = await runKit(Number(seed));
console.log(textReport(report, target));
writeFileSync("badge.svg", badge(report));
await plugin.close?.();
process.exitCode = report.isPassed ? 0 : 1;
`;

const testProgram = `import assert from "node:assert/strict";
import { after, test } from "node:test";
${importing("{ textReport }", "/conformance")}
import plugin from "../src/plugin.ts";
import { runKit } from "../scripts/runKit.ts";

after(() => plugin.close?.());

test("the plugin answers as it promises, in its process and over HTTP with a secret", async () => {
  const { report, target } = await runKit(1);
  assert.ok(report.isPassed, textReport(report, target));
  assert.ok(Object.keys(report.rowCounts).length > 0, "the kit found no dataset with rows");
});

test("the plugin lists a dataset with columns", async () => {
  const call = { credentials: { properties: {} }, signal: AbortSignal.timeout(10_000) };
  const [dataset] = await plugin.datasets(call);
  assert.ok(dataset && dataset.columns.length > 0);
});
`;

const setUp = `      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          persist-credentials: false
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: "26"
      - run: npm ci
      - run: npm run build
      - run: npm run types
      - run: npm test
`;

const checkWorkflow = `# Builds and tests every pull request, and runs Manifold's conformance kit on it.
name: check

on:
  pull_request:
  push:
    branches: [main]

permissions: {}

jobs:
  check:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    permissions:
      contents: read
    steps:
${setUp}      - name: Run the conformance kit and write the badge
        run: npm run check
      - name: Compare the badge with the committed one; if they differ, run npm run check and commit badge.svg
        run: git diff --exit-code -- badge.svg
`;

const publishWorkflow = `# Publishes a version to npm when its tag (such as v1.2.3) is pushed. npm trusts this workflow through OpenID Connect
# (trusted publishing), so it needs no token. The package records the provenance of its build.
name: publish

on:
  push:
    tags: ["v*"]

permissions: {}

jobs:
  publish:
    runs-on: ubuntu-24.04
    timeout-minutes: 15
    permissions:
      contents: read
      id-token: write
    steps:
${setUp}      - name: Check that the tag matches the package version
        run: test "v$(node --print 'require("./package.json").version')" = "$GITHUB_REF_NAME"
      - run: npm publish --provenance --access public
`;

function containerfile({ name, extraFiles }: Project): string {
  const own = ["dist", ...extraFiles].map((path) =>
    path === "dist"
      ? `COPY --from=build --chown=root:root /build/dist ./dist`
      : `COPY --from=build --chown=root:root /build/${path} ./${path}`,
  );
  return `# Build: docker build -f Containerfile -t ${name.replace(/^@/, "")} .
# Run:   docker run --read-only --cap-drop ALL -e SECRET -p 7070:7070 ${name.replace(/^@/, "")}
FROM node:26-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
# The image needs the library, which the project itself lists as a development dependency, and no other tool.
RUN npm pkg delete devDependencies.typescript devDependencies.@types/node \\
    && npm prune --no-audit --no-fund

FROM node:26-bookworm-slim
ENV NODE_ENV=production \\
    HOST=0.0.0.0 \\
    PORT=7070
WORKDIR /app
COPY --from=build --chown=root:root /build/package.json ./
COPY --from=build --chown=root:root /build/node_modules ./node_modules
${own.join("\n")}
USER node
EXPOSE 7070
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \\
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health', { headers: { 'x-secret': process.env.SECRET } }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/serve.js"]
`;
}

/** Folder of the library. It contains the pages for authors, so that links work without a network. */
const library = "node_modules/@manifold-analytics/plugin";
const docs = `${library}/docs`;

const variables: Readonly<Record<PluginKind, string>> = {
  rows: "",
  rest: "| `API_URL` | the recorded page | the first page of the API |\n",
  sql: "| `DATABASE` | a sample in memory | the database file |\n",
};

/** Returns the page for people who use the plugin. The package contains it. */
function readme({ name, shortName, kind }: Project): string {
  const inProcess =
    kind === "sql"
      ? `
## In the host's process

The package exports \`open\` and \`properties\`, the interface of a connector. The operator of a host can load it into the
host's process. It then gets the same pushdown as the built-in connectors.
`
      : "";
  return `# ${name}

${descriptions[kind]} It runs on Node ${oldestNodes[kind]} or newer:

\`\`\`sh
npm install ${name} @manifold-analytics/plugin
SECRET=… npx ${shortName}
\`\`\`

The program prints the plugin's address. Register the address and the secret in the console of your host, on the page
**Plugins**.

| variable | default | meaning |
|---|---|---|
| \`PORT\` | 7070 | the port on which the plugin listens |
| \`HOST\` | 127.0.0.1 | the address on which it listens; any other address needs a \`SECRET\` |
| \`SECRET\` | unset: every caller is served | the value of the header \`X-Secret\` that callers must send |
${variables[kind]}${inProcess}`;
}

/** Returns the page for people who change the plugin. The package does not contain it. */
function developing({ name, range, spec }: Project): string {
  const local = spec.startsWith("file:")
    ? `
The library comes from a path on this machine (\`file:\` in \`package.json\`), because the command that wrote this project
was not installed from a registry. Before others use the project, install the published library:

\`\`\`sh
npm install --save-dev @manifold-analytics/plugin@${range} && rm -f .npmrc
\`\`\`
`
    : "";
  return `# Developing ${name}

Replace the example in \`src/plugin.ts\` with your source, and the first sentence of \`README.md\` with what your plugin
does. \`README.md\` is for the people who use the plugin; the package does not contain this page.

You need Node ${leastNode} or newer. With an older Node (20 or newer), the commands use the Node ${leastNode} that the command
\`manifold\` has installed in your cache folder. \`npx @manifold-analytics/host help\` installs it.

| command | what it does |
|---|---|
| \`npm install\` | installs the library and TypeScript |
| \`npm test\` | runs the tests, which include Manifold's conformance kit |
| \`npm run check\` | prints the kit's report, and writes \`badge.svg\`, which \`README.md\` can show |
| \`npm run dev\` | serves the plugin and starts it again after every change |
| \`npm run build\` | compiles \`src\` to \`dist\` |
| \`npm run types\` | checks the types of all files |
| \`npm start\` | serves the compiled plugin |
| \`npm pack\` | writes the archive that \`npm publish\` would upload |
| \`npx @manifold-analytics/host plugin dev .\` | serves the plugin, prints each query, and registers it at a host |

\`Containerfile\` builds an image that runs without root and with a read-only file system.
${local}
## Before you publish

- Choose a licence: write its text to \`LICENSE\`, and its SPDX id, such as \`MIT\`, to \`license\` in \`package.json\`. Until
  then, \`UNLICENSED\` says that nobody else may use the package.
- Set \`repository\` and \`author\` in \`package.json\`, and commit \`package-lock.json\` and \`badge.svg\`.
- Follow [Publish a plugin](${docs}/PUBLISH_A_PLUGIN.md), from the version to the list of plugins.

## Read more

- [The library](${library}/README.md)
- [Writing a plugin](${docs}/PLUGINS.md): cells, errors, capabilities and the whole contract
- [Your first plugin](${docs}/tutorials/FIRST_PLUGIN.md): connects a plugin to a host and draws its data
`;
}
