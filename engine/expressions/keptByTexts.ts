import { runSteps } from "../runSteps.ts";

/** Results that were computed over a dictionary, by request. */
interface Kept {
  readonly textCount: number;
  readonly sizeBytes: number;
  readonly value: unknown;
}

/** Something that is computed in short steps. */
export type Making<Value> = Generator<
  undefined,
  { readonly value: Value; readonly sizeBytes: number }
>;

/** Bytes that are kept for a dictionary: some, and more for a large one. */
const leastBytes = 2 ** 20;
const bytesPerText = 16;
/** Texts over which something is computed at once; over more of them in slices, where `bindInSlices` does that. */
const fewTexts = 2 ** 13;

const kept = new WeakMap<WeakKey, Map<string, Kept>>();

/**
 * Results that the plan which is being bound has used, by texts. A plan is bound again after each table that is
 * computed in time slices: it must find the same objects then, because later tables are kept with them.
 */
let prepared: Map<WeakKey, Map<string, unknown>> | undefined;

/** Interrupts the binding of a plan: a value that it needs must be computed in time slices first. */
class Unprepared {
  readonly texts: WeakKey;
  readonly key: string;
  readonly make: () => Making<unknown>;

  constructor(texts: WeakKey, key: string, make: () => Making<unknown>) {
    this.texts = texts;
    this.key = key;
    this.make = make;
  }
}

/**
 * Keeps results computed over texts, of a dictionary or an array, as long as these live and do not grow. The least
 * recently used result goes first when the dictionary's bytes are used up. Larger results are not kept.
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
  if (prepared && textCount > fewTexts)
    throw new Unprepared(texts, own, function* () {
      const made = yield* make();
      keep(texts, key, { textCount, ...made });
      return made;
    });
  const made = runSteps(make());
  keep(texts, key, { textCount, ...made });
  if (prepared) prepare(prepared, texts, own, made.value);
  return made.value;
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

/** Returns a number that no other object has, for a key over several texts. */
export function identityOf(texts: WeakKey): number {
  const identity = identities.get(texts) ?? ++lastIdentity;
  identities.set(texts, identity);
  return identity;
}

/**
 * Binds a plan, and computes its tables over many texts in time slices: `bind` starts again after each table.
 * `inSlices` runs steps and yields between them.
 * @throws the errors of `bind`
 */
export async function bindInSlices<Bound>(
  bind: () => Bound,
  inSlices: <Result>(steps: Generator<undefined, Result>) => Promise<Result>,
): Promise<Bound> {
  const own = new Map<WeakKey, Map<string, unknown>>();
  for (;;) {
    const unprepared = attempt(bind, own);
    if (!(unprepared instanceof Unprepared)) return unprepared;
    const { texts, key, make } = unprepared;
    const { value } = await inSlices(make());
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
