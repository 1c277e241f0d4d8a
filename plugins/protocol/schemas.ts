import Type, { type TArray, type TImmutable, type TSchema, type TUnsafe } from "typebox";

/** The schema of a list that is `readonly` to TypeScript. */
export function readonlyArray<Item extends TSchema>(items: Item): TImmutable<TArray<Item>> {
  return Type.Immutable(Type.Array(items));
}

/**
 * The schema of one of several texts, in their order. Its type is their union, also where TypeBox would want a tuple.
 */
export function oneOf<Text extends string>(texts: readonly Text[]): TUnsafe<Text> {
  return Type.Unsafe<Text>(Type.Union(texts.map((text) => Type.Literal(text))));
}

/** The members of a table, in its order. Only for tables whose type names all of their members. */
export function namesOf<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

/** A schema under the name of its type, so that editors and compilers print `Name` for a member, not its members. */
export function named<Name>(schema: TSchema): TUnsafe<Name> {
  return Type.Unsafe<Name>(schema);
}
