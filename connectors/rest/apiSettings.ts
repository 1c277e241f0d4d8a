import Type, { type Static } from "typebox";
import { PluginError } from "../../plugins/protocol/index.ts";
import type { RowColumn, ValueForms } from "../../plugins/rows/index.ts";
import {
  columnForms,
  readSettings,
  type DeclaredTypeName,
  type Settings,
} from "../../plugins/rows/formats/index.ts";

/** Settings of a dataset that say how an API writes values. They have the names and values of those for files. */
export const apiSettings = {
  encoding: Type.Optional(Type.String()),
  decimal: Type.Optional(Type.String()),
  thousands: Type.Optional(Type.String()),
  dates: Type.Optional(Type.String()),
  nulls: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  time_zone: Type.Optional(Type.String()),
} as const;
interface TypedDataset extends Static<ReturnType<typeof Type.Object<typeof apiSettings>>> {
  readonly columns: Readonly<
    Record<string, DeclaredTypeName | { readonly type: DeclaredTypeName; readonly format?: string }>
  >;
}

/**
 * Parses the settings and the column types of a dataset. `name` names the dataset in messages.
 * @throws {PluginError} PLUGIN_INVALID that names the invalid setting or column and the allowed values
 */
export function readApiSettings(name: string, dataset: TypedDataset): Settings {
  const { encoding, decimal, thousands, dates, nulls, time_zone } = dataset;
  const columns = Object.fromEntries(
    Object.entries(dataset.columns).map(([id, column]) => {
      if (typeof column === "string") return [id, column];
      const { type, format } = column;
      return [id, { type, ...(format !== undefined && { format }) }];
    }),
  );
  const properties = { encoding, decimal, thousands, dates, nulls, time_zone, columns };
  try {
    return readSettings({ properties });
  } catch (cause) {
    if (!(cause instanceof PluginError)) throw cause;
    throw new PluginError(cause.code, [`api.datasets.${name}: ${cause.details[0]}`], { cause });
  }
}

/** Returns the columns of a dataset, with the forms of their values. */
export function apiColumns(
  { columns }: Pick<TypedDataset, "columns">,
  settings: Settings,
): readonly (RowColumn & { readonly forms: ValueForms })[] {
  return Object.keys(columns).map((id) => {
    const { type, subtype } = settings.types.get(id) ?? { type: "hierarchy" as const };
    return {
      id,
      type,
      ...(subtype && { subtype }),
      forms: columnForms({ id, type, ...(subtype && { subtype }) }, settings),
    };
  });
}
