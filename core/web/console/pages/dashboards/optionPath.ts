import {
  isObject,
  objectOf,
  optionsOf,
  type ItemType,
  type OptionForm,
} from "../../../charts/index.ts";
import type { BoardItem } from "./contents.ts";

/** The names of an option and of the members within it, separated by dots, such as `bars.label`. */
export type OptionPath = string;

/** Returns the form of an option of an item type; undefined if charts of the type do not read it. */
export function formAt(type: ItemType, path: OptionPath): OptionForm | undefined {
  const [name = "", ...members] = path.split(".");
  const found = [...optionsOf(type)].find(([option]) => option === name)?.[1].form;
  return members.reduce<OptionForm | undefined>(
    (form, member) =>
      form && "properties" in form && Object.hasOwn(form.properties, member)
        ? form.properties[member]
        : undefined,
    found,
  );
}

/** Returns the stored value of an option; undefined if it is absent. */
export function valueAt({ options }: BoardItem, path: OptionPath): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), options);
}

/** Returns an item with an option; undefined removes it, and the members around it that would be empty. */
export function withValueAt(item: BoardItem, path: OptionPath, value: unknown): BoardItem {
  return { ...item, options: withMember(objectOf(item.options), path.split("."), value) };
}

function withMember(
  stored: Readonly<Record<string, unknown>>,
  [name = "", ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const next = rest.length === 0 ? value : withMember(objectOf(stored[name]), rest, value);
  const isEmpty = rest.length > 0 && isObject(next) && Object.keys(next).length === 0;
  if (next !== undefined && !isEmpty) return { ...stored, [name]: next };
  const { [name]: _, ...others } = stored;
  return others;
}
