import type { DetectedForms } from "./detectForms.ts";
import { separators, type Settings } from "./settings.ts";

export interface FoundOptions {
  readonly settings: Pick<Settings, "hasHeader" | "skippedRows">;
  readonly separator: string;
  readonly encoding: string;
  readonly forms: readonly DetectedForms[];
}

/**
 * Returns the settings with which a file of separated values is read, by name and as JSON values.
 */
export function foundSettings({
  settings,
  separator,
  encoding,
  forms,
}: FoundOptions): Readonly<Record<string, unknown>> {
  const [name = separator] = [...separators].find(([, sign]) => sign === separator) ?? [];
  return {
    separator: name,
    encoding,
    header: settings.hasHeader,
    skip_rows: settings.skippedRows,
    ...foundForms(forms),
  };
}

/** Returns the decimal sign and the order of dates, each only if all columns that show one show the same. */
export function foundForms(
  forms: readonly Pick<DetectedForms, "decimal" | "forms">[],
): Readonly<Record<string, unknown>> {
  const decimal = onlyOf(forms.map(({ decimal: each }) => each));
  const dates = onlyOf(forms.map(({ forms: { dates: each } }) => each));
  return {
    ...(decimal !== undefined && { decimal }),
    ...(dates !== undefined && { dates }),
  };
}

/** Returns the value that all present values equal; undefined if they differ, or if there are none. */
function onlyOf<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  const present = new Set(values.filter((each) => each !== undefined));
  const [only] = present;
  return present.size === 1 ? only : undefined;
}
