import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { suite } from "./support/suite.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { version, scripts } = JSON.parse(read("package.json")) as {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
};

interface Job {
  readonly strategy?: {
    readonly "fail-fast"?: boolean;
    readonly matrix?: { readonly part?: readonly string[] };
  };
  readonly "timeout-minutes"?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}
interface Workflow {
  readonly on?: Readonly<Record<string, unknown>>;
  readonly permissions?: unknown;
  readonly jobs?: Readonly<Record<string, Job>>;
}

/**
 * Permissions that the jobs of our workflows may have. A workflow with `id-token: write` can prove its identity to npm.
 */
const rights = ["contents: read", "id-token: write"];

const readable = new Map<string, boolean>();

/** Returns whether bash can parse a command. Caches the result for each command. */
function isReadable(command: string): boolean {
  const known = readable.get(command) ?? spawnSync("bash", ["-n", "-c", command]).status === 0;
  readable.set(command, known);
  return known;
}

/** Lists the reasons why a workflow is unsafe. */
function faultsOf(text: string): string[] {
  const workflow = parse(text) as Workflow;
  const faults: string[] = [];
  if (
    Object.keys(workflow.on ?? {}).some((event) => /pull_request_target|workflow_run/.test(event))
  )
    faults.push("it runs for strangers' code");
  if (JSON.stringify(workflow.permissions) !== "{}") faults.push("its jobs inherit permissions");
  if (/\bsecrets\b/.test(text)) faults.push("it reads a secret");
  for (const [name, job] of Object.entries(workflow.jobs ?? {})) {
    const { permissions, steps = [] } = job;
    if (job["timeout-minutes"] === undefined) faults.push(`${name} has no time limit`);
    if (!permissions) faults.push(`${name} lists no permissions`);
    for (const [right, level] of Object.entries(permissions ?? {}))
      if (!rights.includes(`${right}: ${level}`)) faults.push(`${name} may ${right}: ${level}`);
    for (const { uses, run, with: given } of steps) {
      if (uses?.startsWith("actions/checkout@") && given?.["persist-credentials"] !== false)
        faults.push(`${name} leaves its token in the checkout`);
      if (run !== undefined && !isReadable(run)) faults.push(`bash cannot parse ${run}`);
      if (uses !== undefined && !/^[\w-]+\/[\w./-]+@[0-9a-f]{40}$/.test(uses))
        faults.push(`${uses} is not pinned to a commit`);
      if (run?.includes("${{")) faults.push(`a command contains a value from an event: ${run}`);
      for (const [, script = ""] of run?.matchAll(/npm run ([\w:-]+)/g) ?? [])
        if (!(script in scripts)) faults.push(`the script ${script} does not exist`);
    }
  }
  return faults;
}

suite("release", (test) => {
  const folder = ".github/workflows";
  const workflows = readdirSync(join(root, folder));

  test("GitHub workflows use only pinned actions and the listed permissions, and no secrets", () => {
    assert.ok(workflows.includes("publish.yml"));
    for (const file of workflows) assert.equal(faultsOf(read(join(folder, file))), [], file);
  });

  test("the workflow check detects unpinned actions, additional permissions, secrets and event values", () => {
    const good = read(join(folder, "publish.yml"));
    const changes = [
      [/@[0-9a-f]{40} # v5/g, "@v5 # v5", "not pinned"],
      [/contents: read/, "contents: write", "may contents: write"],
      [/permissions: \{\}/, "permissions: read-all", "inherit permissions"],
      [/node-version: "26"/, "token: ${{ secrets.NPM }}", "reads a secret"],
      [/\$GITHUB_REF_NAME/, "${{ github.ref_name }}", "contains a value from an event"],
      [/ {2}push:/, "  pull_request_target:\n  push:", "strangers"],
      [/npm run build/, "npm run builds", "script builds does not exist"],
      [/npm ci --ignore-scripts/, "npm ci &&", "bash cannot parse"],
      [/persist-credentials: false/, "persist-credentials: true", "leaves its token"],
      [/timeout-minutes: 60\n/, "continue-on-error: true\n", "has no time limit"],
    ] as const;
    for (const [from, to, fault] of changes) {
      const changed = good.replace(from, to);
      assert.is.not(changed, good, fault);
      assert.match(faultsOf(changed).join("\n"), fault);
    }
  });

  test("a pull request runs one job for each part of .ci/run, and a failed job cancels no others", () => {
    const parts = execFileSync(join(root, ".ci/run"), ["--parts"], { encoding: "utf8" });
    const { on, jobs = {} } = parse(read(join(folder, "check.yml"))) as Workflow;
    assert.equal(on, { pull_request: null });
    assert.equal(Object.keys(jobs), ["check"]);
    const { strategy, steps = [] } = jobs["check"] ?? {};
    assert.equal(strategy?.matrix?.part, parts.trim().split("\n"));
    assert.is(strategy?.["fail-fast"], false);
    const commands = steps.filter(({ run }) => run !== undefined);
    assert.equal(commands, [{ run: '.ci/run "$PART"', env: { PART: "${{ matrix.part }}" } }]);
    for (const part of parts.trim().split("\n")) assert.ok(part in scripts, part);
  });

  test(".ci/run rejects an unknown part before it runs anything", () => {
    const { status, stdout, stderr } = spawnSync(join(root, ".ci/run"), ["lint", "lints"], {
      encoding: "utf8",
    });
    assert.is(status, 1);
    assert.is(stdout, "");
    assert.match(stderr, "lints must be one of test format:check");
  });

  test("only the publishing job may request an identity token, and it publishes with provenance", () => {
    const { on, jobs = {} } = parse(read(join(folder, "publish.yml"))) as Workflow;
    assert.equal(on, { push: { tags: ["v*"] } });
    const identified = Object.entries(jobs).filter(([, job]) => job.permissions?.["id-token"]);
    assert.equal(
      identified.map(([name]) => name),
      ["publish"],
    );
    const commands = identified[0]?.[1].steps?.map(({ run }) => run ?? "").join("\n") ?? "";
    assert.match(commands, "npm ci --ignore-scripts");
    assert.match(commands, /npm publish .*--provenance/);
  });

  test("the changelog begins with the package's version and lists versions in descending order", () => {
    const headings = [...read("CHANGELOG.md").matchAll(/^## (\d+)\.(\d+)\.(\d+) \(([^)]+)\)$/gm)];
    assert.is(headings.length, read("CHANGELOG.md").match(/^## /gm)?.length);
    const [, major, minor, patch] = headings[0] ?? [];
    assert.is([major, minor, patch].join("."), version);
    for (const [, , , , date = ""] of headings.slice(1)) assert.match(date, /^\d{4}-\d\d-\d\d$/);
    assert.match(headings[0]?.[4] ?? "", /^(unreleased|\d{4}-\d\d-\d\d)$/);
    const numbers = headings.map(([, ...parts]) =>
      parts.slice(0, 3).reduce((sum, part) => sum * 1000 + Number(part), 0),
    );
    assert.equal(
      numbers,
      [...new Set(numbers)].toSorted((one, other) => other - one),
    );
  });

  test("the lock file has the package's version", () => {
    const lock = JSON.parse(read("package-lock.json")) as { readonly version: string };
    assert.is(lock.version, version);
  });

  test("the security policy names the supported minor version and how to report a vulnerability", () => {
    const policy = read("SECURITY.md");
    assert.match(policy, `| ${version.split(".").slice(0, 2).join(".")}.x | yes |`);
    assert.match(policy, "Report a vulnerability");
    assert.ok(existsSync(join(root, "docs/VERSIONS.md")));
  });
});
