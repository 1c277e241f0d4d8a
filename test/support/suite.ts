import { appendFileSync } from "node:fs";
import { suite as uvuSuite } from "uvu";
import { processorTimeMs } from "../run/processorTime.ts";
import { endWithChildren } from "./endWithChildren.ts";
import { layer, noteDeep, noteMissing } from "./layer.ts";

type Callback = () => void | Promise<void>;

export interface Test {
  (title: string, run: Callback): void;
  /** Declares a test of the deep layer. The quick layer skips it, because other tests prove its promise with less. */
  deep(title: string, run: Callback): void;
  before(run: Callback): void;
  after(run: Callback): void;
  beforeEach(run: Callback): void;
  afterEach(run: Callback): void;
}

export interface SuiteOptions {
  /** A program that is not installed. All tests of the suite are skipped, and the run's summary says why. */
  readonly missing?: string;
}

/** Milliseconds after which a test counts as hung. `LIMIT_MS` is for the runner's own test. */
const limitMs = Number(process.env["LIMIT_MS"] ?? (layer === "deep" ? 600_000 : 180_000));

/** Part of a title. Only matching tests run. */
const wanted = process.env["TITLE"];

/** A file to which each test appends its processor time. */
const timesFile = process.env["TIMES"];

/**
 * Declares and runs a uvu suite, and prevents uvu's silent failures. Every suite runs, and a failed set-up fails every
 * test of the suite. A test fails if it throws a non-Error, or an error whose `details` is not a string. A test that
 * hangs ends its process, because nothing else would stop it. `name` is the path of the tested file; titles are facts.
 */
export function suite(
  name: string,
  declare: (test: Test) => void,
  { missing }: SuiteOptions = {},
): void {
  if (missing !== undefined) noteMissing(missing);
  const inner = uvuSuite(name);
  /** If no test will run, nothing has to be set up. */
  let isIdle = missing !== undefined;
  let runCount = 0;
  let setupFailure: Error | undefined;
  let eachRun: Callback | undefined;
  const asError = (thrown: unknown): Error => {
    if (!(thrown instanceof Error)) return new Error(`a non-Error was thrown: ${String(thrown)}`);
    // uvu splits `details` when it prints a failure. If it is a list, the whole suite ends with exit code 0.
    if (!("details" in thrown) || !thrown.details || typeof thrown.details === "string")
      return thrown;
    return new Error(thrown.stack ?? thrown.message, { cause: thrown });
  };
  const bounded = async (run: Callback, what: string) => {
    const timer = setTimeout(() => {
      // The report of the process is lost as well.
      process.stderr.write(`   FAIL  ${name}  "${what}"\n    it took more than ${limitMs} ms\n`);
      endWithChildren(1);
    }, limitMs);
    try {
      await run();
    } catch (thrown) {
      throw asError(thrown);
    } finally {
      clearTimeout(timer);
    }
  };
  const test = ((title: string, run: Callback) => {
    if (wanted !== undefined && !title.includes(wanted)) return;
    if (missing !== undefined) return void inner.skip(title);
    runCount++;
    inner(title, async () => {
      if (setupFailure) throw setupFailure;
      const before = timesFile === undefined ? 0 : processorTimeMs();
      if (eachRun) await bounded(eachRun, `the set-up of ${title}`);
      await bounded(run, title);
      if (timesFile !== undefined)
        appendFileSync(
          timesFile,
          `${Math.round(processorTimeMs() - before)} ms  ${name}: ${title}\n`,
        );
    });
  }) as Test;
  test.deep = (title, run) => {
    noteDeep(`${name}: ${title}`);
    if (layer === "deep") test(title, run);
    else inner.skip(title);
  };
  test.before = (run) =>
    inner.before(async () => {
      if (isIdle) return;
      try {
        await bounded(run, "the set-up");
      } catch (thrown) {
        setupFailure = asError(thrown);
      }
    });
  test.after = (run) =>
    inner.after(async () => {
      if (isIdle) return;
      try {
        await bounded(run, "the clean-up");
      } catch (thrown) {
        // After a failed set-up there may be nothing to close, and its tests have failed already.
        if (!setupFailure) throw asError(thrown);
      }
    });
  test.beforeEach = (run) => {
    eachRun = run;
  };
  test.afterEach = (run) => inner.after.each(run);
  declare(test);
  isIdle ||= runCount === 0;
  inner.run();
}
