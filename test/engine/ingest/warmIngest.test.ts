import { execFileSync } from "node:child_process";
import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";

const urlOf = (name: string) => new URL(`../../../engine/ingest/${name}.ts`, import.meta.url).href;

/** Reports which modules are loaded, in a separate process, because this process may have loaded them all already. */
const script = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const { runIngest } = await import(${JSON.stringify(urlOf("runIngest"))});
  const { warmIngest } = await import(${JSON.stringify(urlOf("warmIngest"))});
  const count = (part) => loaded.filter((url) => url.includes(part)).length;
  const libraries = () => [count("/apache-arrow/"), count("/hyparquet/")].map(Boolean);
  const before = libraries();
  await warmIngest();
  const warmed = loaded.length;
  const after = libraries();
  const codes = [];
  for (const format of ["arrow", "parquet"]) {
    const bytes = new Uint8Array(100);
    const answer = await runIngest({ kind: "seal", format, bytes, part: 0, partCount: 1, openRowCount: 0 });
    codes.push(answer.code);
  }
  console.log(JSON.stringify({ before, after, more: loaded.slice(warmed), codes }));
`;

suite("engine/ingest/warmIngest", (test) => {
  test("the warm-up loads all modules that the first file needs", () => {
    const options = ["--conditions=manifold-source", "--input-type=module", "-e", script];
    const answer: unknown = JSON.parse(
      execFileSync(process.execPath, options, { encoding: "utf8" }),
    );
    assert.equal(answer, {
      before: [false, false],
      after: [true, true],
      more: [],
      codes: ["INGEST_UNREADABLE", "INGEST_UNREADABLE"],
    });
  });
});
