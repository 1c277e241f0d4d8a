/** Distinct texts, numbered in the order in which they came. */
export interface Dictionary {
  /** The number of a text, a new one when it is new. */
  codeOf(text: string): number;
  /** `dictionary[code]` is the text. */
  readonly dictionary: readonly string[];
}

/** Later texts go to one of `shardCount` maps: one large map blocks while it grows, and holds at most 2^24 entries. */
const firstCount = 65_536;
const shardCount = 256;

/** Creates an empty dictionary. */
export function createDictionary(): Dictionary {
  const dictionary: string[] = [];
  const first = new Map<string, number>();
  const shards: Map<string, number>[] = [];

  const add = (map: Map<string, number>, text: string): number => {
    const code = dictionary.length;
    dictionary.push(text);
    map.set(text, code);
    return code;
  };
  return {
    dictionary,
    codeOf(text) {
      const known = first.get(text);
      if (known !== undefined) return known;
      if (first.size < firstCount) return add(first, text);
      if (shards.length === 0)
        for (let shard = 0; shard < shardCount; shard++) shards.push(new Map());
      const shard = shards[shardOf(text)]!;
      return shard.get(text) ?? add(shard, text);
    },
  };
}

/** Spreads texts over the shards by their length and some of their letters; keys of one form differ at their end. */
function shardOf(text: string): number {
  const { length } = text;
  let hash = length;
  for (let back = 1; back <= 6 && back <= length; back++)
    hash = Math.imul(hash, 31) + text.charCodeAt(length - back);
  hash = Math.imul(hash, 31) + text.charCodeAt(length >> 1);
  return ((hash ^ (hash >>> 15)) >>> 0) % shardCount;
}
