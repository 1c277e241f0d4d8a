import { runSteps } from "../runSteps.ts";

/** A cached result that was computed from a dictionary. */
interface Kept {
  readonly textCount: number;
  readonly sizeBytes: number;
  readonly value: unknown;
}

/** A computation in short steps. Returns a value and the bytes of memory that it uses. */
export type Making<Value> = Generator<
  undefined,
  { readonly value: Value; readonly sizeBytes: number }
>;

/** Maximum bytes of results cached for a dictionary. The limit is higher for a large dictionary. */
const leastBytes = 2 ** 20;
const bytesPerText = 32;
/**
 * Milliseconds that one attempt to bind a plan may spend on tables. Longer computations continue in time slices, see
 * `bindInSlices`.
 */
const usualAttemptMs = 2;

const kept = new WeakMap<WeakKey, Map<string, Kept>>();

/**
 * The results that the plan being bound has used so far, by the strings from which they were computed. Binding starts
 * again after each table that is computed in time slices. Each attempt must get the same objects, because the tables
 * computed later are cached under these objects.
 */
let prepared: Map<WeakKey, Map<string, unknown>> | undefined;
/** Milliseconds that remain for the current attempt. */
let leftMs = 0;

/** Interrupts the binding of a plan if a value that it needs must first be computed in time slices. */
class Unprepared {
  readonly texts: WeakKey;
  readonly key: string;
  /** The computation with the remaining steps. */
  readonly making: Making<unknown>;

  constructor(texts: WeakKey, key: string, making: Making<unknown>) {
    this.texts = texts;
    this.key = key;
    this.making = making;
  }
}

/**
 * Caches results computed from the strings of a dictionary or an array. A result is valid until a string is added. If
 * the cached bytes of a dictionary exceed the limit, the least recently used result is evicted. A result larger than
 * the limit is not cached.
 */
export function keptByTexts<Value>(
  texts: WeakKey,
  textCount: number,
  key: string,
  make: () => Making<Value>,
): Value {
  const own = `${textCount} ${key}`;
  const ready = prepared?.get(texts);
  if (ready?.has(own)) return ready.get(own) as Value;
  const known = kept.get(texts)?.get(key);
  if (known?.textCount === textCount) {
    keep(texts, key, known);
    if (prepared) prepare(prepared, texts, own, known.value);
    return known.value as Value;
  }
  const making = makeKept(texts, textCount, key, make);
  if (!prepared) return runSteps(making).value;
  const { value } = runFor(making) ?? raise(new Unprepared(texts, own, making));
  prepare(prepared, texts, own, value);
  return value;
}

function* makeKept<Value>(
  texts: WeakKey,
  textCount: number,
  key: string,
  make: () => Making<Value>,
): Making<Value> {
  const made = yield* make();
  keep(texts, key, { textCount, ...made });
  return made;
}

/** Runs steps while the attempt has time left. Returns undefined if the steps are not finished by then. */
function runFor<Result>(steps: Generator<undefined, Result>): Result | undefined {
  const startedAt = performance.now();
  try {
    while (performance.now() - startedAt < leftMs) {
      const { done, value } = steps.next();
      if (done) return value;
    }
    return undefined;
  } finally {
    leftMs -= performance.now() - startedAt;
  }
}

function raise(thrown: unknown): never {
  throw thrown;
}

function prepare(
  results: Map<WeakKey, Map<string, unknown>>,
  texts: WeakKey,
  key: string,
  value: unknown,
): void {
  const ready = results.get(texts) ?? new Map<string, unknown>();
  results.set(texts, ready.set(key, value));
}

const identities = new WeakMap<WeakKey, number>();
let lastIdentity = 0;

/** Returns a number that identifies an object. Cache keys for several dictionaries consist of such numbers. */
export function identityOf(texts: WeakKey): number {
  const identity = identities.get(texts) ?? ++lastIdentity;
  identities.set(texts, identity);
  return identity;
}

/**
 * Binds a plan. Once an attempt has spent `attemptMs` on tables of strings, the next table is computed in time slices,
 * and then `bind` runs again. `inSlices` runs steps and yields between them.
 * @throws the errors of `bind`
 */
export async function bindInSlices<Bound>(
  bind: () => Bound,
  inSlices: <Result>(steps: Generator<undefined, Result>) => Promise<Result>,
  attemptMs = usualAttemptMs,
): Promise<Bound> {
  const own = new Map<WeakKey, Map<string, unknown>>();
  for (let ownMs = 0; ;) {
    const startedAt = performance.now();
    // Binding a plan of thousands of tests takes longer than computing some of its tables. The next attempts therefore
    // compute more tables.
    const givenMs = Math.max(attemptMs, ownMs);
    leftMs = givenMs;
    const unprepared = attempt(bind, own);
    ownMs = performance.now() - startedAt - (givenMs - leftMs);
    if (!(unprepared instanceof Unprepared)) return unprepared;
    const { texts, key, making } = unprepared;
    const { value } = await inSlices(making);
    prepare(own, texts, key, value);
  }
}

function attempt<Bound>(
  bind: () => Bound,
  own: Map<WeakKey, Map<string, unknown>>,
): Bound | Unprepared {
  const before = prepared;
  prepared = own;
  try {
    return bind();
  } catch (thrown) {
    if (thrown instanceof Unprepared) return thrown;
    throw thrown;
  } finally {
    prepared = before;
  }
}

function keep(texts: WeakKey, key: string, entry: Kept): void {
  const entries = kept.get(texts) ?? new Map<string, Kept>();
  kept.set(texts, entries);
  entries.delete(key);
  const limit = Math.max(leastBytes, entry.textCount * bytesPerText);
  if (entry.sizeBytes > limit) return;
  entries.set(key, entry);
  let total = 0;
  for (const each of entries.values()) total += each.sizeBytes;
  for (const [oldest, each] of entries) {
    if (total <= limit) break;
    entries.delete(oldest);
    total -= each.sizeBytes;
  }
}
