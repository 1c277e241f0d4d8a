import type { Mutant } from "./mutant.ts";
import type { Scratch } from "./openScratch.ts";
import type { Finding, Record } from "./record.ts";
import type { Failure, RunTests } from "./runTests.ts";
import type { TestFiles } from "./testFilesFor.ts";

export interface CheckOptions {
  readonly scratch: Pick<Scratch, "path" | "apply">;
  readonly record: Record;
  readonly testFiles: TestFiles;
  readonly run: RunTests;
  /** The mutants of the record to look at; all without it. */
  isWanted?(mutant: Mutant): boolean;
  say(line: string): void;
}

/**
 * Looks for a test that kills each mutant of a record. First each is alone in the tree, with the test files near to it.
 * Then all that are left are in the tree together for the other files; when one fails, halving finds the mutant. A file
 * that fails without mutants too counts for nothing.
 */
export async function checkMutants(options: CheckOptions): Promise<void> {
  const { record, testFiles, say, isWanted = () => true } = options;
  const open = () =>
    [...record.findings.values()].filter(
      (each) => !each.killedBy && !each.isWhole && !each.equivalent && isWanted(each.mutant),
    );
  const tree = createTree(options);
  const kill = ({ id }: Mutant, killedBy: Failure) => {
    record.add({ id, killedBy });
    say(`killed    ${id}  by ${killedBy.file}  ${killedBy.title}`);
  };

  for (const { mutant, passed, formerKiller } of open()) {
    const known = testFiles.all.filter((file) => file === formerKiller);
    const files = new Set([...known, ...testFiles.near(mutant.file)]);
    const failure = await tree.run([mutant], [...files.difference(passed)], (file) =>
      record.add({ ids: [mutant.id], passed: file }),
    );
    if (failure) kill(mutant, failure);
    else say(`far       ${mutant.id}`);
  }

  const ranWith = ({ passed }: Finding, file: string) => passed.has(file);
  for (;;) {
    const left = open();
    const files = testFiles.all.filter((file) => !left.every((each) => ranWith(each, file)));
    if (left.length === 0 || files.length === 0) break;
    say(`${left.length} mutants together, ${files.length} files`);
    const mutants = left.map(({ mutant }) => mutant);
    const ids = mutants.map(({ id }) => id);
    const passes = (file: string) => record.add({ ids, passed: file });
    const failure = await tree.run(mutants, files, passes);
    if (!failure) {
      // Files that fail without mutants passed nothing.
      record.add({ whole: ids });
      break;
    }
    const found = await findCause(mutants, (some) => tree.run(some, [failure.file]));
    if (found) kill(found.mutant, found.failure);
    else {
      say(`${failure.file} fails with several mutants together only, or now and then`);
      passes(failure.file);
    }
  }
}

interface Tree {
  /** Runs files with mutants until one fails that passes without any. */
  run(
    mutants: readonly Mutant[],
    files: readonly string[],
    onPassed?: (file: string) => void,
  ): Promise<Failure | undefined>;
}

function createTree({ scratch, run, say }: CheckOptions): Tree {
  /** Whether a file passes without mutants. */
  const isSound = new Map<string, boolean>();
  return {
    async run(mutants, files, onPassed) {
      const waiting = new Set(files.filter((file) => isSound.get(file) !== false));
      while (waiting.size > 0) {
        scratch.apply(mutants);
        const failure = await run({
          path: scratch.path,
          files: [...waiting],
          onPassed(file) {
            waiting.delete(file);
            onPassed?.(file);
          },
        });
        if (!failure) return undefined;
        if (failure.file === "") {
          // The runner itself did not start: by the mutants, or is it broken?
          scratch.apply([]);
          const alone = await run({ path: scratch.path, files: [...waiting].slice(0, 1) });
          if (alone?.file === "") throw new Error(`the tests do not run: ${alone.title}`);
          return failure;
        }
        if (!isSound.has(failure.file)) {
          scratch.apply([]);
          const alone = await run({ path: scratch.path, files: [failure.file] });
          isSound.set(failure.file, !alone);
          if (alone) say(`not sound ${failure.file}  ${alone.title}`);
        }
        if (isSound.get(failure.file)) return failure;
        waiting.delete(failure.file);
      }
      return undefined;
    },
  };
}

/** Finds one mutant that alone makes a file fail, in as many runs as halvings. */
async function findCause(
  mutants: readonly Mutant[],
  run: (mutants: readonly Mutant[]) => Promise<Failure | undefined>,
): Promise<{ readonly mutant: Mutant; readonly failure: Failure } | undefined> {
  const [mutant] = mutants;
  if (!mutant) return undefined;
  if (mutants.length === 1) {
    const failure = await run(mutants);
    return failure && { mutant, failure };
  }
  const half = Math.ceil(mutants.length / 2);
  const first = mutants.slice(0, half);
  const isInFirst = (await run(first)) !== undefined;
  return await findCause(isInFirst ? first : mutants.slice(half), run);
}
