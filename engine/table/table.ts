import { Column } from "../column/column.ts";
import type { ColumnDefinition, NamedBatch, TableInfo } from "../types.ts";
import type { ColumnSnapshot, Snapshot } from "./snapshot.ts";

/** One change of a table: first columns go, then columns come, then rows. */
export interface TableChange {
  readonly drop?: readonly string[];
  readonly add?: readonly ColumnDefinition[];
  readonly rows?: NamedBatch;
}

/** A table in memory. Changes are checked before they come here. */
export class Table {
  readonly name: string;
  readonly temporary: boolean;
  #columns: readonly Column[];
  #rowCount = 0;
  #version: number;
  #snapshot: Snapshot | undefined;

  constructor(
    name: string,
    columns: readonly ColumnDefinition[],
    temporary: boolean,
    version: number,
  ) {
    this.name = name;
    this.temporary = temporary;
    this.#columns = columns.map((definition) => new Column(definition, 0));
    this.#version = version;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get version(): number {
    return this.#version;
  }

  get definitions(): readonly ColumnDefinition[] {
    return this.#columns.map((column) => column.definition);
  }

  get memoryBytes(): number {
    return this.#columns.reduce((sum, column) => sum + column.memoryBytes, 0);
  }

  info(): TableInfo {
    return {
      name: this.name,
      columns: this.definitions,
      temporary: this.temporary,
      rowCount: this.#rowCount,
      version: this.#version,
      memoryBytes: this.memoryBytes,
    };
  }

  /** Applies a checked change and counts the version on. */
  apply(change: TableChange): void {
    this.#snapshot = undefined;
    if (change.drop) {
      const dropped = new Set(change.drop);
      this.#columns = this.#columns.filter((column) => !dropped.has(column.definition.name));
    }
    if (change.add)
      this.#columns = [
        ...this.#columns,
        ...change.add.map((definition) => new Column(definition, this.#rowCount)),
      ];
    if (change.rows) {
      const { names, batch } = change.rows;
      const vectors = new Map(names.map((name, index) => [name, batch.columns[index]]));
      for (const column of this.#columns)
        column.append(vectors.get(column.definition.name), 0, batch.rowCount);
      this.#rowCount += batch.rowCount;
    }
    this.#version++;
  }

  snapshot(): Snapshot {
    this.#snapshot ??= {
      table: this.name,
      version: this.#version,
      rowCount: this.#rowCount,
      columns: new Map(this.#columns.map((column) => [column.definition.name, summarize(column)])),
    };
    return this.#snapshot;
  }
}

function summarize(column: Column): ColumnSnapshot {
  const segments = column.segments();
  let nullCount = 0;
  let minimum = NaN;
  let maximum = NaN;
  let isWhole = true;
  for (const segment of segments) {
    nullCount += segment.nullCount;
    if (!(segment.minimum >= minimum) && segment.minimum === segment.minimum)
      minimum = segment.minimum;
    if (!(segment.maximum <= maximum) && segment.maximum === segment.maximum)
      maximum = segment.maximum;
    isWhole &&= segment.isWhole;
  }
  const { definition, dictionary } = column;
  return {
    definition,
    segments,
    nullCount,
    minimum,
    maximum,
    isWhole,
    dictionary,
    textCount: dictionary?.size ?? 0,
  };
}
