import * as assert from "uvu/assert";
import { textOf } from "../../docs/.vitepress/pages.ts";
import {
  aggregations,
  type Capabilities,
  Capabilities as CapabilitiesSchema,
  levels,
  operatorDefinitions,
  operators,
} from "../../plugins/protocol/index.ts";
import { operations } from "../../deploy/npm/schemas/index.ts";
import { createPluginMessages } from "../support/pluginMessages.ts";
import { suite } from "../support/suite.ts";
import { openProtocolWorld, type ProtocolWorld } from "./protocolWorld.ts";
import { blocksFor, placeOf } from "./readBlocks.ts";

const page = "docs/PLUGIN_PROTOCOL.md";
const text = textOf("docs/PLUGIN_PROTOCOL.md");

suite("documentation/protocol", (test) => {
  let world: ProtocolWorld;
  test.before(async () => {
    world = await openProtocolWorld();
  });
  test.after(() => world.close());

  test("a real plugin answers the requests on the protocol page as the page says, and the schemas describe requests and answers", async () => {
    const messages = createPluginMessages();
    const shown = new Set<string>();
    let request: { method: string; path: string; body?: string } | undefined;
    for (const block of blocksFor(page, "protocol")) {
      const [, kind, ...words] = block.marks;
      if (kind === "request") {
        assert.is(request, undefined, `${placeOf(block)}: the request before has no answer`);
        const [method = "", path = ""] = words;
        request = { method, path, body: block.text };
        continue;
      }
      const [first = "200", path = ""] = words;
      const sent = path === "" ? request : { method: first, path };
      assert.ok(sent, `${placeOf(block)}: there is no request for this answer`);
      const { method, body } = sent;
      const [status, answer] = await world.send(method, sent.path, body);
      assert.is(status, path === "" ? Number(first) : 200, placeOf(block));
      assert.equal(JSON.parse(block.text), answer, placeOf(block));
      const exchange = { method, path: sent.path, headers: {}, status, answer };
      const fault = messages.faultOf({ ...exchange, body: body && JSON.parse(body) });
      assert.is(fault, undefined, placeOf(block));
      shown.add(`${method.toLowerCase()} ${sent.path}`);
      request = undefined;
    }
    const documented = operations.map((each) => `${each.method} ${each.path}`);
    assert.equal(
      documented.filter((each) => !shown.has(each)),
      ["get /health"],
    );
  });

  test("every test in the table of operators passes the rows that the page lists", async () => {
    const found = new Set<string>();
    const rows = Array.from(text.matchAll(/^\| `(\{.+\})` \| (.+) \|$/gm));
    for (const [, filter = "", cities = ""] of rows) {
      const body = `{"id":"trips","columns":[{"column_id":"city"}],"filters":[${filter}],"options":{"pushdown":false}}`;
      const [status, answer] = await world.send("POST", "/query", body);
      assert.is(status, 200, filter);
      const { columns } = answer as { columns: readonly { values: readonly (string | null)[] }[] };
      const passed = columns[0]?.values.map(String).join(", ");
      assert.is(passed || "none", cities.replaceAll("`", ""), filter);
      for (const [, operator = ""] of filter.matchAll(/"expression": "([^"]+)"/g))
        found.add(operator);
    }
    assert.equal(
      operators.filter((operator) => !found.has(operator)),
      [],
    );
  });

  test("the protocol page explains every operator, and names all levels, aggregations and capabilities", () => {
    for (const [operator, { meaning }] of Object.entries(operatorDefinitions))
      assert.ok(text.includes(`| \`${operator}\` | ${meaning} |`), operator);
    const names: readonly (keyof Capabilities)[] = Object.keys(
      CapabilitiesSchema.properties,
    ) as (keyof Capabilities)[];
    for (const name of [...levels, ...aggregations]) assert.ok(text.includes(`\`${name}\``), name);
    for (const name of names) assert.match(text, new RegExp(`\`${name}[.\`]`), name);
  });
});
