import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as assert from "uvu/assert";
import { describedActions } from "../../../../core/http/openapi/operationOf.ts";
import { declarations } from "../../../../core/resources/index.ts";
import type { Client, ClientOptions } from "../../../../core/web/client/index.ts";
import { exampleCalls } from "../../../documentation/reference/exampleCalls.ts";
import { openExampleWorld } from "../../../documentation/reference/openExampleWorld.ts";
import { nameOf, runExamples } from "../../../documentation/reference/runExamples.ts";
import type { ExampleCall } from "../../../documentation/reference/writeCall.ts";
import { openPublished, type Published } from "../../../support/openPublished.ts";
import { scope, shell } from "../../../support/buildPackages.ts";
import { layer } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

type Answer = "undefined" | "string" | "bytes" | "object";

/** The typed client as an embedder installs it. */
interface Installed {
  createClient(options: ClientOptions): Client;
}

const root = join(import.meta.dirname, "../../../..");

/** Writes a function that takes one action through the client, and whose result has the type of the action's answer. */
function functionOf({ resource, action, members }: ExampleCall, index: number): string {
  const names = `${JSON.stringify(resource)}, ${JSON.stringify(action)}`;
  const given = JSON.stringify(members, undefined, 2);
  return `export const call${index} = (client: Client): Promise<AnswerOf<${names}>> =>
  client.call(${names}, ${given});`;
}

const kindOf = (answer: unknown): Answer => {
  if (answer instanceof Uint8Array) return "bytes";
  return typeof answer === "string" ? "string" : answer === undefined ? "undefined" : "object";
};

suite("core/web/client: every action through the packed package", (test) => {
  let published: Published;
  let folder: string;
  test.before(async () => {
    if (layer === "quick") return;
    published = await openPublished();
    folder = await published.install("client", [`${scope}/client`]);
  });
  test.after(() => published?.close());

  test.deep("a strict program with every action compiles with the packed types", async () => {
    const described = [...describedActions(declarations)].flatMap(([resource, actions]) =>
      actions.map((action) => `${resource} ${action}`),
    );
    assert.equal(exampleCalls.map(nameOf).toSorted(), described.toSorted());
    const program = [
      `import type { AnswerOf, Client } from "${scope}/client";`,
      ...exampleCalls.map(functionOf),
    ];
    writeFileSync(join(folder, "program.ts"), program.join("\n"));
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: "esnext",
      module: "nodenext",
      lib: ["esnext", "dom", "dom.iterable"],
      types: [],
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["program.ts"] }),
    );
    const { stdout } = await shell(`${join(root, "node_modules/.bin/tsc")} -p . || true`, folder);
    assert.is(stdout, "");
  });

  test.deep(
    "every answer that the packed client returns has the form that its type says",
    async () => {
      const entry = join(folder, "entry.mjs");
      writeFileSync(entry, `export { createClient } from "${scope}/client";`);
      const { createClient }: Installed = await import(pathToFileURL(entry).href);
      const world = await openExampleWorld();
      try {
        const { url, key, token } = world;
        const client = createClient({ url, key, token });
        const document: object = JSON.parse(await (await fetch(`${url}/openapi.json`)).text());
        const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
        ajv.addSchema(document, "api");
        const wrong: string[] = [];
        const kinds = new Map<string, Answer>();
        await runExamples(exampleCalls, world, async (call) => {
          const { resource, action, members } = call;
          // The compiler has checked these members in the program above.
          const answer: unknown = await client.call(
            resource as "tag",
            action as "get",
            world.real(members) as object,
          );
          kinds.set(nameOf(call), kindOf(answer));
          if (kindOf(answer) !== "object")
            return answer instanceof Uint8Array ? new TextDecoder().decode(answer) : answer;
          const path = `~10.1.0~1${resource}~1${action}`;
          const schema = `api#/paths/${path}/post/responses/200/content/application~1json/schema`;
          const validate = ajv.compile({ $ref: schema });
          if (!validate(answer))
            wrong.push(
              `${nameOf(call)}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(answer).slice(0, 300)}`,
            );
          return answer;
        });
        assert.equal(wrong, []);
        assert.is(kinds.size, exampleCalls.length);
        assert.is(kinds.get("dataexport create"), "bytes");
        assert.is(kinds.get("aisummary create"), "string");
      } finally {
        await world.close();
      }
    },
  );
});
