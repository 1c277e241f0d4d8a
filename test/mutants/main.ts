/**
 * `npm run test:mutants [-- folder …]` mutates the sources in the folders at random places, and reports which mutants
 * the quick layer of the tests kills. It works on a copy of the tree, with one process at a time, at low priority.
 *
 * - `--count N` and `--seed N` set the number of mutants (default 100) and the seed that selects them (default 1).
 * - `--resume FILE` names the record, which has one JSON object per line. An interrupted run continues with its
 * mutants. Add a line `{"id": "…", "equivalent": "why"}` to mark a mutant that no test can kill.
 * - `--list FILE` takes the mutants from the record of another version instead of drawing them. With `--survivors`, it
 * takes only the mutants that survived in that version. The test file that killed a mutant in that version runs first.
 * - `--only PATTERN` checks only mutants whose ids match.
 * - `--tests PATTERN` runs only test files whose paths match, with one mutant at a time.
 * - `--table` prints the table of the record and runs no tests.
 */
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readSources } from "../support/importGraph.ts";
import { acceptByTypes } from "./acceptByTypes.ts";
import { checkMutants } from "./checkMutants.ts";
import { drawMutants } from "./drawMutants.ts";
import { relocate, type Mutant } from "./mutant.ts";
import { openScratch } from "./openScratch.ts";
import { openRecord, renderRecord } from "./record.ts";
import { createRunTests } from "./runTests.ts";
import { testFilesFor } from "./testFilesFor.ts";

const root = join(import.meta.dirname, "../..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    resume: { type: "string" },
    list: { type: "string" },
    survivors: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    tests: { type: "string" },
    table: { type: "boolean", default: false },
  },
});
const usual = [
  "core/queries",
  "core/identity/access",
  "core/resources",
  "engine/operators",
  "plugins/sql",
];
const areas = positionals.length > 0 ? positionals : usual;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const isWanted = ({ id }: Mutant) => new RegExp(values.only).test(id);

/**
 * Time limit per mutant for the test files that import the mutated source. The mutants that survive these files are
 * then applied together.
 */
const nearMs = 5_000;
const lowPriority = 10;

const record = openRecord(
  values.resume ??
    join(root, `node_modules/.cache/manifold-mutants/${values.list ? "list" : values.seed}.jsonl`),
);

function readTimes(): Record<string, number> {
  try {
    const file = join(root, "node_modules/.cache/manifold-tests/quick.json");
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  } catch {
    // The tests of this copy have not run yet, so no durations are recorded.
    return {};
  }
}

/**
 * Copies mutants from another record, if they still exist in the sources. Also copies the data that speeds up checking
 * them again.
 */
function copyRecord(from: string): void {
  const sources = readSources(["core", "engine", "plugins", "connectors"]);
  for (const { mutant, killedBy, equivalent } of openRecord(from).verdicts.values()) {
    if ((values.survivors && killedBy) || !isWanted(mutant)) continue;
    const found = relocate(mutant, sources);
    if (!found) say(`gone      ${mutant.id}`);
    else record.add({ mutant: found, ...(killedBy && { formerKiller: killedBy.file }) });
    if (found && equivalent !== undefined) record.add({ id: mutant.id, equivalent });
  }
}

async function check(): Promise<void> {
  const scratch = openScratch(root);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stopping.abort(new Error("stopped; use --resume to continue")));
  try {
    if (record.verdicts.size === 0 && values.list) copyRecord(values.list);
    else if (record.verdicts.size === 0) {
      const drawn = drawMutants({
        seed: Number(values.seed),
        count: Number(values.count),
        areas,
        sources: readSources(areas),
        accepts: (mutants) => acceptByTypes(scratch, mutants),
      });
      say(`selected with seed ${values.seed}`);
      for (const mutant of drawn.filter(isWanted)) record.add({ mutant });
    }
    setPriority(lowPriority);
    say(`${record.verdicts.size} mutants`);
    const folders = ["core", "engine", "plugins", "connectors", "examples", "test"];
    const found = testFilesFor({ sources: readSources(folders), times: readTimes(), nearMs });
    const { tests } = values;
    const wanted = found.all.filter((file) => new RegExp(tests ?? "").test(file));
    await checkMutants({
      scratch,
      record,
      testFiles: tests === undefined ? found : { all: [], near: () => wanted },
      run: createRunTests(stopping.signal),
      isWanted,
      say,
    });
  } finally {
    scratch.close();
  }
}

if (!values.table) await check();
say(`\n${renderRecord(record)}`);
