import Type, { type TArray, type TImmutable, type TSchema, type TUnsafe } from "typebox";

/** Returns the schema of an array that is `readonly` in TypeScript. */
export function readonlyArray<Item extends TSchema>(items: Item): TImmutable<TArray<Item>> {
  return Type.Immutable(Type.Array(items));
}

/**
 * Returns a schema that accepts one of several strings. Its static type is their union, even where TypeBox would
 * require a tuple.
 */
export function oneOf<Text extends string>(texts: readonly Text[]): TUnsafe<Text> {
  return Type.Unsafe<Text>(Type.Union(texts.map((text) => Type.Literal(text))));
}

/**
 * Lists the names of a table's members, in order. Use this function only if the type of the table names all members of
 * the table.
 */
export function namesOf<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

/**
 * Returns a schema whose static type is the named interface, so that editors and compilers print `Name` instead of the
 * members.
 */
export function named<Name>(schema: TSchema): TUnsafe<Name> {
  return Type.Unsafe<Name>(schema);
}
