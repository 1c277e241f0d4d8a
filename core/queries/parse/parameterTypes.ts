const scalarTypes = ["hierarchy", "numeric", "datetime"] as const;

/** The types of parameters: the types of columns, and lists of these. */
export const parameterTypes = [
  ...scalarTypes,
  ...scalarTypes.map((type) => `array[${type}]` as const),
] as const;
