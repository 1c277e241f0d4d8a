import type { Connections } from "../../core/connections/connection.ts";
import type { Outbox } from "../../core/outbox/index.ts";
import type { Records } from "../../core/resources/records.ts";

/** An outbox without a catalog: it undoes a create that failed at once, and knows nothing of crashes. */
export function createPlainOutbox(
  records: Records,
  { store }: Pick<Connections, "store">,
): Pick<Outbox, "guard"> {
  return {
    async guard({ action, securableId: id }, run) {
      try {
        return await records.transaction(run);
      } catch (failure) {
        const caller = { signal: new AbortController().signal };
        const isStored = (await store.datasets(caller)).some((dataset) => dataset.id === id);
        if (action === "drop" && isStored) await store.write({ action, id }, caller);
        throw failure;
      }
    },
  };
}
