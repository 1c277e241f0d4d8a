import type * as engine from "../../engine/index.ts";
import type * as protocol from "../protocol/index.ts";
import { DecodedHierarchy } from "./decodedColumns.ts";

const engineTypes = { numeric: "number", datetime: "datetime", hierarchy: "text" } as const;
const protocolTypes = { number: "numeric", datetime: "datetime", text: "hierarchy" } as const;

/** Returns the engine's name of a type. */
export const toEngineType = (type: protocol.DataType): engine.DataType => engineTypes[type];

/** Converts a protocol column to an engine column definition. */
export function toDefinition(column: protocol.WriteColumn): engine.ColumnDefinition {
  return { name: column.id, type: engineTypes[column.type] };
}

/** Converts an engine column definition to a protocol column. The column's name is its id. */
export function toColumn(definition: engine.ColumnDefinition): protocol.Column {
  return {
    id: definition.name,
    name: { en: definition.name },
    type: protocolTypes[definition.type],
  };
}

/** Converts rows from the protocol's form to the engine's. Values are shared, not copied. */
export function toEngineRows({ columnIds, batch }: protocol.NamedBatch): engine.NamedBatch {
  return {
    names: columnIds,
    batch: { rowCount: batch.rowCount, columns: batch.columns.map(toEngineColumn) },
  };
}

/** Converts an answer from the engine's form to the protocol's. Values are shared, not copied. */
export function toProtocolBatch(batch: engine.Batch): protocol.Batch {
  return { rowCount: batch.rowCount, columns: batch.columns.map(toProtocolColumn) };
}

function toEngineColumn(column: protocol.BatchColumn): engine.BatchColumn {
  if (column instanceof DecodedHierarchy) return column.decoded;
  if (column.type !== "hierarchy") return { type: engineTypes[column.type], values: column.values };
  const { codes, utf8 } = column;
  if (!utf8) return { type: "text", codes, dictionary: column.dictionary };
  return {
    type: "text",
    codes,
    utf8,
    get dictionary() {
      return column.dictionary;
    },
  };
}

function toProtocolColumn(column: engine.BatchColumn): protocol.BatchColumn {
  if (column.type === "text")
    return { type: "hierarchy", codes: column.codes, dictionary: column.dictionary };
  return { type: protocolTypes[column.type], values: column.values };
}
