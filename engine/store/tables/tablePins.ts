import type { Column } from "../../column/column.ts";
import type { Snapshot } from "../../table/snapshot.ts";
import type { Table } from "../../table/table.ts";
import type { StoreParts } from "../generations/rewriteTable.ts";
import type { TableSoundness } from "./tableSoundness.ts";

/** One version of a table whose columns stay in memory until `end` is called. */
export interface PinnedSnapshot {
  readonly snapshot: Snapshot;
  /** Ends the snapshot. Further calls have no effect. */
  end(): void;
}

/** Keeps columns of a table in memory while they are being read. */
export class TablePins {
  readonly #table: Table;
  readonly #parts: Pick<StoreParts, "memory" | "residency">;
  readonly #soundness: TableSoundness;

  constructor(
    table: Table,
    parts: Pick<StoreParts, "memory" | "residency">,
    soundness: TableSoundness,
  ) {
    this.#table = table;
    this.#parts = parts;
    this.#soundness = soundness;
  }

  /**
   * Returns the current version. The named columns stay in memory until the snapshot ends. Ignores names that the table
   * does not have. Returns undefined if the table is closed.
   * @throws {EngineError} TABLE_DAMAGED, STORE_OUT_OF_MEMORY
   */
  async pin(names: Iterable<string>): Promise<PinnedSnapshot | undefined> {
    const wanted = new Set(names);
    for (;;) {
      const columns = this.#named(wanted);
      let pin: { end(): void };
      try {
        pin = await this.#soundness.load(() =>
          this.#parts.residency.pin(columns, ["dictionary", "values"]),
        );
      } catch (error) {
        if (this.#soundness.isClosed && !this.#soundness.isDamaged) return undefined;
        throw error;
      }
      const now = this.#named(wanted);
      if (this.#soundness.isClosed || now.some((column) => !columns.includes(column))) {
        pin.end();
        if (this.#soundness.isClosed) return undefined;
        continue;
      }
      const lease = this.#parts.memory.lease();
      return {
        snapshot: this.#table.snapshot(),
        end() {
          pin.end();
          lease.end();
        },
      };
    }
  }

  /**
   * Keeps the dictionaries of all text columns in memory, and the values of the columns for which `isRead` returns
   * true.
   */
  async pinTexts(isRead: (column: Column) => boolean): Promise<{ end(): void }> {
    const { residency } = this.#parts;
    const { columns } = this.#table;
    const isText = ({ definition }: Column) => definition.type === "text";
    const texts = await this.#soundness.load(() =>
      residency.pin(columns.filter(isText), ["dictionary"]),
    );
    try {
      const values = await this.#soundness.load(() =>
        residency.pin(columns.filter(isRead), ["values"]),
      );
      return {
        end() {
          values.end();
          texts.end();
        },
      };
    } catch (error) {
      texts.end();
      throw error;
    }
  }

  #named(names: ReadonlySet<string>): readonly Column[] {
    return this.#table.columns.filter(({ definition }) => names.has(definition.name));
  }
}
