import type { Field } from "apache-arrow";
import { EngineError } from "../../errors.ts";
import { arrowType } from "./arrowType.ts";
import type { FilledColumn } from "../../types.ts";
import { unreadableArrow } from "./unreadableArrow.ts";

/** A column to read: the index of its field, and the table column that it fills. */
export interface ArrowTarget {
  readonly place: number;
  readonly given: FilledColumn | undefined;
}

/** Finds the fields of the columns to read. Throws for types that the store does not support. */
export function matchArrowFields(
  fields: readonly Field[],
  columns: readonly FilledColumn[] | undefined,
): readonly ArrowTarget[] {
  const targets =
    columns?.map((given) => ({ place: placeOf(fields, given.source ?? given.name), given })) ??
    fields.map((_, place) => ({ place, given: undefined }));
  for (const { place } of targets) {
    const { name, type } = fields[place];
    if (placeOf(fields, name) !== place)
      throw unreadableArrow(`the column ${JSON.stringify(name)} appears twice; rename one`);
    if (!arrowType(type))
      throw new EngineError("INGEST_UNSUPPORTED", [
        name.slice(0, 100),
        `of the type ${String(type)}`,
        "convert it to numbers, text or timestamps, or leave it out",
      ]);
  }
  return targets;
}

function placeOf(fields: readonly Field[], name: string): number {
  const place = fields.findIndex((field) => field.name === name);
  if (place >= 0) return place;
  const names = fields.slice(0, 100).map((field) => JSON.stringify(field.name.slice(0, 100)));
  throw unreadableArrow(
    `it has no column ${JSON.stringify(name.slice(0, 100))}; its columns: ${names.join(", ")}`,
  );
}
