import type { Connections, Records } from "../../core/base/contracts/index.ts";
import { inTurn } from "../../core/catalog/outbox/inTurn.ts";
import type { Outbox } from "../../core/catalog/outbox/index.ts";

/** Returns an outbox without a catalog. It immediately undoes a create that failed, and does not handle crashes. */
export function createPlainOutbox(
  records: Records,
  { store }: Pick<Connections, "store">,
): Pick<Outbox, "guard" | "idsToDrop"> {
  return {
    idsToDrop: async () => new Set(),
    guard: ({ action, securableId: id }, { prepare, write, commit }) =>
      inTurn(store, id, async () => {
        const prepared = await prepare();
        try {
          const written = await write(prepared);
          return await records.transaction((transaction) => commit(transaction, prepared, written));
        } catch (failure) {
          const caller = { signal: new AbortController().signal };
          const isStored = (await store.datasets(caller)).some((dataset) => dataset.id === id);
          if (action === "drop" && isStored) await store.write({ action, id }, caller);
          throw failure;
        }
      }),
  };
}
