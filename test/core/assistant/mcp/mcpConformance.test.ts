import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as assert from "uvu/assert";
import { findPackages } from "../../../support/findPackages.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People } from "../../openPeople.ts";

interface Check {
  readonly status: string;
}

/**
 * Scenarios that a server with our capabilities passes. Two of them call tools that only the suite's own server has.
 * They pass because they accept the text of our error.
 */
const applying = [
  "dns-rebinding-protection",
  "ping",
  "server-initialize",
  "tools-call-error",
  "tools-call-simple-text",
  "tools-list",
];

/** Scenarios that do not apply to our server, grouped by the missing feature that they need. */
const needing: Readonly<Record<string, readonly string[]>> = {
  logging: ["logging-set-level"],
  completions: ["completion-complete"],
  prompts: [
    "prompts-get-embedded-resource",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-with-image",
    "prompts-list",
  ],
  resources: [
    "resources-list",
    "resources-read-binary",
    "resources-read-text",
    "resources-subscribe",
    "resources-templates-read",
    "resources-unsubscribe",
  ],
  "a tool of the suite, which no data server has": [
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "json-schema-2020-12",
    "server-sse-polling",
    "tools-call-audio",
    "tools-call-elicitation",
    "tools-call-embedded-resource",
    "tools-call-image",
    "tools-call-mixed-content",
    "tools-call-sampling",
    "tools-call-with-logging",
    "tools-call-with-progress",
  ],
  "sessions, which the server does not have": ["server-sse-multiple-streams"],
};

/** Opens a proxy in front of the MCP server that adds the key pair, because the suite cannot send credentials. */
async function openDoor(
  behind: () => { readonly target: string; readonly authorization: string },
): Promise<Server> {
  const server = createServer((call, answer) => {
    const { target, authorization } = behind();
    const headers = { ...call.headers, authorization };
    const passedOn = request(target, { method: call.method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      given.pipe(answer);
    });
    passedOn.on("error", (failure) => answer.destroy(failure));
    call.pipe(passedOn);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Runs all scenarios for servers. Returns the checks of each scenario by its name. */
async function runScenarios(url: string): Promise<Map<string, readonly Check[]>> {
  const packages = await findPackages("mcpConformance");
  const program = join(packages, "@modelcontextprotocol/conformance/dist/index.js");
  const folder = mkdtempSync(join(tmpdir(), "manifold-conformance-"));
  try {
    // The program exits with 1 if a scenario fails, and scenarios that do not apply always fail.
    const args = [program, "server", "--url", url, "--suite", "all", "--output-dir", folder];
    const { error, stderr } = await new Promise<{ error: unknown; stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        args,
        { timeout: 300_000, maxBuffer: 2 ** 26 },
        (error, _, stderr) => resolve({ error, stderr }),
      );
    });
    assert.ok(error === null || (error as { code?: unknown }).code === 1, stderr);
    return new Map(
      readdirSync(folder).map((name) => {
        const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
        const checks: unknown = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8"));
        return [scenario, checks as readonly Check[]];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

suite("core/host and the MCP conformance suite", (test) => {
  let people: People;
  let door: Server;
  test.before(async () => {
    door = await openDoor(() => {
      const { key, token } = people.owner.pair;
      return { target: `${people.host.url}/mcp`, authorization: `Bearer ${key}:${token}` };
    });
    // Callers reach the host through this proxy, so pages of the proxy's origin count as the host's own.
    const { port } = door.address() as AddressInfo;
    people = await openPeople({ publicUrl: `http://127.0.0.1:${port}` });
  });
  test.after(async () => {
    door.closeAllConnections();
    door.close();
    await people.close();
  });

  test.deep(
    "the host passes every MCP conformance scenario that applies to its capabilities",
    async () => {
      const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`;
      const client = new Client({ name: "a test", version: "1" });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      const offered = Object.keys(client.getServerCapabilities() ?? {});
      await client.close();
      assert.equal(offered, ["tools"]);
      assert.equal(
        Object.keys(needing).filter((need) => offered.includes(need)),
        [],
      );

      const results = await runScenarios(url);
      assert.equal(
        [...results.keys()].toSorted(),
        [...applying, ...Object.values(needing).flat()].toSorted(),
      );
      const isPassed = (checks: readonly Check[]) =>
        checks.every(({ status }) => status === "SUCCESS" || status === "INFO");
      assert.equal(
        [...results]
          .filter(([, checks]) => isPassed(checks))
          .map(([name]) => name)
          .toSorted(),
        applying,
        JSON.stringify(applying.map((name) => results.get(name))),
      );
    },
  );
});
