import { isList, isRecord, type Api, type CallOptions } from "../../api/index.ts";
import { localized, textOf } from "../../language/index.ts";
import { connectWords as words } from "./connectWords.ts";

/** A field in the form of a connection, created from a property of its provider. */
export interface ProviderField {
  readonly id: string;
  readonly label: string;
  readonly kind: "text" | "password" | "number" | "boolean" | "select";
  readonly options: readonly string[];
  readonly isRequired: boolean;
}

/**
 * A kind of source that can be connected, as `dataprovider` returns it. `properties` is null in a list of providers.
 */
export interface Provider {
  readonly provider: string;
  readonly kind: "connector" | "plugin";
  readonly name: unknown;
  readonly authorize: string | null;
  readonly properties: readonly unknown[] | null;
}

/** Fields that are members of a connection itself. All other fields are stored in its properties. */
const members = ["host", "port", "scope", "identifier", "token", "code"];

const names: Readonly<Record<string, string>> = words.names;

/** Returns the readable name of a provider; its slug if it has no name. */
export const nameOfProvider = ({ provider, name }: Pick<Provider, "provider" | "name">): string =>
  names[provider] ?? (textOf(name) || provider);

/** Lists the providers that can be connected, or returns one provider with its properties. */
export async function readProviders(
  api: Api,
  provider: string | undefined,
  options: CallOptions,
): Promise<readonly Provider[]> {
  const find = provider === undefined ? {} : { provider };
  return (await api.get<Provider>("dataprovider", find, options)).rows;
}

/** Returns the form fields of a provider: its properties and its credentials. */
export function fieldsOf({ properties, authorize }: Provider): readonly ProviderField[] {
  const declared = (properties ?? []).flatMap(readField);
  const credentials: Readonly<Record<string, readonly ProviderField[]>> = {
    token: [plain("token", words.token, "password")],
    oauth2: [{ ...plain("code", words.code, "text"), isRequired: false }],
    "host/key/token": [
      plain("host", words.host, "text"),
      plain("identifier", words.identifier, "text"),
      plain("token", words.token, "password"),
    ],
  };
  const known = new Set(declared.map(({ id }) => id.toLowerCase()));
  const added = (credentials[authorize ?? ""] ?? []).filter(({ id }) => !known.has(id));
  return [...added, ...declared];
}

const plain = (id: string, label: string, kind: ProviderField["kind"]): ProviderField => ({
  id,
  label,
  kind,
  options: [],
  isRequired: true,
});

/**
 * Returns the field for a property that a plugin declares, or an empty list for a property without an id. Other members
 * may have any form.
 */
function readField(given: unknown): readonly ProviderField[] {
  if (!isRecord(given) || typeof given["id"] !== "string" || given["id"] === "") return [];
  const { id, label, type, options, required } = given;
  const choices = isList(options) ? options.filter((each) => typeof each === "string") : [];
  const kind =
    choices.length > 0
      ? "select"
      : type === "password" || type === "secret"
        ? "password"
        : type === "number" || type === "integer"
          ? "number"
          : type === "boolean"
            ? "boolean"
            : "text";
  const title = textOf(label) || id;
  return [{ id, label: title, kind, options: choices, isRequired: required === true }];
}

/** Returns the properties of an account from the values of its provider's fields. Empty fields are left out. */
export function accountOf(
  provider: string,
  name: string,
  values: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  const given = [...values].filter(([, value]) => value !== "");
  const own = given.filter(([id]) => members.includes(id));
  const others = given.filter(([id]) => !members.includes(id));
  return {
    provider,
    ...(name !== "" && { name: localized(name) }),
    ...Object.fromEntries(own),
    properties: Object.fromEntries(others),
  };
}

/** Returns the field that an error message names, such as "port" in "properties.port must be …". */
export function fieldIn(message: string, fields: readonly ProviderField[]): string | undefined {
  const named = /properties\.(?:properties\.)?([\w-]+)/.exec(message)?.[1]?.toLowerCase();
  return fields.find(({ id }) => id.toLowerCase() === named)?.id;
}
