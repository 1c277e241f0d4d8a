import { stripVTControlCharacters } from "node:util";

/** A failure in the output of a file. */
export interface Failure {
  /** The title of its test; undefined when the file failed outside one. */
  readonly title: string | undefined;
  /** The seed that the test printed. */
  readonly seed: string | undefined;
  /** The output from its first line until the next failure. */
  readonly text: string;
}

/** Finds the failures in what a file wrote; one of all that it wrote where none is named. */
export function findFailures(output: string): Failure[] {
  const plain = stripVTControlCharacters(output);
  const named = plain.split(/^(?=.* FAIL )/m).filter((part) => / FAIL /.test(part));
  return (named.length > 0 ? named : [plain]).map((text) => ({
    title: /FAIL .*?"([^"]+)"\n/.exec(text)?.[1],
    seed: /SEED=(\d+)/.exec(text)?.[1],
    text: text.trimEnd(),
  }));
}

/** Returns the command that runs the test of a failure alone, with its seed. */
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
