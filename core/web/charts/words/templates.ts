/** A string in which the placeholder `{name}` is replaced. Translations may put it anywhere. */
export type With<Name extends string> = `${string}{${Name}}${string}`;

/** A sentence with a count, in the plural forms of its language. `{count}` is replaced. */
export type Plural = { readonly other: With<"count"> } & Readonly<
  Partial<Record<Exclude<Intl.LDMLPluralRule, "other">, string>>
>;

/** Replaces the placeholders of a template. Names that have no value stay as they are. */
export function fillIn(
  template: string,
  values: Readonly<Record<string, string | number>>,
): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
}

/** Returns the sentence for a count, with the count in the digits of the locale: "1 row", "1,204 rows". */
export function counted(forms: Plural, count: number, localeId: string): string {
  const form = forms[new Intl.PluralRules(localeId).select(count)] ?? forms.other;
  return fillIn(form, { count: new Intl.NumberFormat(localeId).format(count) });
}
