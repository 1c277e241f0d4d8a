/**
 * The layer of the run. `quick` proves every promise once. `deep` runs more rounds, all sizes and the slow tests; `npm
 * run test:deep` selects it with `MANIFOLD_TESTS=deep`.
 */
export const layer: "quick" | "deep" = process.env["MANIFOLD_TESTS"] === "deep" ? "deep" : "quick";

/** Whether this run is `npm run test:deep -- --soak`, whose rounds take hours. */
const isSoak = process.env["MANIFOLD_SOAK"] === "1";

export interface Strengths<Value> {
  readonly quick: Value;
  readonly deep: Value;
  /** The value for a deep run with `--soak`. By default, this is the value of `deep`. */
  readonly soak?: Value;
}

/** Returns the value for the current layer. The value can be a number of rounds, a size or a list of cases. */
export function rounds<Value>({ quick, deep, soak = deep }: Strengths<Value>): Value {
  if (layer === "quick") return quick;
  return isSoak ? soak : deep;
}

/** Whether the current file runs only its deep tests, because its other tests have passed in the quick layer. */
export const onlyDeep = { isOn: false };

const deepTitles: string[] = [];

/**
 * Records the title of a test that runs only in the deep layer, or a figure that it measured. The report lists the
 * titles and the figures.
 */
export function noteDeep(title: string): void {
  deepTitles.push(title);
}

const missing = new Set<string>();

/** Records a program that is not installed. Tests that need the program are skipped. */
export function noteMissing(what: string): void {
  missing.add(what);
}

/** Returns the missing programs that were recorded since the last call. */
export function takeMissing(): string[] {
  const noted = [...missing];
  missing.clear();
  return noted;
}

/** Returns the titles recorded since the last call. */
export function takeDeep(): string[] {
  return deepTitles.splice(0);
}
