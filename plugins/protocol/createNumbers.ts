/** Collects numbers one at a time in blocks, so that growing the collection copies little. */
export interface Numbers<Values extends Float64Array | Int32Array> {
  readonly length: number;
  append(value: number): void;
  joined(): Values;
  /**
   * Like `joined`, but yields to the event loop after every few MiB. Each block is released once it is copied, and the
   * collection is empty afterwards.
   */
  joinedInTurns(yieldTurn: () => Promise<void>): Promise<Values>;
}

const firstLength = 64;
const blockLength = 65_536;
const blocksATurn = 8;

/** Creates an empty collection. `create` allocates the blocks and the final array. */
export function createNumbers<Values extends Float64Array | Int32Array>(
  create: (length: number) => Values,
): Numbers<Values> {
  const full: Values[] = [];
  let block = create(firstLength);
  let used = 0;

  const makeRoom = () => {
    if (block.length < blockLength) {
      const grown = create(block.length * 4);
      grown.set(block);
      block = grown;
      return;
    }
    full.push(block);
    block = create(blockLength);
    used = 0;
  };
  const length = () => full.length * blockLength + used;
  return {
    get length() {
      return length();
    },
    append(value) {
      if (used === block.length) makeRoom();
      block[used++] = value;
    },
    joined() {
      const whole = create(length());
      full.forEach((each, index) => whole.set(each, index * blockLength));
      whole.set(block.subarray(0, used), full.length * blockLength);
      return whole;
    },
    async joinedInTurns(yieldTurn) {
      const whole = create(length());
      const blocks = full.splice(0);
      const last = block.subarray(0, used);
      block = create(firstLength);
      used = 0;
      whole.set(last, blocks.length * blockLength);
      for (let index = blocks.length - 1; index >= 0; index--) {
        whole.set(blocks.pop()!, index * blockLength);
        if (index % blocksATurn === 0) await yieldTurn();
      }
      return whole;
    },
  };
}
