import { stripVTControlCharacters } from "node:util";

/** A failure in the output of a test file. */
export interface Failure {
  /** Title of the failed test, or undefined if the failure happened outside a test. */
  readonly title: string | undefined;
  /** The seed that the test printed. */
  readonly seed: string | undefined;
  /** The output from the first line of this failure to the next failure. */
  readonly text: string;
}

/**
 * Finds the failures in a test file's output. If the output names no failure, all of the output counts as one failure.
 */
export function findFailures(output: string): Failure[] {
  const plain = stripVTControlCharacters(output);
  const named = plain.split(/^(?=.* FAIL )/m).filter((part) => / FAIL /.test(part));
  return (named.length > 0 ? named : [plain]).map((text) => ({
    title: /FAIL .*?"([^"]+)"\n/.exec(text)?.[1],
    seed: /SEED=(\d+)/.exec(text)?.[1],
    text: text.trimEnd(),
  }));
}

/** Returns the command that runs only the failed test, with its seed. */
export function commandOf(
  file: string,
  { title, seed }: Pick<Failure, "title" | "seed">,
  layer: "quick" | "deep",
): string {
  const script = layer === "deep" ? "npm run test:deep" : "npm test";
  const variables = [
    ...(seed === undefined ? [] : [`SEED=${seed}`]),
    ...(title === undefined ? [] : [`TITLE='${title.replaceAll("'", "'\\''")}'`]),
  ];
  const pattern = file.replace(/\.test\.ts$/, "").replaceAll(".", "\\.");
  return [...variables, `${script} -- ${pattern}`].join(" ");
}
