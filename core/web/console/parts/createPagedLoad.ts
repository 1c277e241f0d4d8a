import type { ReactiveControllerHost } from "lit";
import type { Found } from "../api/index.ts";
import { createLoad, type Load } from "./createLoad.ts";
import { notifyFailure } from "./notify.ts";

/** A search of the host whose rows are loaded a page at a time. */
export interface PagedLoad<Row> extends Load<Found<Row>> {
  /** Loads the next page of rows; a failure is a notice. Does nothing while it is under way. */
  more(): Promise<void>;
}

/** Makes the paged load of an element; `read` finds the rows from an offset on. */
export function createPagedLoad<Row>(
  host: ReactiveControllerHost,
  read: (offset: number, signal?: AbortSignal) => Promise<Found<Row>>,
): PagedLoad<Row> {
  const load = createLoad<Found<Row>>(host, (signal) => read(0, signal));
  let isReading = false;
  return Object.assign(load, {
    async more() {
      const { value } = load;
      if (!value || isReading || value.rows.length >= value.count) return;
      isReading = true;
      try {
        const { count, rows } = await read(value.rows.length);
        // The reader may have searched for something else meanwhile.
        if (load.value === value) load.set({ count, rows: [...value.rows, ...rows] });
      } catch (failure) {
        notifyFailure(failure);
      } finally {
        isReading = false;
      }
    },
  });
}
