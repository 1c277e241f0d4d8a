import type { Mutant } from "./mutant.ts";
import type { Scratch } from "./openScratch.ts";
import type { Verdict, Record } from "./record.ts";
import type { Failure, RunTests } from "./runTests.ts";
import type { TestFiles } from "./testFilesFor.ts";

export interface CheckOptions {
  readonly scratch: Pick<Scratch, "path" | "apply">;
  readonly record: Record;
  readonly testFiles: TestFiles;
  readonly run: RunTests;
  /** Selects the mutants of the record to check. By default, all mutants are checked. */
  isWanted?(mutant: Mutant): boolean;
  say(line: string): void;
}

/**
 * Looks for a test that kills each mutant of a record. First, each mutant is applied separately, and the nearest test
 * files run. Then all survivors are applied together, and the other test files run. When a file fails, halving the set
 * of mutants finds the cause. Test files that also fail without mutants are ignored.
 */
export async function checkMutants(options: CheckOptions): Promise<void> {
  const { record, testFiles, say, isWanted = () => true } = options;
  const open = () =>
    [...record.verdicts.values()].filter(
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
    else say(`undecided ${mutant.id}  passes all near test files`);
  }

  const ranWith = ({ passed }: Verdict, file: string) => passed.has(file);
  for (;;) {
    const left = open();
    const files = testFiles.all.filter((file) => !left.every((each) => ranWith(each, file)));
    if (left.length === 0 || files.length === 0) break;
    say(`${left.length} mutants together, ${files.length} files to run`);
    const mutants = left.map(({ mutant }) => mutant);
    const ids = mutants.map(({ id }) => id);
    const passes = (file: string) => record.add({ ids, passed: file });
    const failure = await tree.run(mutants, files, passes);
    if (!failure) {
      // A file that also fails without mutants did not pass with any of them.
      record.add({ whole: ids });
      break;
    }
    const found = await findCause(mutants, (some) => tree.run(some, [failure.file]));
    if (found) kill(found.mutant, found.failure);
    else {
      say(`${failure.file} fails only with several mutants together, or intermittently`);
      passes(failure.file);
    }
  }
}

interface Tree {
  /** Runs test files with mutants, until one fails that passes without the mutants. */
  run(
    mutants: readonly Mutant[],
    files: readonly string[],
    onPassed?: (file: string) => void,
  ): Promise<Failure | undefined>;
}

function createTree({ scratch, run, say }: CheckOptions): Tree {
  /** Whether each file passes without mutants, by path. */
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
          // The runner did not start. A run without mutants shows whether the mutants are the cause.
          scratch.apply([]);
          const alone = await run({ path: scratch.path, files: [...waiting].slice(0, 1) });
          if (alone?.file === "") throw new Error(`the tests cannot run: ${alone.title}`);
          return failure;
        }
        if (!isSound.has(failure.file)) {
          scratch.apply([]);
          const alone = await run({ path: scratch.path, files: [failure.file] });
          isSound.set(failure.file, !alone);
          if (alone)
            say(`ignored   ${failure.file}, which also fails without mutants: ${alone.title}`);
        }
        if (isSound.get(failure.file)) return failure;
        waiting.delete(failure.file);
      }
      return undefined;
    },
  };
}

/** Finds a mutant that makes a file fail. Each run halves the set of candidates. */
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
