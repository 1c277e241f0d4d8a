import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describedActions } from "../../core/http/openapi/operationOf.ts";
import { declarations } from "../../core/resources/index.ts";
import { createClient } from "../../core/web/client/index.ts";
import { root } from "../../docs/.vitepress/pages.ts";
import { noteMissing } from "../support/layer.ts";
import { openTestHost } from "../support/openTestHost.ts";
import { suite } from "../support/suite.ts";
import { withCompiled } from "./compileBlock.ts";
import { areas } from "./reference/areas.ts";
import { exampleCalls, exampleCallsOf } from "./reference/exampleCalls.ts";
import { replacing } from "./reference/exampleWorld.ts";
import { missingProgram, openRunner } from "./reference/openRunner.ts";
import { pathExamples } from "./reference/pathExamples.ts";
import { readAnswers } from "./reference/readAnswers.ts";
import { nameOf, runExamples, type Send } from "./reference/runExamples.ts";
import { languages, setUp, writeCall } from "./reference/writeCall.ts";
import { writePages } from "./reference/writePages.ts";
import { writeRequest } from "./reference/writeRequest.ts";

const folder = "docs/reference";
const how = "node --conditions=manifold-source test/documentation/reference/writeReference.ts";

suite("documentation/reference", (test) => {
  const answers = readAnswers();

  test(`the pages in docs/reference match the declarations; update them with \`${how} --pages\``, () => {
    const pages = writePages(answers);
    for (const [path, text] of pages) assert.is(readFileSync(join(root, path), "utf8"), text, path);
    // charts.test.ts covers the page about charts.
    const others = globSync(`${folder}/*.md`, { cwd: root, exclude: [`${folder}/charts.md`] });
    assert.equal(others.toSorted(), [...pages.keys()].toSorted());
  });

  test("the reference contains each resource and each action of the API description once", () => {
    const listed = areas.flatMap(({ resources }) => resources);
    const described = describedActions(declarations);
    assert.equal(listed.toSorted(), [...described.keys()].toSorted());
    for (const resource of listed)
      assert.equal(
        exampleCallsOf(resource)
          .map(({ action }) => action)
          .toSorted(),
        [...(described.get(resource) ?? [])].toSorted(),
      );
  });

  test(`every example has a documented answer; record them with \`${how}\``, () => {
    const missing = exampleCalls.map(nameOf).filter((name) => !answers.has(name));
    assert.equal(missing, []);
  });

  test("a host answers the examples of tags in TypeScript as documented", async () => {
    const host = await openTestHost();
    try {
      const { key, token } = host.madeCredentials ?? { key: "", token: "" };
      const client = createClient({ url: host.url, key, token });
      const [board, user, organization] = [
        await client.create("securable", { type: "dashboard", name: { en: "Board" } }),
        (await client.get("user", { where: { id: "me" } })).rows[0],
        (await client.get("organization")).rows[0],
      ];
      const world = replacing({ url: host.url, key, token, client }, [
        ["board", board.id],
        ["me", user?.id],
        ["organization", organization?.id],
      ]);
      const runner = await openRunner.ts(world);
      const send: Send = (call) => runner.run(world.real(writeCall.ts(call)), call.isText);
      const found = await runExamples(exampleCallsOf("tag"), world, send);
      for (const [name, text] of found) assert.is(text, answers.get(name), name);
    } finally {
      await host.close();
    }
  });

  for (const language of languages) {
    const missing = missingProgram(language);
    if (missing !== undefined) {
      noteMissing(`${missing}, for the examples of docs/reference`);
      continue;
    }
    test.deep(
      `a host answers every example of the reference as documented in ${language}`,
      async () => {
        const { openExampleWorld } = await import("./reference/openExampleWorld.ts");
        const { runPaths } = await import("./reference/runPaths.ts");
        const world = await openExampleWorld();
        try {
          const runner = await openRunner[language](world);
          try {
            const found = new Map([
              ...(await runExamples(exampleCalls, world, (call) =>
                runner.run(world.real(writeCall[language](call)), call.isText),
              )),
              ...(await runPaths(world, (request) =>
                runner.run(world.real(writeRequest[language](request)), request.isText === true),
              )),
            ]);
            for (const [name, text] of found) assert.is(text, answers.get(name), name);
          } finally {
            await runner.close();
          }
        } finally {
          await world.close();
        }
      },
    );
  }

  test.deep("the TypeScript examples of the reference compile in strict mode", async () => {
    const codes = [...exampleCalls.map(writeCall.ts), ...pathExamples.map(writeRequest.ts)];
    const text = [setUp.ts, ...codes.map((code) => `{\n${code}\nconsole.log(answer);\n}`)].join(
      "\n",
    );
    const block = { page: `${folder}/index.md`, line: 1, language: "ts", marks: [], text };
    await withCompiled(block, {}, () => Promise.resolve());
  });
});
