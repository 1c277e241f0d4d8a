import type { ReactiveControllerHost } from "lit";
import type { Found } from "../api/index.ts";
import { createLoad, type Load } from "./createLoad.ts";
import { notifyFailure } from "./notify.ts";

/** A search whose results are loaded page by page. */
export interface PagedLoad<Row> extends Load<Found<Row>> {
  /** Loads the next page; a failure is shown as a notice. Does nothing while a page is loading. */
  more(): Promise<void>;
}

/** Creates a paged load for an element. `read` returns the rows from an offset. */
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
        // The reader may have started another search in the meantime.
        if (load.value === value) load.set({ count, rows: [...value.rows, ...rows] });
      } catch (failure) {
        notifyFailure(failure);
      } finally {
        isReading = false;
      }
    },
  });
}
