import type { ArrowMessage } from "./checkArrow.ts";

/** Collects the messages that must precede a batch. */
export interface ArrowPreamble {
  add(message: ArrowMessage): void;
  list(): readonly ArrowMessage[];
}

/** Creates a preamble from the schema, and from the latest version of each dictionary together with its additions. */
export function createArrowPreamble(): ArrowPreamble {
  let schema: readonly ArrowMessage[] = [];
  const dictionaries = new Map<bigint, ArrowMessage[]>();
  return {
    add(message) {
      if (message.kind === "schema") {
        schema = [message];
        dictionaries.clear();
        return;
      }
      const known = dictionaries.get(message.id);
      if (known && message.isDelta) known.push(message);
      else dictionaries.set(message.id, [message]);
    },
    list: () => [...schema, ...[...dictionaries.values()].flat()],
  };
}
