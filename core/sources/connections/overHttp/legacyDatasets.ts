import {
  dataTypeOf,
  type Column,
  type Dataset,
  type Multilingual,
  PluginError,
} from "../../../../plugins/protocol/index.ts";
import { isObject, type Members } from "../../../base/index.ts";

/**
 * Parses the answer of /datasets. Unknown members are ignored, and unknown column types become strings. A name may be a
 * plain string or missing. A subtype that does not fit its type is dropped.
 * @throws {PluginError} PLUGIN_BAD_ANSWER with the invalid member
 */
export function legacyDatasets(answer: unknown): Dataset[] {
  if (!Array.isArray(answer)) throw bug("/datasets must return an array");
  return answer.map((entry: unknown, index) => {
    const members = objectOf<"id" | "name" | "columns" | "description">(entry, `dataset ${index}`);
    const id = idOf(members, `dataset ${index}`);
    const { columns, description } = members;
    if (!Array.isArray(columns)) throw bug(`the dataset ${quote(id)} must have a list of columns`);
    return {
      id,
      name: multilingual(members.name) ?? { en: id },
      ...(multilingual(description) && { description: multilingual(description) }),
      columns: columns.map((column: unknown, position) =>
        readColumn(column, `column ${position} of dataset ${quote(id)}`),
      ),
    } as Dataset;
  });
}

function readColumn(entry: unknown, what: string): Column {
  const members = objectOf<"id" | "name" | "type" | "subtype">(entry, what);
  const id = idOf(members, what);
  const { type, subtype } = members;
  const name = multilingual(members.name) ?? { en: id };
  if (type === "numeric" && (subtype === "currency" || subtype === "duration"))
    return { id, name, type, subtype };
  if (type === "datetime" && (subtype === "date" || subtype === "datetime"))
    return { id, name, type, subtype };
  return { id, name, type: dataTypeOf(type) };
}

function idOf({ id }: Members<"id">, what: string): string {
  if (typeof id === "number") return String(id);
  if (typeof id === "string" && id !== "") return id;
  throw bug(`${what} must have an id`);
}

function multilingual(value: unknown): Multilingual | undefined {
  if (typeof value === "string" && value !== "") return { en: value };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const texts = Object.entries(value).filter(
    ([language, text]) =>
      /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$/.test(language) && typeof text === "string",
  );
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}

function objectOf<Name extends string>(value: unknown, what: string): Members<Name> {
  if (!isObject<Name>(value)) throw bug(`${what} must be an object`);
  return value;
}

const quote = (id: string): string => JSON.stringify(id.slice(0, 200));

function bug(detail: string): PluginError {
  return new PluginError("PLUGIN_BAD_ANSWER", [detail]);
}
