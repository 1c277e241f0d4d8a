import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as assert from "uvu/assert";
import { textOf } from "../../docs/.vitepress/pages.ts";
import { openPeople } from "../core/openPeople.ts";
import { suite } from "../support/suite.ts";
import { blocksFor, readBlocks } from "./readBlocks.ts";

const run = promisify(execFile);
const page = "docs/ASSISTANT.md";
const [block] = blocksFor(page, "mcp");
const {
  mcpServers: {
    manifold: { type, url, headers },
  },
}: {
  readonly mcpServers: {
    readonly manifold: {
      readonly type: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };
  };
} = JSON.parse(block?.text ?? "");

suite("documentation/mcp", (test) => {
  test.deep(
    "a client with the documented MCP configuration connects to a host's tools",
    async () => {
      const people = await openPeople();
      try {
        const { key, token } = people.owner.pair;
        const own = Object.entries(headers).map(([name, value]) => [
          name,
          value.replace("<key>", key).replace("<token>", token),
        ]);
        const { pathname } = new URL(url);
        const client = new Client(
          { name: "a test", version: "1" },
          { versionNegotiation: { mode: "auto" } },
        );
        await client.connect(
          new StreamableHTTPClientTransport(new URL(pathname, people.host.url), {
            requestInit: { headers: Object.fromEntries(own) },
          }),
        );
        try {
          const { tools } = await client.listTools();
          const [, list = ""] =
            /offers the tools ([^.]+)\./.exec(textOf(page).replaceAll("\n", " ")) ?? [];
          assert.equal(
            tools.map(({ name }) => name),
            Array.from(list.matchAll(/`(\w+)`/g), ([, name]) => name),
          );
        } finally {
          await client.close();
        }
        assert.is(type, "http");
      } finally {
        await people.close();
      }
    },
  );

  test("the documented command for Claude Code has the same address and header as the MCP configuration", async () => {
    const [command] = readBlocks().filter((each) => each.page === page && each.language === "sh");
    const shown = `claude() { printf '%s\\n' "$@"; }\n${command?.text}`;
    const { stdout } = await run("bash", ["-eu", "-c", shown]);
    const header = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    assert.equal(stdout.trim().split("\n"), [
      "mcp",
      "add",
      "--transport",
      type,
      "manifold",
      url,
      "--header",
      ...header,
    ]);
  });
});
