/**
 * The strength of a run. `quick` proves every promise once; `deep` has more rounds, every size and the tests that take
 * long. `MANIFOLD_TESTS=deep`, which `npm run test:deep` sets, chooses the second.
 */
export const layer: "quick" | "deep" = process.env["MANIFOLD_TESTS"] === "deep" ? "deep" : "quick";

/** True in `npm run test:deep -- --soak`, whose rounds nobody waits for. */
const isSoak = process.env["MANIFOLD_SOAK"] === "1";

export interface Strengths<Value> {
  readonly quick: Value;
  readonly deep: Value;
  /** The value of a deep run on request, with `--soak`; as `deep` when it is left out. */
  readonly soak?: Value;
}

/** Returns the value of this run's layer: a number of rounds, a size, a list of cases. */
export function rounds<Value>({ quick, deep, soak = deep }: Strengths<Value>): Value {
  if (layer === "quick") return quick;
  return isSoak ? soak : deep;
}

const deepTitles: string[] = [];

/** Notes a test that runs in the deep layer only. */
export function noteDeep(title: string): void {
  deepTitles.push(title);
}

const missing = new Set<string>();

/** Notes what the machine lacks, so that tests which need it are skipped. */
export function noteMissing(what: string): void {
  missing.add(what);
}

/** Returns what was noted as missing since the last call. */
export function takeMissing(): string[] {
  const noted = [...missing];
  missing.clear();
  return noted;
}

/** Returns the titles that were noted since the last call. */
export function takeDeep(): string[] {
  return deepTitles.splice(0);
}
