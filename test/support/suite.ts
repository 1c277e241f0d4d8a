import { appendFileSync } from "node:fs";
import { suite as uvuSuite } from "uvu";
import { processorTimeMs } from "../run/processorTime.ts";
import { endWithChildren } from "./endWithChildren.ts";
import { layer, noteDeep, noteMissing, onlyDeep } from "./layer.ts";

type Callback = () => void | Promise<void>;

export interface Test {
  (title: string, run: Callback): void;
  /**
   * Declares a test of the deep layer. The quick layer skips it, because a cheaper test proves the same promise.
   */
  deep(title: string, run: Callback): void;
  before(run: Callback): void;
  after(run: Callback): void;
  beforeEach(run: Callback): void;
  afterEach(run: Callback): void;
}

export interface SuiteOptions {
  /**
   * The name of a required program that is not installed. All tests of the suite are then skipped, and the run's
   * summary says why.
   */
  readonly missing?: string;
}

/** Milliseconds after which a test is treated as hung. The test of the runner sets `LIMIT_MS`. */
const limitMs = Number(process.env["LIMIT_MS"] ?? (layer === "deep" ? 600_000 : 180_000));

/** Part of a title. Only tests whose titles contain it run. */
const wanted = process.env["TITLE"];

/** A file to which each test appends its processor time. */
const timesFile = process.env["TIMES"];

/**
 * Declares and runs a uvu suite, and reports failures that uvu itself would not report. Every suite runs. A failed
 * set-up fails every test of the suite. A test also fails if it throws a value that is not an Error, or an error whose
 * `details` is not a string. A test that hangs ends its process, because nothing else would stop the test. `name` is
 * the path of the tested file. Titles are facts.
 */
export function suite(
  name: string,
  declare: (test: Test) => void,
  { missing }: SuiteOptions = {},
): void {
  if (missing !== undefined) noteMissing(missing);
  const inner = uvuSuite(name);
  /** Whether to skip the set-up, because no test of the suite will run. */
  let isIdle = missing !== undefined;
  let runCount = 0;
  let setupFailure: Error | undefined;
  let eachRun: Callback | undefined;
  const asError = (thrown: unknown): Error => {
    if (!(thrown instanceof Error)) return new Error(`a non-Error was thrown: ${String(thrown)}`);
    // uvu splits `details` when it prints a failure. If `details` is a list, the whole suite would end with exit
    // code 0.
    if (!("details" in thrown) || !thrown.details || typeof thrown.details === "string")
      return thrown;
    return new Error(thrown.stack ?? thrown.message, { cause: thrown });
  };
  const bounded = async (run: Callback, what: string) => {
    const timer = setTimeout(() => {
      // Otherwise the report of the process would be lost as well.
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
  const declareTest = (title: string, run: Callback) => {
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
  };
  const test = ((title: string, run: Callback) => {
    if (!onlyDeep.isOn) declareTest(title, run);
  }) as Test;
  test.deep = (title, run) => {
    noteDeep(`${name}: ${title}`);
    if (layer === "deep") declareTest(title, run);
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
        // After a failed set-up there may be nothing to close. The suite's tests have already failed.
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
